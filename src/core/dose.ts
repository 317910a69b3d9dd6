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
/** A dose of nothing. */
export const noDose: Dose = { forms: 0, commandsSaid: 0, commandsSeen: 0, names: 0, characters: 0, leaks: 0 }

const changes = (Object.keys(counts) as DoseCount[]).filter((count) => counts[count])

/** Two doses together. */
export function addDoses(a: Dose, b: Dose): Dose {
  const further = absentForZero.flatMap((count): [string, number][] => {
    const sum = (a[count] ?? 0) + (b[count] ?? 0)
    return sum > 0 ? [[count, sum]] : []
  })
  return {
    forms: a.forms + b.forms,
    commandsSaid: a.commandsSaid + b.commandsSaid,
    commandsSeen: a.commandsSeen + b.commandsSeen,
    names: a.names + b.names,
    characters: a.characters + b.characters,
    ...Object.fromEntries(further),
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
