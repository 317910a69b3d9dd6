import { type Plan, type StoredRun, addLeaks, describeLeaks } from '../define.js'
import { count, grouped, listFirst, listWords } from '../tables/words.js'
import { groupBy, sumOf } from './lists.js'
import { isPair } from './pairs.js'
import { countDistinct } from './passes.js'
import { type Mismatch, describeMismatches } from './published/mismatches.js'
import type { Aggregate, AggregateCondition, Experiment, Group } from './schema.js'
import { noticeKinds, severities } from './schema.js'
import type { Tallies, Use } from './tallies.js'
import type { Tally } from './tally.js'

type Notice = Aggregate['notices'][number]
type Severity = Notice['severity']

/** What a rule finds, without the environment. */
type Found = Omit<Notice, 'environment'>

const found = (kind: Found['kind'], severity: Severity, text: string): Found => ({ kind, severity, text })

/** Success without perturbation: at this or below, a perturbation can hardly lower it. A share of 1. */
export const floor = 0.05

/** Every notice on a run, most serious first. */
export function listNotices(
  run: StoredRun,
  experiment: Experiment,
  groups: readonly Group[],
  conditions: readonly AggregateCondition[],
  tallies: Tallies,
): Notice[] {
  const measured = groups
    .filter(({ pooled }) => pooled.coverage.valid > 0)
    .map((group): Measured => ({
      group,
      condition: conditions.find(({ label }) => label === group.condition)!,
      tally: tallies.find(group.environment, group.model, group.agent, group.condition),
    }))
  const mismatches = describeMismatches(run.plan, run.published)
  const notices: Notice[] = [
    ...noticeCoverage(groups),
    ...noticeEndpoint(run),
    ...run.plan.environments.flatMap(({ name, data }) => {
      const here = measured.filter(({ group }) => group.environment === name)
      return [
        ...(data?.leftOut ? [found('coverage', 'note', data.leftOut.text)] : []),
        ...noticeWorlds(here),
        ...problems.flatMap((problem) => noticeShares(problem, here)),
        ...noticeFloor(here),
        ...noticeLeaks(here),
        ...mismatches.filter(({ environment }) => environment === name).map(noticeMismatch),
      ].map((notice) => ({ ...notice, environment: name }))
    }),
    ...experiment.models.flatMap((model) =>
      noticeModel(
        model,
        run.servers?.find((server) => server.model === model.name),
        experiment,
        tallies.uses.get(model.name),
        measured.filter(({ group }) => group.model === model.name),
      ),
    ),
  ]
  const place = ({ severity, kind }: Notice): number =>
    severities.indexOf(severity) * noticeKinds.length + noticeKinds.indexOf(kind)
  return notices.sort((one, other) => place(one) - place(other))
}

function noticeMismatch({ environment, text }: Mismatch): Found {
  const sentence = `Published rows stand beside other games or prompts than theirs: ${environment} has ${text}.`
  const advice = 'A difference between the rows says nothing of the models. Play what they were measured on to compare.'
  return found('published', 'warning', `${sentence} ${advice}`)
}

/** A group in which something was measured. */
interface Measured {
  readonly group: Group
  readonly condition: AggregateCondition
  readonly tally: Tally
}

/**
 * Episodes that are missing: each condition of a model that lost half of its episodes or more to errors is an error,
 * and is named, since what is left of it is a selection.
 */
