import type { KeptNumbers } from '../define.js'
import type { Sums } from './sums.js'
import type { Tally, Use } from './tally.js'
import type { Dates } from './schema.js'

/** Raise it with every change of what is counted, so that no report is made from what an earlier version counted. */
const format = 3

/** A tally with the names of its group. */
export interface NamedTally {
  readonly names: readonly [environment: string, model: string, agent: string, column: string]
  readonly tally: Tally
}

/** What is counted over all groups. */
export interface Counted {
  readonly strays: number
  readonly dates?: Dates
  /** By model. */
  readonly uses: readonly (readonly [model: string, use: Use])[]
}

type KeptSums = Omit<Sums, 'gains'>

interface KeptValue {
  readonly format: number
  readonly counted: Counted
  readonly groups: readonly {
    readonly names: NamedTally['names']
    readonly sums: readonly KeptSums[]
    readonly wordings: boolean
    readonly choices: boolean
  }[]
}

const always = [
  'state',
  'success',
  'progress',
  'grounding',
  'adapted',
  'steps',
  'tokens',
  'changed',
  'touched',
  'distance',
  'divergence',
  'began',
  'prints',
] as const
const ofWordings = ['present', 'original', 'preferred'] as const
const ofChoices = ['originalFirst', 'aliasFirst'] as const

/** Everything that was counted, for the index of a run. */
export function keepTallies(tallies: readonly NamedTally[], counted: Counted): KeptNumbers {
  const value: KeptValue = {
    format,
    counted,
    groups: tallies.map(({ names, tally: { sums, wordings, choices } }) => ({
      names,
      // Kept among the lists.
      sums: sums.map((one) => ({ ...one, gains: undefined })),
      wordings: wordings !== undefined,
      choices: choices !== undefined,
    })),
  }
  const arrays = tallies.flatMap(({ tally }) => [
    ...always.map((part) => tally[part]),
    ...(tally.wordings ? ofWordings.map((part) => tally.wordings![part]) : []),
    ...(tally.choices ? ofChoices.map((part) => tally.choices![part]) : []),
    ...tally.sums.map(({ gains }) => gains),
  ])
  return { value, arrays }
}

/**
 * Fills empty tallies, which `find` gives, with those of an index.
 * @returns what was counted over all of them; undefined for numbers of another format or size, where tallies may be
 * half filled
 */
export function restoreTallies(
  kept: KeptNumbers | undefined,
  find: (...names: NamedTally['names']) => Tally,
): Counted | undefined {
  const value = kept?.value as KeptValue | undefined
  if (value?.format !== format) return undefined
  let used = 0
  /** The next list, which must be of the type and length of another one. */
  const next = <List extends KeptNumbers['arrays'][number]>(like: List): List => {
    const list = kept!.arrays[used++]
    if (list?.constructor !== like.constructor || list.length !== like.length) throw new RangeError()
    return list as List
  }
  const slots = <Part extends string>(parts: readonly Part[], like: Float64Array): Record<Part, Float64Array> =>
    Object.fromEntries(parts.map((part) => [part, next(like).slice()])) as Record<Part, Float64Array>
  try {
    for (const { names, sums, wordings, choices } of value.groups) {
      const tally = find(...names)
      for (const part of always) tally[part].set(next(tally[part]))
      if (wordings) tally.wordings = slots(ofWordings, tally.progress)
      if (choices) tally.choices = slots(ofChoices, tally.progress)
      tally.sums.forEach((none, place) => {
        restoreSums(none, sums[place]!)
        none.gains.set(next(none.gains))
      })
    }
    return value.counted
  } catch {
    return undefined
  }
}

/** @throws RangeError for a count that is missing or is no number */
function restoreSums(empty: Sums, { timed, leaked, ...kept }: KeptSums): void {
  for (const [part, counts] of Object.entries(kept)) {
    const own: Record<string, number> = empty[part as keyof typeof kept]
    for (const key of Object.keys(own)) {
      const count = (counts as Record<string, number>)[key]
      if (!Number.isFinite(count)) throw new RangeError()
      own[key] = count!
    }
  }
  empty.timed = timed
  if (leaked) empty.leaked = leaked
}
