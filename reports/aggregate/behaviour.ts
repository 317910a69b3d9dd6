import type { Dose, DoseCount, Leak, ReplyFault } from 'shaketable'
import { mean, median } from 'shaketable/statistics'
import { eachMeasured } from './rates.js'
import type { SummedMeasure, Sums } from './sums.js'
import { gainUnit } from './sums.js'
import type { Tally } from './tally.js'

/**
 * What explains a result, over the measurements of a group. Rates per action are sums over sums (every step is one
 * action); shares of 1. What would divide by zero is absent.
 */
export interface Behaviour {
  /**
   * AgentBoard's grounding accuracy: mean over episodes of understood / steps, episodes without a step left out. What
   * follows from it is absent with it where the environment cannot tell which actions it understands.
   */
  readonly grounding?: number
  /**
   * Actions refused for their wording that the unperturbed environment would have accepted, per action. Only under a
   * perturbation.
   */
  readonly memorisedPerAction?: number
  /** The same, per action that was not understood. */
  readonly memorisedPerRefusal?: number
  /** Actions repeated right after they were not understood, per action. */
  readonly repeatsPerAction?: number
  /** Replies that were not of the expected layout, per action. */
  readonly formatErrorsPerAction?: number
  /** Replies that were not whole, per action and by kind. Absent where every reply was. */
  readonly faultsPerAction?: Readonly<Record<ReplyFault, number>>
  /** Episodes with an action understood in the new wording. Only under a perturbation that changes something. */
  readonly adaptedShare?: number
  /** Median over those episodes of the number of the step at which it came first. */
  readonly stepsToAdapt?: number
  /** Means per episode. */
  readonly perEpisode?: Readonly<Record<Exclude<SummedMeasure, Untold>, number> & Partial<Record<Untold, number>>>
  /**
   * Of an agent that may try a task more than once, means per episode: trials that it took, and the progress of the
   * first, the last and the best of them.
   */
  readonly ownTrials?: { readonly taken: number; readonly first: number; readonly last: number; readonly best: number }
  /** Mean dose per episode. Only under a perturbation. */
  readonly dose?: Omit<Dose, 'leaked'>
  /** Mentions of the old vocabulary that were shown to the agent, in all. Only under a perturbation. */
  readonly leaks?: number
  /** Which of it was shown where, the most often shown first. Absent where none was. */
  readonly leaked?: readonly Leak[]
}

/** What an environment may not be able to tell. */
type Untold = keyof Sums['untold']

/** Describes a group's behaviour; `temperatures` are the places of those that enter, `sums` their sums. */
export function behaviourOf(
  tally: Tally,
  temperatures: readonly number[],
  { measures, faults, dose, trials, leaked, untold }: Sums,
  column: { readonly clean: boolean; readonly identity: boolean },
): Behaviour {
  const grounding: number[] = []
  const adapted: number[] = []
  let episodes = 0
  for (let task = 0; task < tally.shape.tasks; task++) {
    eachMeasured(tally, temperatures, task, (slot) => {
      episodes++
      if (!Number.isNaN(tally.grounding[slot]!)) grounding.push(tally.grounding[slot]!)
      if (tally.adapted[slot]! > 0) adapted.push(tally.adapted[slot]!)
    })
  }
  if (episodes === 0) return {}
  const perAction = (count: number): number | undefined => ratio(count, measures.steps)
  const tells = { understood: untold.understood === 0, memorised: untold.memorised === 0 }
  const perEpisode = (): NonNullable<Behaviour['perEpisode']> => {
    const isTold = ([name]: [string, number]): boolean => tells[name as keyof typeof tells] !== false
    const told = Object.entries(divide(measures, episodes)).filter(isTold)
    return Object.fromEntries(told) as NonNullable<Behaviour['perEpisode']>
  }
  return defined({
    ...(tells.understood && { grounding: mean(grounding), repeatsPerAction: perAction(measures.repeats) }),
    formatErrorsPerAction: perAction(measures.formatErrors),
    ...(Object.values(faults).some((count) => count > 0) && { faultsPerAction: divide(faults, measures.steps) }),
    perEpisode: perEpisode(),
    ...(trials.episodes > 0 && { ownTrials: describeTrials(trials) }),
    ...(!column.clean && {
      ...(tells.memorised && { memorisedPerAction: perAction(measures.memorised) }),
      ...(tells.memorised &&
        tells.understood && {
          memorisedPerRefusal: ratio(measures.memorised, measures.steps - measures.understood),
        }),
      dose: divideDose(dose, episodes),
      leaks: dose.leaks,
      leaked: leaked?.slice(0, maxLeaked),
    }),
    ...(!column.identity &&
      tells.understood && { adaptedShare: adapted.length / episodes, stepsToAdapt: median(adapted) }),
  })
}

/** So many different leaks of a group are told. */
const maxLeaked = 50

function describeTrials({ episodes, played, ...progress }: Sums['trials']): NonNullable<Behaviour['ownTrials']> {
  return { taken: played / episodes, ...divide(progress, episodes / gainUnit) }
}

/** Counts that a dose leaves out for 0 are left out. */
function divideDose(dose: Sums['dose'], episodes: number): Omit<Dose, 'leaked'> {
  const optional: readonly string[] = ['views', 'listed', 'failed', 'messages'] satisfies DoseCount[]
  const told = Object.entries(divide(dose, episodes)).filter(([count, mean]) => mean > 0 || !optional.includes(count))
  return Object.fromEntries(told) as unknown as Omit<Dose, 'leaked'>
}

function ratio(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : part / whole
}

function divide<Key extends string>(sums: Readonly<Record<Key, number>>, by: number): Record<Key, number> {
  return Object.fromEntries(Object.entries<number>(sums).map(([key, sum]) => [key, sum / by])) as Record<Key, number>
}

type Defined<Type> = { [Key in keyof Type]: Exclude<Type[Key], undefined> }

function defined<Type extends object>(given: Type): Partial<Defined<Type>> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Partial<Defined<Type>>
}
