import type { Part } from './text.js'

/** How much a perturbation really changed in one episode. */
export interface Dose {
  /** Action forms of the briefing that got another wording. */
  readonly forms: number
  /** Accepted actions that the agent had to word differently. */
  readonly commandsSaid: number
  /** Commands shown to the agent (examples, lists) in another wording. */
  readonly commandsSeen: number
  /** Item names shown in another spelling, counted at each mention. */
  readonly names: number
  /** Characters of shown text (UTF-16 units, before the change) in pieces that were changed. */
  readonly characters: number
  /**
   * Turns whose view was changed as a whole, the opening included. This count and all further ones are absent for 0.
   */
  readonly views?: number
  /** Characters of these views before the change, and by how many those grew that became longer. */
  readonly viewed?: number
  readonly added?: number
  /** Objects of the world that the task does not have. */
  readonly objects?: number
  /** Commands in lists shown to the agent that stand at another place, are hidden, or were added. */
  readonly listed?: number
  /** Actions that failed on their way, or whose answer was withheld; `Measures.failures` has those that were read. */
  readonly failed?: number
  /** Steps by which the step limit was changed. */
  readonly steps?: number
  /** Labels of the prompt that are others, and parts of it that stand at another place. */
  readonly layout?: number
  /**
   * Mentions of the old vocabulary that were still shown to the agent. Should be 0 unless the scope leaves parts out.
   */
  readonly leaks: number
  /**
   * These mentions by word and part, the most frequent first; the first twelve of each perturbation. Absent for none.
   */
  readonly leaked?: readonly Leak[]
}

/** A counted part of a dose. */
export type DoseCount = Exclude<keyof Dose, 'leaked'>

/** Counts that a dose omits where they are 0, as older episodes do. */
export const absentForZero = ['views', 'viewed', 'added', 'objects', 'listed', 'failed', 'steps', 'layout'] as const

/** The counts that mean that something was changed. */
const changes = (['forms', 'commandsSaid', 'commandsSeen', 'names', 'characters', ...absentForZero] as const).filter(
  (count) => count !== 'viewed' && count !== 'added',
)

/** The sum of two doses, or one alone, with counts in the order of stored rows. */
export function addDoses(a: Dose | undefined, b: Dose): Dose {
  const sums = absentForZero.flatMap((count): [string, number][] => {
    const sum = (a?.[count] ?? 0) + (b[count] ?? 0)
    return sum > 0 ? [[count, sum]] : []
  })
  const further = Object.fromEntries(sums)
  if (a === undefined) {
    const { forms, commandsSeen, names, characters, leaks, leaked, commandsSaid } = b
    return { forms, commandsSeen, names, characters, leaks, ...(leaked && { leaked }), commandsSaid, ...further }
  }
  return {
    forms: a.forms + b.forms,
    commandsSaid: a.commandsSaid + b.commandsSaid,
    commandsSeen: a.commandsSeen + b.commandsSeen,
    names: a.names + b.names,
    characters: a.characters + b.characters,
    ...further,
    leaks: a.leaks + b.leaks,
    ...addLeaks(a.leaked, b.leaked),
  }
}

const noDose: Dose = { forms: 0, commandsSaid: 0, commandsSeen: 0, names: 0, characters: 0, leaks: 0 }

/** A world whose dose counts further changes: those of the hook `wrap` of a lens, or of the environment itself. */
export function withDose<World extends { dose?(): Dose }>(world: World, changes: () => Partial<Dose>): World {
  return { ...world, dose: () => addDoses(world.dose?.(), { ...noDose, ...changes() }) }
}

/** Whether perturbations changed anything. Leaks of the old wording do not count as a change. */
export function isChanged(dose: Dose | undefined): boolean {
  return countChanges(dose) > 0
}

/** The sum of all counts that mean a change: it grows with each of them. */
export function countChanges(dose: Dose | undefined): number {
  return dose === undefined ? 0 : changes.reduce((sum, count) => sum + (dose[count] ?? 0), 0)
}

/** An old form or item name that was still shown to the agent. */
export interface Leak {
  /** The action form or the item's name: `go to {recep}`, `sofa 1`. */
  readonly old: string
  readonly part: Part
  readonly times: number
}

/** Adds lists of leaks, the most frequent first. */
export function addLeaks(...lists: readonly (readonly Leak[] | undefined)[]): { readonly leaked?: readonly Leak[] } {
  const sums = new Map<string, Leak>()
  for (const leak of lists.flatMap((list) => list ?? [])) {
    const key = `${leak.part} ${leak.old}`
    sums.set(key, { ...leak, times: (sums.get(key)?.times ?? 0) + leak.times })
  }
  if (sums.size === 0) return {}
  const byKey = [...sums].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, leak]) => leak)
  return { leaked: byKey.sort((one, other) => other.times - one.times) }
}
