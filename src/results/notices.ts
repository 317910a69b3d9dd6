import type { StoredRun } from '../define.js'
import { addLeaks, describeLeaks } from '../define.js'
import type { TableNotice } from '../tables/table.js'
import { count, grouped, listFirst, listWords } from '../tables/words.js'
import { describeMismatches } from './published/mismatches.js'
import { noticeKinds, severities } from './notice-kinds.js'
import { countDistinct } from './passes.js'
import type { Tallies } from './tallies.js'
import type { Tally } from './tally.js'
import type { AggregateColumn, Experiment, Group } from './schema.js'

/** One of {@link noticeKinds}. */
type NoticeKind = (typeof noticeKinds)[number]

/** A warning on what limits the meaning of the figures. */
export interface Notice extends TableNotice {
  readonly kind: NoticeKind
}

type Severity = Notice['severity']

/** Success without perturbation: at this or below, a perturbation can hardly lower it. A share of 1. */
export const floor = 0.05

/** Every notice on a run, most serious first. */
export function listNotices(
  run: StoredRun,
  experiment: Experiment,
  groups: readonly Group[],
  columns: readonly AggregateColumn[],
  tallies: Tallies,
): Notice[] {
  const { plan, servers = [] } = run
  const measuredBy = (name: string): readonly Measured[] =>
    groups
      .filter(({ model }) => model === name)
      .map((group) => ({
        group,
        column: columns.find(({ label }) => label === group.column)!,
        tally: tallies.find(group.environment, name, group.agent, group.column),
      }))
  const isClean = new Set(columns.filter(({ clean }) => clean).map(({ label }) => label))
  return [
    ...noticeCoverage(groups),
    ...noticeEndpoint(run),
    ...plan.environments.flatMap(({ name, data }) =>
      data?.leftOut === undefined ? [] : tell('coverage', 'note', data.leftOut.text, name),
    ),
    ...experiment.environments.flatMap(({ name: environment }) => {
      const here = groups.filter((group) => group.environment === environment && group.pooled.coverage.valid > 0)
      const clean = here.filter(({ column }) => isClean.has(column))
      return [
        ...noticeWorlds(environment, here, clean, tallies),
        ...(Object.keys(problems) as ProblemKind[]).flatMap((kind) => noticeShares(kind, environment, here)),
        ...noticeFloor(environment, clean),
        ...noticeLeaks(environment, here),
      ]
    }),
    ...noticeChanges(servers),
    ...noticeServedBy(experiment, tallies),
    ...noticeServers(servers, experiment, tallies, measuredBy),
    ...noticeGreedy(servers, experiment, measuredBy),
    ...experiment.models.flatMap(({ name, server }) =>
      server === undefined ? [] : noticeEqualSeeds(name, experiment, measuredBy(name)),
    ),
    ...noticeFinishes(experiment, tallies),
    ...noticePublished(run),
  ].sort(
    (one, other) =>
      severities.indexOf(one.severity) - severities.indexOf(other.severity) ||
      noticeKinds.indexOf(one.kind) - noticeKinds.indexOf(other.kind),
  )
}

/** A notice, as a list of one. */
function tell(kind: NoticeKind, severity: Severity, text: string, environment?: string): Notice[] {
  return [{ kind, severity, ...(environment !== undefined && { environment }), text }]
}

/** What goes wrong in a share of the replies, actions or measurements of some groups, by its severity. */
function noticeShares(kind: ProblemKind, environment: string, here: readonly Group[]): Notice[] {
  const { from, shareOf }: Problem = problems[kind]
  const all = here.map((group) => ({ group, share: shareOf(group) }))
  const of = (severity: Severity) =>
    all.filter(({ share }) => severities.find((one) => share >= from[one]) === severity)
  // Where a model's figures mean nothing, smaller shares of it are of no use.
  const meaningless = new Set(of('error').map(({ group }) => group.model))
  return severities.flatMap((severity) => {
    const some = of(severity).filter(({ group }) => severity === 'error' || !meaningless.has(group.model))
    return some.length === 0 ? [] : tell(kind, severity, describeProblem(kind, severity, some, here), environment)
  })
}

/**
 * Episodes that are missing: each condition of a model that lost half of its episodes or more to errors is an error,
 * and is named, since what is left of it is a selection.
 */
