import { fisherAboveP } from '../../statistics/index.js'
import type { Change } from './restrict.js'

interface FindOptions {
  readonly changes: readonly Change[]
  /** At least three times `count` different seeds, the episode's own first. */
  readonly seeds: readonly number[]
  /** Number of seeds that decide about a set of changes. */
  readonly count: number
  /**
   * Whether the task is lost under some of the changes; undefined if these cannot be combined.
   * @throws Stopped if nothing more may be played
   */
  replay(changes: readonly Change[], seed: number): Promise<boolean | undefined>
}

/** The changes of its condition that lost an episode, found by playing it again under parts of them. */
export interface Finding {
  /**
   * - `found`: a smallest set that loses the task, confirmed with seeds that the search did not use.
   * - `unconfirmed`: these seeds do not tell it from the unperturbed task.
   * - `none`: the condition does not lose the task reliably.
   * - `unfinished`: stopped; `changes` are the fewest so far.
   */
  readonly state: 'found' | 'unconfirmed' | 'none' | 'unfinished'
  readonly changes: readonly Change[]
  /** Number of all changes of the condition. */
  readonly among: number
  /** Replays under `changes`, and without any change, both with the seeds of the search and with fresh ones. */
  readonly replays: ReplayCount
  readonly clean: ReplayCount
  /** One-sided p of Fisher's exact test on the fresh seeds; absent unless these were played. */
  readonly p?: number
  /** Why it is unfinished; else empty. */
  readonly why: string
}

/** A number of replays, and those of them that lost the task. */
export interface ReplayCount {
  readonly of: number
  readonly lost: number
}

/** Nothing more may be played, for example since a budget is used up; the message says why. */
export class Stopped extends Error {
  override readonly name = 'Stopped'
}

/** A set of changes loses a task if it loses at least this share of the replays whose clean twin succeeds. */
export const lostShare = 0.75
/** Level of the test with fresh seeds. */
export const level = 0.05

/**
 * Looks for a smallest set of changes that loses a task. The rule is: over `count` seeds with which the unperturbed
 * task is solved, a set loses the task if it loses at least three quarters of the replays. The smallest set is then
 * compared with the unperturbed task by `count` fresh seeds, since the search itself selects for bad luck.
 */
export async function findChanges({ changes, seeds, count, replay }: FindOptions): Promise<Finding> {
  const counts = new Map<readonly Change[], ReplayCount>()
  const unperturbed: readonly Change[] = []
  let smallest = changes
  const countOf = (set: readonly Change[]): ReplayCount => counts.get(set) ?? { of: 0, lost: 0 }
  const finding = (state: Finding['state'], more: { readonly p?: number; readonly why?: string } = {}): Finding => ({
    state,
    changes: state === 'none' ? [] : smallest,
    among: changes.length,
    replays: countOf(smallest),
    clean: countOf(unperturbed),
    why: '',
    ...more,
  })
  const play = async (set: readonly Change[], seed: number): Promise<boolean | undefined> => {
    const lost = await replay(set, seed)
    const before = countOf(set)
    if (lost !== undefined) counts.set(set, { of: before.of + 1, lost: before.lost + Number(lost) })
    return lost
  }
  /** Plays a set with some seeds. @returns how many of these lost the task */
  const playAll = async (set: readonly Change[], chosen: readonly number[]): Promise<number> =>
    (await Promise.all(chosen.map((seed) => play(set, seed)))).filter((lost) => lost === true).length
  try {
    const solved: number[] = []
    let tried = 0
    for (; tried < 2 * count && solved.length < count; tried++)
      if ((await play(unperturbed, seeds[tried]!)) === false) solved.push(seeds[tried]!)
    if (solved.length < count) return finding('none')
    const loses = async (set: readonly Change[]): Promise<boolean> =>
      (await playAll(set, solved)) >= Math.ceil(lostShare * count)
    if (!(await loses(changes))) return finding('none')
    smallest = await shrinkSet(smallest, loses, (set) => (smallest = set))
    const fresh = seeds.slice(tried, tried + count)
    const [lost, lostClean] = [await playAll(smallest, fresh), await playAll(unperturbed, fresh)]
    const p = fisherAboveP(lost, fresh.length, lostClean, fresh.length)
    return finding(p <= level ? 'found' : 'unconfirmed', { p })
  } catch (thrown) {
    if (!(thrown instanceof Stopped)) throw thrown
    return finding('unfinished', { why: thrown.message })
  }
}

