import { usedIn } from '../../define.js'
import { findGroup } from '../find.js'
import { groupBy } from '../lists.js'
import { headlineKinds } from '../schema.js'
import { floor } from '../notices.js'
import type { Aggregate, FamilyProfile, Figures, Primary, Profile } from '../schema.js'
import { count, listFirst, listWords } from '../../tables/words.js'
import { interval as intervalText, points, pValue, shortChange, size } from './figures.js'
import { judge } from './verdict.js'

type Headline = Aggregate['headlines'][number]

/** A sentence about one model and agent in an environment, before those of several models are joined. */
interface Claim extends Pick<Headline, 'kind' | 'families' | 'adversarial'> {
  readonly profile: Profile
  /** The largest change that it names, for the order. */
  readonly harm: number
  /** The bound that it names; the largest is printed. */
  readonly bound: number
  /** What follows the names of the models. Equal texts are joined. */
  say(words: Words): string
}

interface Words {
  readonly bound: number
  /** The form of a word for one model or for several. */
  readonly verb: (one: string, several: string) => string
  readonly nameOf: (family: FamilyProfile) => string
}

/** A drop from this on is told although it is not significant, in shares of 1. */
const seenDrop = 0.1

/** A bound above this tells nothing, in shares of 1. */
const informativeBound = 0.2

/**
 * The headlines of a run: the primary endpoint, the overall sentence, then the largest drop first, then gains and
 * models that show nothing. Changes are judged by {@link judge}, with p adjusted over all models and families (Holm):
 * the probability that any sentence calls something better or worse by chance is at most 5 %, and so is that of the
 * primary endpoint.
 */
export function headlinesOf(figures: Figures): Headline[] {
  const { profiles } = figures
  if (profiles.length === 0) return [withoutProfiles(figures)]
  const claims = profiles.flatMap((profile) => claimsOf(profile, figures))
  const nameOf = familyNames(figures)
  return [
    ...primaryHeadline(figures),
    overall(figures),
    ...join(claims).map((same): Headline => {
      const [{ kind, profile, families, adversarial }] = same
      const { environment, agent } = profile
      const models = [...new Set(same.map((claim) => claim.profile.model))]
      const sentence = same[0].say({
        bound: Math.max(...same.map((claim) => claim.bound)),
        verb: (one, several) => (models.length > 1 ? several : one),
        nameOf: (family) => nameOf(family, profile),
      })
      const apart = adversarial ? 'Adversarial, and in no count: ' : ''
      const text = `${apart}${listFirst(models, 8)}${whereOf(profile, figures)} ${sentence}.`
      return { kind, text, environment, agent, models, families, ...(adversarial && { adversarial }) }
    }),
  ]
}

function withoutProfiles({ conditions, models }: Figures): Headline {
  const text = conditions.some(({ clean }) => clean)
    ? 'The run has no perturbation, so it shows success only.'
    : 'The run has no condition without perturbation (none), so it cannot show what a perturbation changes.'
  return { kind: 'unknown', text, models: models.map(({ name }) => name), families: [] }
}

/** `with react on household`: the agent and the environment, where the run has several. */
function whereOf(
  { environment, agent }: Pick<Profile, 'environment' | 'agent'>,
  { environments, agents }: Pick<Figures, 'environments' | 'agents'>,
): string {
  return `${agents.length > 1 ? ` with ${agent}` : ''}${environments.length > 1 ? ` on ${environment}` : ''}`
}

/** Sentences of one kind that differ in their models only, each once; the most harmful first within a kind. */
function join(claims: readonly Claim[]): (readonly [Claim, ...Claim[]])[] {
  const joined = groupBy(claims, (claim) => {
    const { environment, agent } = claim.profile
    const sentence = claim.say({ bound: 0, verb: (_, several) => several, nameOf: ({ family }) => family })
    return JSON.stringify([claim.kind, claim.adversarial, environment, agent, [...claim.families].sort(), sentence])
  })
  const place = ([{ kind, adversarial }]: readonly [Claim, ...Claim[]]): number =>
    headlineKinds.indexOf(kind) + (adversarial ? headlineKinds.length : 0)
  return ([...joined.values()] as [Claim, ...Claim[]][]).sort(
    (one, other) => place(one) - place(other) || Math.abs(other[0].harm) - Math.abs(one[0].harm),
  )
}

/** Families that a run compares with the clean twin in the environment of a profile; controls are no such. */
function comparedIn({ environment, families }: Profile, { conditions }: Figures): FamilyProfile[] {
  const played = conditions.filter(({ perturbations }) => usedIn(perturbations, environment).length > 0)
  return families.filter(
    ({ identity, conditions }) => !identity && played.some(({ label }) => conditions.includes(label)),
  )
}

