import { addLeaks, invalidKinds } from '../define.js'
import { mean, median } from '../statistics/index.js'
import { eachMeasured } from './rates.js'
import type { AggregateCondition, Scope } from './schema.js'
import { type ActionShare, gainUnit, replyFaults } from './sums.js'
import type { Tally } from './tally.js'

/** Shares are rounded to this part of 1, which takes back the rounding of their sums. */
const perShare = 1e8
const maxLeaked = 50

type Promised = Pick<AggregateCondition, 'clean' | 'identity'>

/**
 * Describes a group's behaviour at some temperatures, given by their places: rates are means of those at each, counts
 * their sums.
 */
export function behaviourOf(tally: Tally, temperatures: readonly number[], condition: Promised): Scope['behaviour'] {
  const sums = temperatures.map((place) => tally.sums[place]!)
  const hasFaults = sums.some(({ shares }) => replyFaults.some((fault) => shares[fault] > 0))
  const { leaked } = addLeaks(...sums.map((sums) => sums.leaked))
  return {
    ...averageOf(temperatures.map((place) => ratesAt(tally, place, condition, hasFaults))),
    ...(!condition.clean && leaked && { leaked: leaked.slice(0, maxLeaked) }),
  }
}

const counted: ReadonlySet<string> = new Set(['episodes', 'read', 'leaks'])

type Rates = { readonly [name: string]: number | Rates | undefined }

/** Rates of equal structure as one: means of what is known of each, and sums of counts. */
function averageOf(all: readonly Rates[]): Rates {
  const names = [...new Set(all.flatMap(Object.keys))]
  const averages = names.flatMap((name): [string, number | Rates][] => {
    const known = all.map((entry) => entry[name]).filter((value) => value !== undefined)
    const numbers = known.filter((value) => typeof value === 'number')
    if (known.length === 0) return []
    if (numbers.length < known.length) return [[name, averageOf(known as Rates[])]]
    return [[name, counted.has(name) ? numbers.reduce((sum, value) => sum + value, 0) : mean(numbers)!]]
  })
  return Object.fromEntries(averages)
}

/** Undefined is what is not known; the schema says what each rate is. */
function ratesAt(tally: Tally, temperature: number, condition: Promised, hasFaults: boolean): Rates {
  const grounding: number[] = []
  const adapted: number[] = []
  let episodes = 0
  for (let task = 0; task < tally.shape.tasks; task++) {
    eachMeasured(tally, [temperature], task, (slot) => {
      episodes++
      if (!Number.isNaN(tally.grounding[slot]!)) grounding.push(tally.grounding[slot]!)
      if (tally.adapted[slot]! > 0) adapted.push(tally.adapted[slot]!)
    })
  }
  if (episodes === 0) return {}
  const { measures, shares, dose, trials, missing, refusals, failures, ...sums } = tally.sums[temperature]!
  const { acted, misunderstood } = sums.episodes
  const { understood, memorised, ...taken } = divide(measures, episodes)
  const { leaks, ...changed } = dose
  const when = <Value>(isKnown: boolean, value: Value): Value | undefined => (isKnown ? value : undefined)
  const shareOf = (name: ActionShare, of = acted): number | undefined =>
    when(of > 0, Math.round((shares[name] * gainUnit * perShare) / of) / perShare)
  const sharesOf = (names: readonly ActionShare[], isKnown: boolean): Rates | undefined =>
    when(isKnown && acted > 0, Object.fromEntries(names.map((name) => [name, shareOf(name)])))
  const has = { understood: missing.understood === 0, memorised: missing.memorised === 0 }
  return {
    grounding: when(has.understood, mean(grounding)),
    repeatsPerAction: when(has.understood, shareOf('repeats')),
    recovery: when(has.understood && refusals.episodes > 0, {
      episodes: refusals.episodes,
      within1: refusals.within1 / refusals.episodes,
      within3: refusals.within3 / refusals.episodes,
    }),
    failures: when(has.understood && failures.read > 0, {
      read: failures.read,
      repeated: failures.repeated / failures.read,
      recovered: failures.recovered / failures.read,
    }),
    invalidPerAction: sharesOf(invalidKinds, missing.invalid === 0),
    formatErrorsPerAction: shareOf('formatErrors'),
    faultsPerAction: sharesOf(replyFaults, hasFaults),
    perEpisode: {
      ...taken,
      understood: when(has.understood, understood),
      memorised: when(has.memorised, memorised),
    },
    ownTrials: when(trials.episodes > 0, {
      taken: trials.played / trials.episodes,
      ...divide({ first: trials.first, last: trials.last, best: trials.best }, trials.episodes / gainUnit),
    }),
    ...(!condition.clean && {
      memorisedPerAction: when(has.memorised, shareOf('memorised')),
      memorisedPerRefusal: when(has.memorised && has.understood, shareOf('memorisedOfRefused', misunderstood)),
      dose: divide(changed, episodes),
      leaks,
    }),
    ...(!condition.identity &&
      has.understood && { adaptedShare: adapted.length / episodes, stepsToAdapt: median(adapted) }),
  }
}

function divide<Key extends string>(sums: Readonly<Record<Key, number>>, by: number): Record<Key, number> {
  return Object.fromEntries(Object.entries<number>(sums).map(([key, sum]) => [key, sum / by])) as Record<Key, number>
}
