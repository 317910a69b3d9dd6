import type { Dose, DoseCount, Leak, ReplyFault } from 'shaketable'
import { mean, median } from 'shaketable/statistics'
import { eachMeasured } from './rates.js'
import type { SummedMeasure, Sums } from './sums.js'
import { gainUnit } from './sums.js'
import type { Tally } from './tally.js'

/**
 * Measures that may explain a result, over the measurements of a group, as shares of 1. Rates per action are sums over
 * sums (every step is one action). A figure that would divide by zero is absent.
 */
export interface Behaviour {
  /**
   * AgentBoard's grounding accuracy: mean over episodes of understood / steps, without episodes of no steps. Absent, as
   * all measures derived from it, where the environment does not report which actions it understands.
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
  /** Incomplete replies, per action and by kind. Absent where there are none. */
  readonly faultsPerAction?: Readonly<Record<ReplyFault, number>>
  /** Episodes with an action understood in the new wording. Only under a perturbation that changes something. */
  readonly adaptedShare?: number
  /** Median over those episodes of the number of the first such step. */
  readonly stepsToAdapt?: number
  /** Means per episode. */
  readonly perEpisode?: Readonly<Record<Exclude<SummedMeasure, Optional>, number> & Partial<Record<Optional, number>>>
  /**
   * Of an agent that may try a task more than once, means per episode: trials that it took, and the progress of the
   * first, the last and the best of them.
   */
  readonly ownTrials?: { readonly taken: number; readonly first: number; readonly last: number; readonly best: number }
  /** Mean dose per episode. Only under a perturbation. */
  readonly dose?: Omit<Dose, 'leaked'>
  /** Total mentions of the old wording that the agent was shown. Only under a perturbation. */
  readonly leaks?: number
  /** Which wording was shown where, the most frequent first; at most 50. Absent where there was none. */
  readonly leaked?: readonly Leak[]
}

/** Measures that an environment may not report. */
type Optional = keyof Sums['missing']

/** Describes a group's behaviour at some temperatures, given by their places; `sums` are theirs. */
export function behaviourOf(
  tally: Tally,
  temperatures: readonly number[],
  { measures, faults, dose, trials, leaked, missing }: Sums,
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
  const has = { understood: missing.understood === 0, memorised: missing.memorised === 0 }
  const perEpisode = Object.entries(divide(measures, episodes)).filter(
    ([name]) => has[name as keyof typeof has] !== false,
  )
  return defined({
    ...(has.understood && { grounding: mean(grounding), repeatsPerAction: perAction(measures.repeats) }),
    formatErrorsPerAction: perAction(measures.formatErrors),
    ...(Object.values(faults).some((count) => count > 0) && { faultsPerAction: divide(faults, measures.steps) }),
    perEpisode: Object.fromEntries(perEpisode) as NonNullable<Behaviour['perEpisode']>,
    ...(trials.episodes > 0 && { ownTrials: describeTrials(trials) }),
    ...(!column.clean && {
      ...(has.memorised && { memorisedPerAction: perAction(measures.memorised) }),
      ...(has.memorised &&
        has.understood && {
          memorisedPerRefusal: ratio(measures.memorised, measures.steps - measures.understood),
        }),
      dose: divideDose(dose, episodes),
      leaks: dose.leaks,
      leaked: leaked?.slice(0, 50),
    }),
    ...(!column.identity &&
      has.understood && { adaptedShare: adapted.length / episodes, stepsToAdapt: median(adapted) }),
  })
}

function describeTrials({ episodes, played, ...progress }: Sums['trials']): NonNullable<Behaviour['ownTrials']> {
  return { taken: played / episodes, ...divide(progress, episodes / gainUnit) }
}

/** Leaves out the optional counts that are 0, as an episode's dose does. */
function divideDose(dose: Sums['dose'], episodes: number): Omit<Dose, 'leaked'> {
  const optional: readonly string[] = ['views', 'listed', 'failed', 'messages'] satisfies DoseCount[]
  const means = Object.entries(divide(dose, episodes)).filter(([count, mean]) => mean > 0 || !optional.includes(count))
  return Object.fromEntries(means) as unknown as Omit<Dose, 'leaked'>
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