function noticeCoverage(groups: readonly Group[]): Found[] {
  const valid = sumOf(groups, ({ pooled }) => pooled.coverage.valid)
  const planned = sumOf(groups, ({ pooled }) => pooled.coverage.planned)
  if (valid === planned) return []
  const broken = sumOf(groups, ({ pooled }) => brokenOf(pooled))
  const refused = sumOf(groups, ({ pooled }) => pooled.refused ?? 0)
  const unplayed = planned - valid - broken
  const missing = listWords([
    ...(broken > 0 ? [`${grouped(broken)} broke`] : []),
    ...(unplayed > 0 ? [`${grouped(unplayed)} were not played`] : []),
  ])
  const lost = groups.flatMap(({ environment, model, agent, condition, temperatures }) =>
    temperatures
      .filter((scope) => brokenOf(scope) > 0 && brokenOf(scope) >= scope.coverage.valid)
      .map((scope) => {
        const at = temperatures.length > 1 ? ` at temperature ${String(scope.temperature)}` : ''
        const of = grouped(scope.coverage.planned)
        return `${environment} · ${model} · ${agent} · ${condition}${at} (${grouped(brokenOf(scope))} of ${of})`
      }),
  )
  const sentences = [
    lost.length > 0 &&
      `The figures mean nothing: half of the episodes or more broke. These are of ${listFirst(lost, 4)}.`,
    `Only ${grouped(valid)} of ${count(planned, 'planned episode')} are measurements: ${missing}. The rest enters no mean; changes have a second interval, over everything that it may have been.`,
    refused > 0 &&
      `The server refused the conversation of ${count(refused, 'episode')}, as a content filter does: playing them again may not change that.`,
    'Run the same experiment again, without --only and --shard, to play the missing episodes.',
  ]
  return [found('coverage', lost.length > 0 ? 'error' : 'warning', sentences.filter(Boolean).join(' '))]
}

function brokenOf({ outcomes }: Pick<Group['pooled'], 'outcomes'>): number {
  return outcomes['model-error'] + outcomes['environment-error']
}

/** A primary endpoint that was changed when there were figures already. */
function noticeEndpoint({ plan, history = [] }: StoredRun): Found[] {
  const describe = ({ metric = 'success', conditions }: Partial<NonNullable<Plan['primary']>> = {}): string =>
    `${metric} over ${conditions === undefined ? 'all conditions' : listWords(conditions)}`
  const now = describe(plan.primary)
  const earlier = new Map(
    history.flatMap(({ stored, primary }) =>
      primary === undefined || stored === 0 ? [] : [[describe(primary.was ?? undefined), stored]],
    ),
  )
  earlier.delete(now)
  if (earlier.size === 0) return []
  const were = [...earlier].map(([was, stored]) => `${was} (${count(stored, 'episode')})`)
  const text = `The primary endpoint is ${now}, but was another when episodes were stored already: ${listWords(were)}. A test of an endpoint that was chosen in view of its data shows less. Report both, or play the new one into another folder.`
  return [found('changed-endpoint', 'warning', text)]
}

/** Perturbed episodes that did not begin in the world of their clean twins. */
function noticeWorlds(here: readonly Measured[]): Found[] {
  const othersOf = ({ tally }: Measured): number => tally.began.filter((how) => how === 2).length
  const affected = here.filter((measured) => othersOf(measured) > 0)
  if (affected.length === 0) return []
  const other = sumOf(affected, othersOf)
  const known = sumOf(affected, ({ tally }) => tally.began.filter((how) => how > 0).length)
  const isMeaningless = other >= known / 2
  const names = listFirst([...new Set(affected.map(({ condition }) => condition.label))])
  const text = `${isMeaningless ? 'Changes mean nothing: ' : ''}${grouped(other)} of ${count(known, 'episode')} under ${names} began in another world than their clean twins, so a change may come from the world. An environment has to begin alike for one task and seed, whatever was played before. Check it with \`shaketable validate\`.`
  return [found('different-worlds', isMeaningless ? 'error' : 'warning', text)]
}

/** What can go wrong in a share of a group's replies, actions or measurements; docs/reports.md names the shares. */
interface Problem {
  readonly kind: Found['kind']
  /** The share, of 1, from which on figures mean nothing, are limited, or are worth a note. */
  readonly from: Readonly<Record<Severity, number>>
  readonly shareOf: (group: Group) => number
  /** What is wrong, of what the shares are, and what to do about it. */
  readonly what: string
  readonly of: string
  readonly advice: string
}