type Judged = ReturnType<typeof judgeFamilies>[number]

function judgeFamilies(families: readonly FamilyProfile[]) {
  return families
    .filter(({ pairs, touched }) => pairs > 0 && touched?.tasks !== 0)
    .map((family) => ({ family, verdict: judge(family, family.success.clean) }))
}

/** Families in the figures over several: not the adversarial ones, and not those that changed nothing. */
function countedOf(profile: Profile, figures: Figures): { counted: Judged[]; missing: FamilyProfile[] } {
  const families = comparedIn(profile, figures).filter(({ adversarial }) => adversarial === undefined)
  return {
    counted: judgeFamilies(families),
    missing: families.filter(({ pairs, planned }) => pairs === 0 && planned > 0),
  }
}

function cleanSuccess({ environment, model, agent }: Profile, { groups, conditions }: Figures): number | undefined {
  const clean = conditions.find((condition) => condition.clean)?.label
  return findGroup({ groups }, environment, model, agent, clean)?.pooled.success.mean
}

function claimsOf(profile: Profile, figures: Figures): Claim[] {
  const { counted, missing } = countedOf(profile, figures)
  const adversarial = judgeFamilies(comparedIn(profile, figures).filter((family) => family.adversarial))
  const tasks = figures.environments.find(({ name }) => name === profile.environment)!.tasks
  const changes = (judged: readonly Judged[], isAdversarial: boolean): Claim[] =>
    (['worse', 'better'] as const).flatMap((kind) => {
      const some = judged.filter(({ verdict }) => verdict.kind === kind).map(({ family }) => family)
      return some.length === 0 ? [] : [claimChange(profile, kind, some, tasks, isAdversarial)]
    })
  const changed = changes(counted, false)
  const others = counted.filter(({ verdict }) => verdict.kind !== 'better')
  const isTold = changed.length > 0 && (changed[0]!.kind === 'worse' || others.length + missing.length === 0)
  const rest = isTold ? [] : [claimNone(profile, figures, others, missing, changed.length > 0)]
  return [...changed, ...rest, ...changes(adversarial, true)]
}

/** `falls from 100 to 0 under synonyms and item-style, and from 100 to 27 under argument-order`. */
function claimChange(
  profile: Profile,
  kind: 'worse' | 'better',
  families: readonly FamilyProfile[],
  tasks: number,
  isAdversarial: boolean,
): Claim {
  const sign = kind === 'worse' ? 1 : -1
  const sorted = [...families].sort((one, other) => sign * (one.success.mean! - other.success.mean!))
  const byChange = [...groupBy(sorted, fromTo)]
  const shown = byChange.slice(0, maxChanges)
  const others = byChange.slice(maxChanges).flatMap(([, some]) => some)
  return {
    ...{ kind, profile, families: sorted.map(({ family }) => family) },
    ...{ harm: sorted[0]!.success.mean!, bound: 0, ...(isAdversarial && { adversarial: true }) },
    say({ verb, nameOf }) {
      const parts = shown.map(
        ([change, some]) =>
          `${change} under ${listWords(some.map((family) => `${nameOf(family)}${onSome(family, tasks)}`))}`,
      )
      const changes = parts.length === 1 ? parts[0]! : `${parts.slice(0, -1).join(', ')}, and ${parts.at(-1)!}`
      const also = listWords(others.map((family) => nameOf(family)))
      const moves = kind === 'worse' ? verb('falls', 'fall') : verb('rises', 'rise')
      return `${moves} ${changes}${also === '' ? '' : `; also ${kind} under ${also}`}`
    },
  }
}

const maxChanges = 3

/** `from 100 to 27`, in percent over the tasks with a pair; with a decimal where it would not show. */
function fromTo({ success: { clean = 0, perturbed = 0 } }: FamilyProfile): string {
  const decimals = [0, 1, 2].find((digits) => percent(clean, digits) !== percent(perturbed, digits)) ?? 2
  return `from ${percent(clean, decimals)} to ${percent(perturbed, decimals)}`
}

/** The tasks that were measured, and those that were changed, where these are not all. */
function onSome({ success, touched }: FamilyProfile, tasks: number): string {
  const measured = success.tasks === tasks ? [] : [`on ${String(success.tasks)} of ${count(tasks, 'task')}`]
  const isWhole = touched === undefined || touched.tasks >= success.tasks
  const changed = isWhole ? [] : [`changed in ${String(touched.tasks)} of ${count(success.tasks, 'task')}`]
  return isWhole && measured.length === 0 ? '' : ` (${[...measured, ...changed].join(', ')})`
}