function noticeCoverage(groups: readonly Group[]): Notice[] {
  const valid = sum(groups, ({ pooled }) => pooled.coverage.valid)
  const planned = sum(groups, ({ pooled }) => pooled.coverage.planned)
  if (valid === planned) return []
  const broken = sum(groups, ({ pooled }) => brokenOf(pooled))
  const refused = sum(groups, ({ pooled }) => pooled.refused ?? 0)
  const unplayed = planned - valid - broken
  const missing = listWords([
    ...(broken > 0 ? [`${grouped(broken)} broke`] : []),
    ...(unplayed > 0 ? [`${grouped(unplayed)} were not played`] : []),
  ])
  const lost = groups.flatMap(({ environment, model, agent, column, temperatures }) =>
    temperatures
      .filter((scope) => brokenOf(scope) > 0 && brokenOf(scope) >= scope.coverage.valid)
      .map((scope) => {
        const at = temperatures.length > 1 ? ` at temperature ${String(scope.temperature)}` : ''
        const of = grouped(scope.coverage.planned)
        return `${environment} · ${model} · ${agent} · ${column}${at} (${grouped(brokenOf(scope))} of ${of})`
      }),
  )
  const again = `Run the same experiment again, without --only and --shard, to play the ${refused > 0 ? 'other ' : ''}missing episodes.`
  const sentences = [
    lost.length > 0 &&
      `The figures mean nothing: half of the episodes or more broke. These are of ${listFirst(lost, 4)}.`,
    `Only ${grouped(valid)} of ${count(planned, 'planned episode')} are measurements: ${missing}. The rest enters no mean; changes have a second interval, over everything that it may have been.`,
    refused > 0 &&
      `The server refused the conversation of ${count(refused, 'episode')}, as a content filter does: playing again does not change that.`,
    planned - valid > refused && again,
  ]
  return tell('coverage', lost.length > 0 ? 'error' : 'warning', sentences.filter(Boolean).join(' '))
}

function brokenOf({ outcomes }: Pick<Group['pooled'], 'outcomes'>): number {
  return outcomes['model-error'] + outcomes['environment-error']
}

/** A primary endpoint that was changed when there were figures already. */
function noticeEndpoint({ plan, history = [] }: StoredRun): Notice[] {
  const now = describeEndpoint(plan.primary)
  const earlier = history.flatMap(({ stored, primary }) =>
    primary === undefined || stored === 0 ? [] : [{ stored, was: describeEndpoint(primary.was ?? undefined) }],
  )
  const others = earlier.filter(({ was }) => was !== now)
  if (others.length === 0) return []
  const was = [...new Map(others.map((one) => [one.was, one])).values()]
  return tell(
    'changed-endpoint',
    'warning',
    `The primary endpoint is ${now}, but was another when episodes were stored already: ${listWords(was.map((one) => `${one.was} (${count(one.stored, 'episode')})`))}. A test of an endpoint that was chosen in view of its data shows less. Report both, or play the new one into another folder.`,
  )
}

function describeEndpoint(
  { metric, columns }: NonNullable<StoredRun['plan']['primary']> = { metric: 'success' },
): string {
  return `${metric} over ${columns === undefined ? 'all conditions' : listWords(columns)}`
}

/** What can go wrong in a share of a group's replies, actions or measurements; docs/reports.md names the shares. */
interface Problem {
  /** The share, of 1, from which on figures mean nothing, are limited, or are worth a note. */
  readonly from: Readonly<Record<Severity, number>>
  readonly shareOf: (group: Group) => number
  /** What is wrong, with its shares, and what to do about it. */
  readonly what: (shares: string) => string
  readonly advice: string
}