const usual = { error: 0.5, warning: 0.05, note: 0.01 }
const problems: readonly Problem[] = [
  {
    kind: 'replies-empty',
    from: { ...usual, note: Number.MIN_VALUE },
    shareOf: ({ pooled }) => pooled.behaviour.faultsPerAction?.empty ?? 0,
    what: 'replies were empty',
    of: 'replies',
    advice:
      'An empty reply is an action that no environment understands. Check the chat template, and whether the server keeps the answer in a field of its own (`shaketable doctor`); look at a few episodes with `shaketable show`.',
  },
  {
    // Cut off at the limit of tokens, or reasoning that was never closed.
    kind: 'replies-cut',
    from: usual,
    shareOf({ pooled }) {
      const faults = pooled.behaviour.faultsPerAction
      return faults === undefined ? 0 : faults.length + faults['unclosed-reasoning']
    },
    what: 'replies were cut off at the limit of their tokens',
    of: 'replies',
    advice:
      'The action that the model would have chosen is unknown. Play again with a larger --max-tokens, if the model was not running on.',
  },
  {
    kind: 'overflow',
    from: usual,
    shareOf: ({ pooled }) => pooled.outcomes['context-overflow'] / pooled.coverage.valid,
    what: "episodes ended because the conversation did not fit the model's context",
    of: 'episodes',
    advice:
      'They count as failures. Serve the model with a larger context, lower --max-tokens, or choose an --agent with a shorter prompt.',
  },
  {
    kind: 'format-errors',
    from: { ...usual, note: Infinity },
    shareOf: ({ pooled }) => pooled.behaviour.formatErrorsPerAction ?? 0,
    what: 'replies were not of the layout that the agent expects',
    of: 'actions',
    advice:
      'The figures measure the layout as well as the model. Choose the --agent that the model was trained for, and look at a few episodes with `shaketable show`.',
  },
]

/** The groups with a problem, by severity. Where a model's figures mean nothing, smaller shares of it are of no use. */
function noticeShares({ kind, from, shareOf, what, of, advice }: Problem, here: readonly Measured[]): Found[] {
  const all = here.map(({ group }) => ({ group, share: shareOf(group) }))
  const meaningless = new Set(all.filter(({ share }) => share >= from.error).map(({ group }) => group.model))
  return severities.flatMap((severity) => {
    const some = all.filter(
      ({ group, share }) =>
        severities.find((level) => share >= from[level]) === severity &&
        (severity === 'error' || !meaningless.has(group.model)),
    )
    if (some.length === 0) return []
    const models = [...new Set(some.map(({ group }) => group.model))]
    const areOthers = new Set(all.map(({ group }) => group.model)).size > models.length
    const whose = areOthers ? `The figures of ${listFirst(models, 4)}` : 'These figures'
    const problem = `${what} (share of ${of}: ${listShares(some)})`
    const sentence =
      severity === 'error' ? `${whose} mean nothing: ${problem}` : problem[0]!.toUpperCase() + problem.slice(1)
    return [found(kind, severity, `${sentence}. ${advice}`)]
  })
}

function noticeFloor(here: readonly Measured[]): Found[] {
  const clean = here.filter(({ condition }) => condition.clean)
  const some = clean
    .map(({ group }) => ({ group, share: group.pooled.success.mean ?? 1 }))
    .filter(({ share }) => share <= floor)
  if (some.length === 0) return []
  const isAll = some.length === clean.length
  const whose = isAll ? '' : ` of ${listFirst([...new Set(some.map(({ group }) => group.model))], 4)}`
  const text = `This run cannot show robustness${whose}: success without perturbation is close to 0 (${listShares(some)}), so a perturbation cannot lower it further. Compare progress, or play a stronger model or easier tasks.`
  return [found('floor', isAll ? 'error' : 'warning', text)]
}