/** A model without a significant drop: how large a drop is ruled out, or why that cannot be said. */
function claimNone(
  profile: Profile,
  figures: Figures,
  counted: readonly Judged[],
  missing: readonly FamilyProfile[],
  areOthers: boolean,
): Claim {
  const families = counted.map(({ family }) => family.family)
  const claim = (kind: Claim['kind'], say: Claim['say'], harm = 0, bound = 0): Claim => ({
    ...{ profile, families, kind, say, harm, bound },
  })
  const clean = cleanSuccess(profile, figures)
  if (clean === undefined)
    return claim('unknown', ({ verb }) => `${verb('has', 'have')} no episode without perturbation yet`)
  if (clean <= floor) {
    const say = ({ verb }: Words): string => {
      const succeed = verb('succeeds', 'succeed')
      const often = clean === 0 ? `never ${succeed}` : `${succeed} in only ${percent(clean, 1)} % of episodes`
      return `${often} without perturbation, so this run cannot show ${verb('its', 'their')} robustness`
    }
    return claim('floor', say, floor - clean)
  }
  const names = listFirst(missing.map(({ family }) => family))
  if (counted.length === 0) {
    return claim('unknown', ({ verb }) =>
      missing.length > 0
        ? `${verb('has', 'have')} no perturbed episode yet (${names})`
        : `${verb('was', 'were')} changed by no perturbation on any task, so nothing is known of ${verb('its', 'their')} robustness`,
    )
  }
  const isSteady = counted.every(({ verdict }) => verdict.kind === 'steady' || verdict.kind === 'better')
  const [lowest] = counted
    .map(({ family }) => family)
    .filter(({ success }) => (success.mean ?? 0) <= -seenDrop)
    .sort((one, other) => one.success.mean! - other.success.mean!)
  const pending = names === '' ? '' : `; not played yet: ${names}`
  const say = ({ verb, bound, nameOf }: Words): string => {
    const others = `any of ${String(counted.length)} ${areOthers ? 'other ' : ''}families`
    const under = counted.length === 1 ? nameOf(counted[0]!.family) : others
    const ruledOut =
      bound > informativeBound
        ? `, but even a drop of ${size(informativeBound)} points is not ruled out`
        : `; a drop of more than ${size(bound)} points is ruled out`
    const seen = lowest ? `; the largest seen is ${fromTo(lowest)} under ${asDrawn(lowest)}` : ''
    return `${verb('shows', 'show')} no significant drop under ${under}${ruledOut}${seen}${pending}`
  }
  const kind = isSteady && missing.length === 0 ? 'steady' : 'unclear'
  return claim(kind, say, -(lowest?.success.mean ?? 0), Math.max(...counted.map(boundOf)))
}

/** The largest drop that is not ruled out, a share of 1. */
function boundOf({ family: { success }, verdict }: Judged): number {
  return verdict.kind === 'unknown' ? 1 : Math.max(0, -((success.worstCase ?? success.interval)?.low ?? -1))
}

const maxNamed = 3

/** What the primary endpoint of a run shows, in one sentence; none where the run has none, or nothing is measured. */
function primaryHeadline({ primary, partial, environments, agents }: Figures): Headline[] {
  const known = (primary?.comparisons ?? [])
    .filter(({ p }) => p !== undefined)
    .sort((one, other) => one.difference.mean! - other.difference.mean!)
  const [lowest] = known
  if (primary === undefined || lowest === undefined) return []
  const nameOf = (one: typeof lowest): string => `${one.model}${whereOf(one, { agents, environments })}`
  const change = ({ difference: { mean, interval } }: typeof lowest): string =>
    `${points(mean!)} points${interval === undefined ? '' : ` ${intervalText(interval)}`}`
  const noun = environments.length > 1 ? 'comparisons' : agents.length > 1 ? 'pairs of model and agent' : 'models'
  const significant = known.filter(({ holm }) => holm! < 0.05)
  const named = significant.slice(0, maxNamed).map((comparison) => `${nameOf(comparison)} (${change(comparison)})`)
  const others = significant.length > maxNamed ? [`${String(significant.length - maxNamed)} more`] : []
  const words =
    known.length === 1
      ? `is ${change(lowest)} for ${nameOf(lowest)}, ${pValue(lowest.p!)}`
      : significant.length === 0
        ? `is significant for none of ${String(known.length)} ${noun} (Holm); the lowest is ${change(lowest)} for ${nameOf(lowest)}`
        : `is significant for ${String(significant.length)} of ${String(known.length)} ${noun} (Holm; intervals are not adjusted): ${listWords([...named, ...others])}`
  const endpoint = describePrimary(primary)
  const text = `${partial ? 'Primary endpoint so far' : 'Primary endpoint'}: the ${endpoint[0]!.toLowerCase()}${endpoint.slice(1)} ${words}.`
  const told = significant.length > 0 ? significant : [lowest]
  return [{ kind: 'primary', text, models: told.map(({ model }) => model), families: [] }]
}

