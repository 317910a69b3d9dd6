import type { Dose } from '../define.js'
import { absentForZero, addLeaks, invalidKinds } from '../define.js'
import { mean, median } from '../statistics/index.js'
import { eachMeasured } from './rates.js'
import type { ActionShare, Sums } from './sums.js'
import { gainUnit, replyFaults } from './sums.js'
import type { Tally } from './tally.js'
import type { AggregateCondition, Behaviour } from './schema.js'

/** Shares are rounded to this part of 1, which takes back the rounding of their sums. */
const perShare = 1e8

/**
 * Describes a group's behaviour at some temperatures, given by their places: rates are means of those at each, counts
 * their sums.
 */
export function behaviourOf(tally: Tally, temperatures: readonly number[], condition: Promised): Behaviour {
  const hasFaults = replyFaults.some((fault) => temperatures.some((place) => tally.sums[place]!.faults[fault] > 0))
  const each = temperatures.map((place) => behaviourAt(tally, place, tally.sums[place]!, condition, hasFaults))
  if (each.length === 1) return each[0]!
  const { leaked } = addLeaks(...each.map((one) => one.leaked))
  const rates = each.map(
    (one) => Object.fromEntries(Object.entries(one).filter(([name]) => name !== 'leaked')) as Rates,
  )
  return { ...averageOf(rates), ...(leaked && { leaked: leaked.slice(0, 50) }) }
}

const counted: ReadonlySet<string> = new Set(['episodes', 'read', 'leaks'])
const zeros: ReadonlySet<string> = new Set(absentForZero)

type Rates = { readonly [name: string]: number | Rates | undefined }

/** Rates of equal structure as one: means of what is known of each, and sums of counts; counts left out are 0. */
function averageOf(all: readonly Rates[]): Rates {
  const names = [...new Set(all.flatMap(Object.keys))]
  const average = names.map((name): [string, number | Rates] => {
    const known = all.map((one) => one[name]).filter((value) => value !== undefined)
    const numbers = known.filter((value) => typeof value === 'number')
    if (numbers.length < known.length) return [name, averageOf(known as Rates[])]
    const total = numbers.reduce((sum, one) => sum + one, 0)
    if (counted.has(name)) return [name, total]
    return [name, zeros.has(name) ? total / all.length : mean(numbers)!]
  })
  return Object.fromEntries(average)
}

type Promised = Pick<AggregateCondition, 'clean' | 'identity'>

function behaviourAt(
  tally: Tally,
  temperature: number,
  { measures, shares, dose, trials, leaked, missing, refusals, failures, ...sums }: Sums,
  condition: Promised,
  hasFaults: boolean,
): Behaviour {
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
  const { acted, misunderstood } = sums.episodes
  const shareOf = (name: ActionShare, of = acted): number | undefined =>
    of === 0 ? undefined : Math.round((shares[name] * gainUnit * perShare) / of) / perShare
  const sharesOf = <Name extends ActionShare>(names: readonly Name[], isKnown: boolean) =>
    isKnown && acted > 0 ? Object.fromEntries(names.map((name) => [name, shareOf(name)])) : undefined
  const when = <Value>(isKnown: boolean, value: Value): Value | undefined => (isKnown ? value : undefined)
  const has = { understood: missing.understood === 0, memorised: missing.memorised === 0 }
  const described = {
    grounding: when(has.understood, mean(grounding)),
    repeatsPerAction: when(has.understood, shareOf('repeats')),
    recovery: when(missing.recovery === 0 && refusals.episodes > 0, {
      episodes: refusals.episodes,
      within1: refusals.within1 / refusals.episodes,
      within3: refusals.within3 / refusals.episodes,
    }),
    failures: when(missing.failures === 0 && failures.read > 0, {
      read: failures.read,
      repeated: failures.repeated / failures.read,
      recovered: failures.recovered / failures.read,
    }),
    invalidPerAction: sharesOf(invalidKinds, missing.invalid === 0),
    formatErrorsPerAction: shareOf('formatErrors'),
    faultsPerAction: sharesOf(replyFaults, hasFaults),
    perEpisode: Object.fromEntries(
      Object.entries(divide(measures, episodes)).filter(([name]) => has[name as keyof typeof has] !== false),
    ),
    ownTrials: when(trials.episodes > 0, {
      taken: trials.played / trials.episodes,
      ...divide({ first: trials.first, last: trials.last, best: trials.best }, trials.episodes / gainUnit),
    }),
    ...(!condition.clean && {
      memorisedPerAction: when(has.memorised, shareOf('memorised')),
      memorisedPerRefusal: when(has.memorised && has.understood, shareOf('memorisedOfRefused', misunderstood)),
      dose: divideDose(dose, episodes),
      leaks: dose.leaks,
      leaked: leaked?.slice(0, 50),
    }),
    ...(!condition.identity &&
      has.understood && { adaptedShare: adapted.length / episodes, stepsToAdapt: median(adapted) }),
  }
  return Object.fromEntries(Object.entries(described).filter(([, value]) => value !== undefined))
}

/** Leaves out the optional counts that are 0, as an episode's dose does. */
function divideDose(dose: Sums['dose'], episodes: number): Omit<Dose, 'leaked'> {
  const means = Object.entries(divide(dose, episodes)).filter(([count, mean]) => mean > 0 || !zeros.has(count))
  return Object.fromEntries(means) as unknown as Omit<Dose, 'leaked'>
}

function divide<Key extends string>(sums: Readonly<Record<Key, number>>, by: number): Record<Key, number> {
  return Object.fromEntries(Object.entries<number>(sums).map(([key, sum]) => [key, sum / by])) as Record<Key, number>
}