function noticeLeaks(here: readonly Measured[]): Found[] {
  const leaky = here.map(({ group }) => group).filter(({ pooled }) => (pooled.behaviour.leaks ?? 0) > 0)
  if (leaky.length === 0) return []
  const leaks = sumOf(leaky, ({ pooled }) => pooled.behaviour.leaks!)
  const names = listFirst([...new Set(leaky.map(({ condition }) => condition))])
  const { leaked = [] } = addLeaks(...leaky.map(({ pooled }) => pooled.behaviour.leaked))
  const which = leaked.length === 0 ? '' : ` (${describeLeaks(leaked)})`
  const text = `${count(leaks, 'mention')} of the old wording reached the agent under ${names}${which}; expect none unless the scope of a perturbation leaves parts out. Check the perturbation with \`shaketable validate\`.`
  return [found('leaks', 'warning', text)]
}

/** Shares of models (and agents, where there are several), the highest first: `tuned 5.2 to 12.0 %`. */
function listShares(shares: readonly { readonly group: Group; readonly share: number }[]): string {
  const isOne = new Set(shares.map(({ group }) => group.agent)).size === 1
  const sorted = [...shares].sort((one, other) => other.share - one.share)
  const byName = groupBy(sorted, ({ group }) => (isOne ? group.model : `${group.model} with ${group.agent}`))
  const described = [...byName].map(([name, shares]) => {
    const [high, low] = [shares[0]!, shares.at(-1)!].map(({ share }) => (100 * share).toFixed(1))
    return `${name} ${low === high ? low! : `${low!} to ${high!}`} %`
  })
  return listFirst(described, 4)
}

/** What is known of the server of one model: before the run, and from its episodes. */
function noticeModel(
  { name, server }: Experiment['models'][number],
  { findings, servedAs = name, changes = [] }: Partial<NonNullable<StoredRun['servers']>[number]> = {},
  { temperatures }: Experiment,
  { servedBy = {}, finishes = {}, calls = 0 }: Partial<Use> = {},
  all: readonly Measured[],
): Found[] {
  const find = (finding: string) => findings?.find((candidate) => candidate.name === finding)
  const [listed, greedy, seed] = [find('model listed'), find('temperature 0'), find('seed')?.value]
  const names = Object.entries(servedBy)
  const show = (value: string | number): string => (typeof value === 'number' ? grouped(value) : value)
  const changesOf = (isAccepted: boolean): string =>
    changes
      .filter(({ accepted }) => accepted === isAccepted)
      .flatMap(({ differences }) => differences.map(({ name, was, is }) => `${name} ${show(was)}, then ${show(is)}`))
      .join('; ')
  const [changed, redeployed] = [changesOf(true), changesOf(false)]
  const signed = names[0]?.[0] ?? /; replies are signed '(.+)'$/.exec(listed?.evidence ?? '')?.[1]
  const isOther = findings !== undefined && signed !== undefined && !signed.startsWith(servedAs) && names.length < 2
  const equal = temperatures.filter(
    (temperature, place) => server !== undefined && temperature > 0 && areSeedsEqual(all, place),
  )
  const isLabel = (seed === 'ignored' || seed === 'refused') && equal.length === 0
  const greedyEvidence = server === undefined ? [] : evidenceOnGreedy(greedy, temperatures.indexOf(0), all)
  const reasons = Object.entries(finishes).sort(([, times], [, other]) => other - times)
  const unknown = sumOf(reasons, ([, times]) => times)
  const signatures = names.map(([other, episodes]) => `'${other}' in ${count(episodes, 'episode')}`)
  const ends = reasons.map(([reason, times]) => `'${reason}' ${grouped(times)}`)
  const rules: readonly (readonly [holds: boolean, kind: Found['kind'], severity: Severity, text: string])[] = [
    [
      changed !== '',
      'changed-model',
      'error',
      `the server changed to another model under the same name, which was accepted (--accept-changed-model): ${changed}. Figures of this model mix both. Play it again in another folder.`,
    ],
    [
      names.length > 1,
      'changed-model',
      'error',
      `its replies are signed by ${count(names.length, 'model')}: ${listFirst(signatures, 4)}. Figures of this model mix them. Find out what answered, such as a fallback of a gateway, and play it again in another folder.`,
    ],
    [
      listed?.value === 'no',
      'server',
      'warning',
      `the server does not list a model of this name but answered${listed?.evidence === undefined ? '' : ` (${listed.evidence})`}. The figures may be of another model. Give --model the name that the server lists.`,
    ],
    [
      isOther && listed?.value !== 'no',
      'server',
      'warning',
      `the server signs its replies as '${signed!}'. The figures may be of that model. Check the name, and what the server has loaded.`,
    ],
    [
      greedy?.value === 'refused',
      'server',
      'warning',
      'the server refuses temperature 0, so its figures may be of other temperatures than the requested ones. Give --temperatures that it accepts.',
    ],
    [
      isLabel && temperatures.some((temperature) => temperature > 0),
      'server',
      'warning',
      `the server ${seed === 'ignored' ? 'ignores' : 'refuses'} seeds: each episode is an independent sample, and a repetition gives other figures. Play several seeds, and do not expect identical figures from a repetition.`,
    ],
    [
      greedyEvidence.length > 0,
      'server',
      'warning',
      `temperature 0 is not deterministic (${greedyEvidence.join('; ')}). A repetition gives other figures. Play several seeds at temperature 0 too (--set seedsAtZero=N).`,
    ],
    [
      equal.length > 0,
      'server',
      'warning',
      `at temperature ${listWords(equal.map(String))} all seeds gave the same episodes. The server ignores the temperature or the seed: this is one run, and the spread over seeds means nothing.`,
    ],
    [
      redeployed !== '',
      'server',
      'note',
      `the hosted model was redeployed during the run (${redeployed}). Figures may mix several versions of it; a repetition may differ.`,
    ],
    [
      unknown > 0,
      'server',
      unknown >= usual.warning * calls ? 'warning' : 'note',
      `${grouped(unknown)} of ${count(calls, 'call')} ended for a reason that is not known (${listFirst(ends, 4)}), and may not be whole. Look at them with \`shaketable show\`, and at what the server means by it.`,
    ],
  ]
  return rules.flatMap(([holds, kind, severity, text]) => (holds ? found(kind, severity, `${name}: ${text}`) : []))
}

