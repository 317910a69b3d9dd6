import type { Dose, DoseCount } from './environment.js'
import { addLeaks } from './leaks.js'

/** Counts that are absent from a dose where they are 0, as from those of older episodes. */
const absentForZero = ['views', 'listed', 'failed', 'messages'] as const

/** Every count of a dose; whether a perturbation changed something by it. */
const counts: Readonly<Record<DoseCount, boolean>> = {
  forms: true,
  commandsSaid: true,
  commandsSeen: true,
  names: true,
  characters: true,
  views: true,
  listed: true,
  failed: true,
  messages: true,
  leaks: false,
}
const changes = (Object.keys(counts) as DoseCount[]).filter((count) => counts[count])

/** Two doses together, or one alone; rows that were stored before have the same counts in the same order. */
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

/**
 * Whether perturbations changed anything that was shown, said or done. What is left of the old wording is no change.
 */
export function isChanged(dose: Dose | undefined): boolean {
  return dose !== undefined && changes.some((count) => (dose[count] ?? 0) > 0)
}