const problems = {
  'replies-empty': {
    from: { error: 0.5, warning: 0.05, note: Number.MIN_VALUE },
    shareOf: ({ pooled }) => pooled.behaviour.faultsPerAction?.empty ?? 0,
    what: (shares) => `replies were empty (share of replies: ${shares})`,
    advice:
      'An empty reply is an action that no environment understands. Check the chat template, and whether the server keeps the answer in a field of its own (`shaketable doctor`); look at a few episodes with `shaketable show`.',
  },
  // Cut off at the limit of tokens, or reasoning that was never closed.
  'replies-cut': {
    from: { error: 0.5, warning: 0.05, note: 0.01 },
    shareOf({ pooled }) {
      const faults = pooled.behaviour.faultsPerAction
      return faults === undefined ? 0 : faults.length + faults['unclosed-reasoning']
    },
    what: (shares) => `replies were cut off at the limit of their tokens (share of replies: ${shares})`,
    advice:
      'The action that the model would have chosen is unknown. Play again with a larger --max-tokens, if the model was not running on.',
  },
  overflow: {
    from: { error: 0.5, warning: 0.05, note: 0.01 },
    shareOf: ({ pooled }) => pooled.outcomes['context-overflow'] / pooled.coverage.valid,
    what: (shares) =>
      `episodes ended because the conversation did not fit the model's context (share of episodes: ${shares})`,
    advice:
      'They count as failures. Serve the model with a larger context, lower --max-tokens, or choose an --agent with a shorter prompt.',
  },
  'format-errors': {
    from: { error: 0.5, warning: 0.05, note: Infinity },
    shareOf: ({ pooled }) => pooled.behaviour.formatErrorsPerAction ?? 0,
    what: (shares) => `replies were not of the layout that the agent expects (share of actions: ${shares})`,
    advice:
      'The figures measure the layout as well as the model. Choose the --agent that the model was trained for, and look at a few episodes with `shaketable show`.',
  },
} satisfies Partial<Record<NoticeKind, Problem>>

type ProblemKind = keyof typeof problems

/** @param some groups with the problem @param all those that could have it */
function describeProblem(
  kind: ProblemKind,
  severity: Severity,
  some: readonly { readonly group: Group; readonly share: number }[],
  all: readonly Group[],
): string {
  const { what, advice } = problems[kind]
  const models = [...new Set(some.map(({ group }) => group.model))]
  const whose =
    new Set(all.map(({ model }) => model)).size > models.length
      ? `The figures of ${listFirst(models, 4)}`
      : 'These figures'
  const problem = what(listShares(some, all))
  const sentence =
    severity === 'error' ? `${whose} mean nothing: ${problem}` : problem[0]!.toUpperCase() + problem.slice(1)
  return `${sentence}. ${advice}`
}

function noticeFloor(environment: string, clean: readonly Group[]): Notice[] {
  const some = clean
    .filter(({ pooled }) => (pooled.success.mean ?? 1) <= floor)
    .map((group) => ({ group, share: group.pooled.success.mean! }))
  if (some.length === 0) return []
  const models = [...new Set(some.map(({ group }) => group.model))]
  const isAll = some.length === clean.length
  return tell(
    'floor',
    isAll ? 'error' : 'warning',
    `This run cannot show robustness${isAll ? '' : ` of ${listFirst(models, 4)}`}: success without perturbation is close to 0 (${listShares(some, some)}), so a perturbation cannot lower it further. Compare progress, or play a stronger model or easier tasks.`,
    environment,
  )
}

function noticeLeaks(environment: string, groups: readonly Group[]): Notice[] {
  const leaky = groups.filter(({ pooled }) => (pooled.behaviour.leaks ?? 0) > 0)
  if (leaky.length === 0) return []
  const leaks = sum(leaky, ({ pooled }) => pooled.behaviour.leaks!)
  const columns = [...new Set(leaky.map(({ column }) => column))]
  const { leaked = [] } = addLeaks(...leaky.map(({ pooled }) => pooled.behaviour.leaked))
  const which = leaked.length === 0 ? '' : ` (${describeLeaks(leaked)})`
  return tell(
    'leaks',
    'warning',
    `${count(leaks, 'mention')} of the old wording reached the agent under ${listFirst(columns)}${which}; expect none unless the scope of a perturbation leaves parts out. Check the perturbation with \`shaketable validate\`.`,
    environment,
  )
}