/**
 * What shows that temperature 0, by its place, is not deterministic: the probe's equal calls had different replies, or
 * episodes differ from those of a condition that changes nothing. The first does not count where no episode differs.
 */
function evidenceOnGreedy(
  finding: { readonly value: unknown; readonly evidence?: string } | undefined,
  place: number,
  all: readonly Measured[],
): string[] {
  if (place < 0) return []
  const clean = all.filter(({ condition }) => condition.clean)
  let [pairs, different] = [0, 0]
  for (const { group, tally } of all.filter(({ condition }) => condition.identity && !condition.clean)) {
    const twin = clean.find((one) => one.group.environment === group.environment && one.group.agent === group.agent)
    if (twin === undefined) continue
    const atZero = tally.shape.seeds * tally.shape.tasks
    for (let slot = place * atZero; slot < (place + 1) * atZero; slot++) {
      if (!isPair(twin.tally, tally, slot)) continue
      pairs++
      if (twin.tally.prints[slot] !== tally.prints[slot]) different++
    }
  }
  const isFound = String(finding?.value).includes('different')
  const isSame = different === 0 && (pairs > 0 || areSeedsEqual(all, place))
  const repeats = `${grouped(different)} of ${count(pairs, 'episode')} differ from a repeat in which nothing changed`
  return [
    ...(isFound && !isSame ? [finding?.evidence ?? String(finding?.value)] : []),
    ...(different === 0 ? [] : [repeats]),
  ]
}

/** Whether there are several seeds at a temperature, by its place, and all of them gave the same episodes. */
function areSeedsEqual(all: readonly Measured[], place: number): boolean {
  const several = all.filter(({ group: { runs, temperatures } }) => {
    const { temperature } = temperatures[place]!
    return runs.filter((run) => run.temperature === temperature && run.valid > 0).length > 1
  })
  return several.length > 0 && several.every(({ tally }) => countDistinct(tally, place) === 1)
}