/**
 * Delta debugging: a subset that still fails, and of which no element can be left out. `all` must fail; a subset that
 * cannot be tried counts as one that does not fail. After the algorithm `ddmin` of Zeller and Hildebrandt, Simplifying
 * and Isolating Failure-Inducing Input, IEEE TSE 28 (2002).
 * @param smaller is called with each smaller set that fails
 */
export async function shrinkSet<T>(
  all: readonly T[],
  fails: (subset: readonly T[]) => Promise<boolean>,
  smaller: (subset: readonly T[]) => void = () => undefined,
): Promise<readonly T[]> {
  const firstThat = async (sets: readonly (readonly T[])[]): Promise<readonly T[] | undefined> => {
    for (const set of sets) if (await fails(set)) return set
    return undefined
  }
  let [current, parts] = [all, 2]
  while (current.length > 1) {
    const size = Math.ceil(current.length / parts)
    const count = Math.ceil(current.length / size)
    const pieces = Array.from({ length: count }, (_, index) => current.slice(index * size, (index + 1) * size))
    const piece = await firstThat(pieces)
    const others = pieces.map((left) => current.filter((change) => !left.includes(change)))
    const rest = piece ?? (count > 2 ? await firstThat(others) : undefined)
    if (rest === undefined && size === 1) break
    parts = piece !== undefined ? 2 : rest !== undefined ? Math.max(2, count - 1) : Math.min(current.length, 2 * parts)
    if (rest === undefined) continue
    current = rest
    smaller(current)
  }
  return current
}

const maxNamed = 6

/** The result as one or two sentences. `seeds` is the number that decides. */
export function sayFinding({ state, changes, among, replays, clean, p, why }: Finding, seeds: number): string {
  const outOf = ({ lost, of }: ReplayCount): string => `${String(lost)} of ${String(of)}`
  const more = changes.length > maxNamed ? `, and ${String(changes.length - maxNamed)} more` : ''
  const list = `${changes.slice(0, maxNamed).map(describeChange).join(', ')}${more}`
  const of = `${String(changes.length)} of ${String(among)} changes`
  const counts = `${outOf(replays)} replays were lost with ${changes.length === 1 ? 'it' : 'them'}, and ${outOf(clean)} without any change`
  switch (state) {
    case 'found':
      return changes.length === 1
        ? `Only ${list} is needed to lose this task, of ${String(among)} changes: ${counts}.`
        : `These ${of} are needed together to lose this task: ${list}. ${counts}.`
    case 'unconfirmed':
      return `Not confirmed: ${list} lost this task in the search, but fresh seeds do not tell that from chance (p = ${p!.toFixed(2)}): ${counts}. More seeds can tell (--seeds ${String(2 * seeds)}).`
    case 'none':
      return replays.of === 0
        ? `No subset can be found: without any change ${outOf(clean)} replays were lost, and ${String(seeds)} that succeed are needed.`
        : `No subset loses this task reliably: with all changes ${outOf(replays)} replays were lost, and ${outOf(clean)} without any change.`
    case 'unfinished':
      return `Not finished (${why}): ${replays.of === 0 ? 'no smaller set was found yet' : `the smallest set found so far that loses this task has ${of}: ${list}`}.`
  }
}

const parts: Readonly<Record<string, string>> = {
  instruction: 'the instruction',
  examples: 'the worked examples',
  observations: 'the observations',
  lists: 'the lists of actions',
  objects: 'the added objects',
  goal: 'the goal',
  world: 'the world',
}

function describeChange({ perturbation, hook, of, before = '', after = '' }: Change): string {
  const texts = before === after ? '' : `${quote(before)} → ${quote(after)}`
  if (hook === 'form' || hook === 'name') return `${texts} by ${perturbation}`
  if (hook === 'act') return `failure ${of} (${before}: ${quote(after)}) by ${perturbation}`
  return `${parts[of] ?? of}${texts && ` (${texts})`} by ${perturbation}`
}

function quote(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return `\`${line.length > 120 ? `${line.slice(0, 120)}…` : line}\``
}