/** Other models under the same names, and hosted models that were redeployed. */
function noticeChanges(servers: NonNullable<StoredRun['servers']>): Notice[] {
  const show = (value: string | number): string => (typeof value === 'number' ? grouped(value) : value)
  return servers.flatMap(({ model, changes = [] }): Notice[] => {
    const list = (accepted: boolean): string =>
      changes
        .filter((change) => change.accepted === accepted)
        .flatMap(({ differences }) => differences.map(({ name, was, is }) => `${name} ${show(was)}, then ${show(is)}`))
        .join('; ')
    const [accepted, deployed] = [list(true), list(false)]
    const mixed = `${model}: the server changed to another model under the same name, which was accepted (--accept-changed-model): ${accepted}. Figures of this model mix both. Play it again in another folder.`
    const redeployed = `${model}: the hosted model was redeployed during the run (${deployed}). Figures may mix several versions of it; a repetition may differ.`
    return [
      ...(accepted === '' ? [] : tell('changed-model', 'error', mixed)),
      ...(deployed === '' ? [] : tell('server', 'note', redeployed)),
    ]
  })
}

/** Perturbed episodes that did not begin in the world of their clean twins. */
function noticeWorlds(
  environment: string,
  groups: readonly Group[],
  clean: readonly Group[],
  tallies: Tallies,
): Notice[] {
  const openedIn = ({ model, agent, column }: Group) => tallies.find(environment, model, agent, column).opened
  const counted = groups.map((group) => {
    const twin = clean.find(({ model, agent }) => model === group.model && agent === group.agent)
    const [before, after] = [twin && openedIn(twin), openedIn(group)]
    const known = [...after.keys()].filter((slot) => after[slot]! > 0 && (before?.[slot] ?? 0) > 0)
    const other = known.filter((slot) => before![slot] !== after[slot]).length
    return { column: group.column, other, known: twin === group ? 0 : known.length }
  })
  const others = counted.filter(({ other }) => other > 0)
  if (others.length === 0) return []
  const [other, known] = [sum(others, (one) => one.other), sum(others, (one) => one.known)]
  const isMeaningless = other >= known / 2
  return tell(
    'different-worlds',
    isMeaningless ? 'error' : 'warning',
    `${isMeaningless ? 'Changes mean nothing: ' : ''}${grouped(other)} of ${count(known, 'episode')} under ${listFirst([...new Set(others.map(({ column }) => column))])} began in another world than their clean twins, so a change may come from the world. An environment has to begin alike for one task and seed, whatever was played before. Check it with \`shaketable validate\`.`,
    environment,
  )
}

/** Names of several models in the replies to one. */
function noticeServedBy({ models }: Experiment, { uses }: Tallies): Notice[] {
  return models.flatMap(({ name }): Notice[] => {
    const counts = Object.entries(uses.get(name)?.servedBy ?? {})
    if (counts.length < 2) return []
    const signed = counts.map(([other, episodes]) => `'${other}' in ${count(episodes, 'episode')}`)
    return tell(
      'changed-model',
      'error',
      `${name}: its replies are signed by ${count(counts.length, 'model')}: ${listFirst(signed, 4)}. Figures of this model mix them. Find out what answered, such as a fallback of a gateway, and play it again in another folder.`,
    )
  })
}

/**
 * What was found about the servers before the run that affects temperatures and seeds, unless the episodes show
 * otherwise.
 */