/** `Mean change of success over agentrefine-1 and agentrefine-2`. */
export function describePrimary({ metric, conditions }: Pick<Primary, 'metric' | 'conditions'>): string {
  return `Mean change of ${metric} over ${conditions.length > 4 ? `${String(conditions.length)} conditions` : listWords(conditions)}`
}

/** `7 of 8 models are significantly worse under at least one of 9 families.` */
function overall(figures: Figures): Headline {
  const { environments, agents, models, profiles, partial } = figures
  const judged = profiles.map((profile) => ({ profile, ...countedOf(profile, figures) }))
  const sentenceOf = (environment: string, on: string): string => {
    const here = judged.filter(({ profile }) => profile.environment === environment)
    const isWorse = ({ counted }: (typeof here)[number]): boolean =>
      counted.some(({ verdict }) => verdict.kind === 'worse')
    const known = here.filter(
      (one) => one.counted.length > 0 && (isWorse(one) || (cleanSuccess(one.profile, figures) ?? 0) > floor),
    )
    const [first] = known
    if (first === undefined) {
      const isFloor = here.some(({ profile }) => (cleanSuccess(profile, figures) ?? 1) <= floor)
      return isFloor ? `this run cannot show robustness${on}` : `nothing is known of robustness${on} yet`
    }
    const worse = known.filter(isWorse).length
    const counted = known.flatMap((one) => one.counted.map(({ family }) => family))
    const families = new Set(counted.map(({ family }) => family)).size
    const drawn = counted.some(({ conditions }) => conditions.length > 1) ? ' (in the draws played)' : ''
    const among = (word: string): string =>
      families === 1 ? asDrawn(counted[0]!) : `${word} of ${String(families)} families${drawn}`
    const besides = here.length === known.length ? '' : ` (${String(here.length - known.length)} cannot be judged)`
    const sentence = (who: string, word: string): string =>
      `${who} significantly worse under ${among(word)}${on}${besides}`
    if (known.length === 1) {
      const bad = first.counted.filter(({ verdict }) => verdict.kind === 'worse').length
      const not = families === 1 && bad === 0 ? ' not' : ''
      return sentence(`${first.profile.model} is${not}`, bad === 0 ? 'none' : String(bad))
    }
    const all = `of ${String(known.length)} ${agents.length > 1 ? 'pairs of model and agent' : 'models'}`
    if (worse === 0) return sentence(`none ${all} is`, 'any')
    return sentence(`${String(worse)} ${all} ${worse === 1 ? 'is' : 'are'}`, 'at least one')
  }
  const names = environments.map(({ name }) => name)
  const alike = groupBy(names, (name) => sentenceOf(name, ''))
  const text = [...alike.values()]
    .map((names) => sentenceOf(names[0]!, environments.length > 1 ? ` on ${listWords(names)}` : ''))
    .join('; ')
  const worst = judged
    .flatMap(({ counted }) => counted)
    .sort((one, other) => (one.family.success.mean ?? 0) - (other.family.success.mean ?? 0))
  return {
    kind: 'overall',
    text: `${partial ? `So far ${text}` : text.replace(/^(?:nothing is known|none of|this run)\b/, (first) => `${first[0]!.toUpperCase()}${first.slice(1)}`)}.`,
    models: models.map(({ name }) => name),
    families: [...new Set(worst.map(({ family }) => family.family))],
  }
}

/**
 * Names families, with what they change at their first mention where that is short: `agentrefine-2 (go to → move to)`.
 */
function familyNames({ conditions }: Figures): (family: FamilyProfile, profile: Profile) => string {
  const named = new Set<string>()
  return (family, { environment }) => {
    const name = asDrawn(family)
    if (named.has(name)) return name
    named.add(name)
    const condition = conditions.find(({ label }) => family.conditions.includes(label))
    const used = condition === undefined ? [] : usedIn(condition.perturbations, environment)
    const change = used.length === 1 ? shortChange(used[0]!.summary) : undefined
    if (change === undefined) return name
    return `${name} (${family.conditions.length > 1 ? 'such as ' : ''}${change})`
  }
}

/** `these 3 draws of synonyms`: figures over some draws say nothing of others. */
function asDrawn({ family, intensity, conditions }: FamilyProfile): string {
  const name = intensity === undefined ? family : `${family} at intensity ${String(intensity)}`
  return conditions.length > 1 ? `these ${String(conditions.length)} draws of ${name}` : name
}

function percent(share: number, decimals: number): string {
  return (100 * share).toFixed(decimals)
}