function noticeServers(
  servers: NonNullable<StoredRun['servers']>,
  experiment: Experiment,
  { uses }: Tallies,
  measuredBy: (model: string) => readonly Measured[],
): Notice[] {
  const { models, temperatures } = experiment
  const isSampled = temperatures.some((temperature) => temperature > 0)
  return servers.flatMap(({ model, findings, servedAs = model }): Notice[] => {
    const find = (name: string) => findings.find((finding) => finding.name === name)
    const valueOf = (name: string): unknown => find(name)?.value
    const listed = find('model listed')
    const names = Object.keys(uses.get(model)?.servedBy ?? {})
    const signed = names[0] ?? /; replies are signed '(.+)'$/.exec(listed?.evidence ?? '')?.[1]
    const sampled = temperatures.flatMap((temperature, place) => (temperature > 0 ? [place] : []))
    const repeats = countRepeats(measuredBy(model), sampled)
    const isRepeated = repeats.different <= repeats.pairs / 2
    const isPaired = models.some(({ name, settings }) => name === model && settings['pairing'] !== undefined)
    const seed = valueOf('seed')
    const isOther = signed !== undefined && !signed.startsWith(servedAs) && names.length < 2
    const found: readonly (readonly [holds: boolean, text: string])[] = [
      [
        listed?.value === 'no',
        `the server does not list a model of this name but answered${listed?.evidence === undefined ? '' : ` (${listed.evidence})`}. The figures may be of another model. Give --model the name that the server lists.`,
      ],
      [
        isOther && listed?.value !== 'no',
        `the server signs its replies as '${signed!}'. The figures may be of that model. Check the name, and what the server has loaded.`,
      ],
      [
        valueOf('temperature 0') === 'refused',
        'the server refuses temperature 0, so its figures may be of other temperatures than the requested ones. Give --temperatures that it accepts.',
      ],
      [
        isSampled && seed === 'honoured' && !isPaired && isRepeated,
        'the server honours seeds, and every call of a seed was sent the same one: all replies of a run begin with the same random number, so tasks are not independent and placebo repeats its clean twin. Above temperature 0 no interval, test or deviation holds. Play it again in another folder, where each call is sent a seed of its own.',
      ],
      [
        isSampled &&
          (seed === 'ignored' || seed === 'refused') &&
          noticeEqualSeeds(model, experiment, measuredBy(model)).length === 0,
        `the server ${seed === 'ignored' ? 'ignores' : 'refuses'} seeds: each episode is an independent sample, and a repetition gives other figures. Play several seeds, and do not expect identical figures from a repetition.`,
      ],
    ]
    return found.flatMap(([holds, text]) => (holds ? tell('server', 'warning', `${model}: ${text}`) : []))
  })
}

/**
 * Temperature 0 that is not deterministic: the server's equal calls had different replies, or episodes differ from
 * those of a condition that changes nothing.
 */
function noticeGreedy(
  servers: NonNullable<StoredRun['servers']>,
  { models, temperatures }: Experiment,
  measuredBy: (model: string) => readonly Measured[],
): Notice[] {
  const place = temperatures.indexOf(0)
  if (place < 0) return []
  return models.flatMap(({ name, server }): Notice[] => {
    if (server === undefined) return []
    const finding = servers
      .find(({ model }) => model === name)
      ?.findings.find((one) => one.name === 'temperature 0' && String(one.value).includes('different'))
    const { pairs, different } = countRepeats(measuredBy(name), [place])
    const isRefuted = different === 0 && (pairs > 0 || areSeedsEqual(measuredBy(name), place))
    if (isRefuted || (finding === undefined && different === 0)) return []
    const evidence = [
      ...(finding === undefined ? [] : [finding.evidence ?? String(finding.value)]),
      ...(different === 0
        ? []
        : [`${grouped(different)} of ${count(pairs, 'episode')} differ from a repeat in which nothing changed`]),
    ]
    return tell(
      'server',
      'warning',
      `${name}: temperature 0 is not deterministic (${evidence.join('; ')}). A repetition gives other figures. Play several seeds at temperature 0 too (--set seedsAtZero=N).`,
    )
  })
}

/** The groups of a model with their tallies. */
interface Measured {
  readonly group: Group
  readonly column: AggregateColumn
  readonly tally: Tally
}

/** Episodes at some temperatures, by their places, that repeat their clean twins, and those that differ. */
function countRepeats(
  all: readonly Measured[],
  places: readonly number[],
): { readonly pairs: number; readonly different: number } {
  const counts = all
    .filter(({ column }) => column.identity && !column.clean)
    .flatMap(({ group: { environment, agent }, tally }) => {
      const isTwin = ({ group, column }: Measured): boolean =>
        column.clean && group.environment === environment && group.agent === agent
      const clean = all.find(isTwin)?.tally
      return clean === undefined ? [] : places.map((place) => countDifferent(clean, tally, place))
    })
  return { pairs: sum(counts, ({ pairs }) => pairs), different: sum(counts, ({ different }) => different) }
}

/** Whether there are several seeds at a temperature, by its place, and all of them gave the same episodes. */
function areSeedsEqual(all: readonly Measured[], place: number): boolean {
  const several = all.filter(({ tally }) => countMeasured(tally, place) > 1)
  return several.length > 0 && several.every(({ tally }) => countDistinct(tally, place) === 1)
}

/** Seeds with a measurement at a temperature, by its place. */
function countMeasured({ shape: { seeds, tasks }, state }: Tally, place: number): number {
  const has = (seed: number): boolean =>
    state.subarray((place * seeds + seed) * tasks, (place * seeds + seed + 1) * tasks).includes(2)
  return Array.from({ length: seeds }, (_, seed) => seed).filter(has).length
}

/** Pairs of measurements at a temperature, by its place, and those whose text differs. */
function countDifferent(one: Tally, other: Tally, place: number): { pairs: number; different: number } {
  const { seeds, tasks } = one.shape
  let [pairs, different] = [0, 0]
  for (let slot = place * seeds * tasks; slot < (place + 1) * seeds * tasks; slot++) {
    if (one.state[slot] !== 2 || other.state[slot] !== 2) continue
    pairs++
    if (one.prints[slot] !== other.prints[slot]) different++
  }
  return { pairs, different }
}

/** A temperature above 0 at which every seed gave the same episode of every task. */
function noticeEqualSeeds(name: string, { temperatures }: Experiment, all: readonly Measured[]): Notice[] {
  return temperatures.flatMap((temperature, place): Notice[] => {
    if (temperature === 0 || !areSeedsEqual(all, place)) return []
    const seeds = String(Math.max(...all.map(({ tally }) => countMeasured(tally, place))))
    return tell(
      'server',
      'warning',
      `${name}: at temperature ${String(temperature)} all ${seeds} seeds gave the same episodes. The server ignores the temperature or the seed: this is one run, not ${seeds}, and the spread over seeds means nothing.`,
    )
  })
}

/** Replies that ended for reasons that are neither an end, a limit of tokens nor a call. */
function noticeFinishes({ models }: Experiment, { uses }: Tallies): Notice[] {
  return models.flatMap(({ name }): Notice[] => {
    const { finishes = {}, calls = 0 } = uses.get(name) ?? {}
    const reasons = Object.entries(finishes).sort(([, one], [, other]) => other - one)
    const replies = sum(reasons, ([, times]) => times)
    if (replies === 0) return []
    const listed = reasons.map(([reason, times]) => `'${reason}' ${grouped(times)}`)
    return tell(
      'server',
      replies >= problems['replies-cut'].from.warning * calls ? 'warning' : 'note',
      `${name}: ${grouped(replies)} of ${count(calls, 'call')} ended for a reason that is not known (${listFirst(listed, 4)}), and may not be whole. Look at them with \`shaketable show\`, and at what the server means by it.`,
    )
  })
}

function noticePublished({ plan, published }: StoredRun): Notice[] {
  return describeMismatches(plan, published).flatMap(({ environment, text }) =>
    tell(
      'published',
      'warning',
      `Published rows stand beside other games or prompts than theirs: ${environment} has ${text}. A difference between the rows says nothing of the models. Play what they were measured on to compare.`,
      environment,
    ),
  )
}

interface Share {
  readonly group: Group
  readonly share: number
}

/**
 * Shares of models (and agents, where there are several), the highest first: `tuned 5.2 to 12.0 % in 3 of 8
 * conditions`.
 * @param all every group that the shares are some of
 */
function listShares(shares: readonly Share[], all: readonly Group[] | readonly Share[]): string {
  const agents = new Set(shares.map(({ group }) => group.agent))
  const nameOf = ({ model, agent }: Group): string => (agents.size > 1 ? `${model} with ${agent}` : model)
  const names = [...new Set(shares.map(({ group }) => nameOf(group)))]
  const groups = all.map((one) => ('group' in one ? one.group : one))
  const described = names.map((name) => {
    const own = shares.filter(({ group }) => nameOf(group) === name)
    const values = own.map(({ share }) => share)
    const [low, high] = [Math.min(...values), Math.max(...values)].map((share) => (100 * share).toFixed(1))
    const conditions = groups.filter((group) => nameOf(group) === name).length
    const where =
      own.length === conditions
        ? ''
        : own.length === 1
          ? ` under ${own[0]!.group.column}`
          : ` in ${String(own.length)} of ${String(conditions)} conditions`
    return { text: `${name} ${low === high ? low! : `${low!} to ${high!}`} %${where}`, max: Math.max(...values) }
  })
  return listFirst(
    described.sort((one, other) => other.max - one.max).map(({ text }) => text),
    4,
  )
}

function sum<One>(all: readonly One[], of: (one: One) => number): number {
  return all.reduce((total, one) => total + of(one), 0)
}
