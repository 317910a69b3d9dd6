import type { StoredRun } from 'shaketable'
import { addLeaks, describeLeaks } from 'shaketable'
import type { TableNotice } from '../../src/tables/table.js'
import { count, grouped, listFirst, listWords } from '../../src/tables/words.js'
import { paperTaskOf } from '../published/paper-tasks.js'
import { noticeKinds } from './notice-kinds.js'
import { countDistinct } from './passes.js'
import type { Tallies } from './tally.js'
import type { Experiment, Group } from './schema.js'

/** One of {@link noticeKinds}. */
type NoticeKind = (typeof noticeKinds)[number]

/** A warning on what limits the meaning of the figures. */
export interface Notice extends TableNotice {
  readonly kind: NoticeKind
}

/** Success without perturbation: at this or below, a perturbation can hardly lower it. A share of 1. */
export const floor = 0.05

/** Thresholds of the notices, as shares of 1; docs/reports.md names them. */
const noticeThresholds = {
  /** Of all replies of a group: more ran into the limit of tokens, or are reasoning that was never closed. */
  cutReplies: 0.01,
  /** Of all measurements of a group: more ended because the conversation did not fit the model's context. */
  overflow: 0.01,
  /** Of all actions of a group: more came in replies of another layout than the agent asks for. */
  formatErrors: 0.05,
} as const

/** Every notice on a run, most serious first. */
export function listNotices(
  { plan, published = [], servers = [] }: StoredRun,
  experiment: Experiment,
  groups: readonly Group[],
  columns: readonly { readonly label: string; readonly clean: boolean }[],
  tallies: Tallies,
): Notice[] {
  const isClean = new Set(columns.filter(({ clean }) => clean).map(({ label }) => label))
  return [
    ...noticeCoverage(groups),
    ...plan.environments.flatMap(({ name: environment, data }): Notice[] =>
      data?.leftOut === undefined ? [] : [{ kind: 'coverage', environment, text: data.leftOut.text }],
    ),
    ...experiment.environments.flatMap(({ name: environment }): Notice[] => {
      const here = groups.filter((group) => group.environment === environment && group.pooled.coverage.valid > 0)
      const noticesOf = (kind: NoticeKind, texts: readonly string[]): Notice[] =>
        texts.map((text) => ({ kind, environment, text }))
      return [
        ...noticesOf('replies-cut', describeCutReplies(here, experiment)),
        ...noticesOf('overflow', describeOverflow(here)),
        ...noticesOf('format-errors', describeFormatErrors(here)),
        ...noticesOf('floor', describeFloor(here.filter(({ column }) => isClean.has(column)))),
        ...noticesOf('leaks', describeLeakedWording(here)),
      ]
    }),
    ...noticeChanges(servers),
    ...noticeServers(servers, experiment),
    ...noticeEqualSeeds(groups, experiment, tallies),
    ...noticeGenerated(published, experiment),
  ].sort((one, other) => noticeKinds.indexOf(one.kind) - noticeKinds.indexOf(other.kind))
}

function noticeCoverage(groups: readonly Group[]): Notice[] {
  const valid = sum(groups, ({ pooled }) => pooled.coverage.valid)
  const planned = sum(groups, ({ pooled }) => pooled.coverage.planned)
  if (valid === planned) return []
  const broken = sum(groups, ({ pooled }) => pooled.outcomes['model-error'] + pooled.outcomes['environment-error'])
  const missing = listWords([
    ...(broken > 0 ? [`${grouped(broken)} broke`] : []),
    ...(planned > valid + broken ? [`${grouped(planned - valid - broken)} were not played`] : []),
  ])
  return [
    {
      kind: 'coverage',
      text: `Only ${grouped(valid)} of ${count(planned, 'planned episode')} are measurements: ${missing}. The rest enters no mean. Run the same command again to play the missing episodes.`,
    },
  ]
}

function describeCutReplies(groups: readonly Group[], { maxReplyTokens }: Experiment): string[] {
  const some = above(groups, noticeThresholds.cutReplies, ({ pooled }) => {
    const faults = pooled.behaviour.faultsPerAction
    return faults === undefined ? 0 : faults.length + faults['unclosed-reasoning']
  })
  if (some.length === 0) return []
  return [
    `Replies were cut off at ${count(maxReplyTokens, 'token')}: ${listShares(some)} of all replies. The action that the model would have chosen is unknown. Play again with a larger --max-tokens.`,
  ]
}

function describeOverflow(groups: readonly Group[]): string[] {
  const some = above(
    groups,
    noticeThresholds.overflow,
    ({ pooled }) => pooled.outcomes['context-overflow'] / pooled.coverage.valid,
  )
  if (some.length === 0) return []
  return [
    `Episodes ended because the conversation did not fit the model's context: ${listShares(some)} of all episodes. Their history could not be shortened further, and they count as failures. Serve the model with a larger context, lower --max-tokens, or choose an --agent with a shorter prompt.`,
  ]
}

function describeFormatErrors(groups: readonly Group[]): string[] {
  const some = above(groups, noticeThresholds.formatErrors, ({ pooled }) => pooled.behaviour.formatErrorsPerAction ?? 0)
  if (some.length === 0) return []
  return [
    `Replies were not of the layout that the agent expects: ${listShares(some)} of all actions. The figures measure the layout as well as the model. Choose the --agent that the model was trained for, and look at a few episodes with \`shaketable show\`.`,
  ]
}

function describeFloor(groups: readonly Group[]): string[] {
  const some = groups
    .filter(({ pooled }) => (pooled.success.mean ?? 1) <= floor)
    .map((group) => ({ group, share: group.pooled.success.mean! }))
  if (some.length === 0) return []
  return [
    `Success without perturbation is close to 0: ${listShares(some, false)}. A perturbation cannot lower it further, so changes of success do not measure robustness. Compare progress instead, or play a stronger model or easier tasks.`,
  ]
}

function describeLeakedWording(groups: readonly Group[]): string[] {
  const leaky = groups.filter(({ pooled }) => (pooled.behaviour.leaks ?? 0) > 0)
  if (leaky.length === 0) return []
  const leaks = sum(leaky, ({ pooled }) => pooled.behaviour.leaks!)
  const columns = [...new Set(leaky.map(({ column }) => column))]
  const { leaked = [] } = addLeaks(...leaky.map(({ pooled }) => pooled.behaviour.leaked))
  const which = leaked.length === 0 ? '' : ` (${describeLeaks(leaked)})`
  return [
    `${count(leaks, 'mention')} of the old wording reached the agent under ${listWords(columns)}${which}; expect none unless the scope of a perturbation leaves parts out. Check the perturbation with \`shaketable validate\`.`,
  ]
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
    return [
      ...(accepted === ''
        ? []
        : [
            {
              kind: 'changed-model' as const,
              text: `${model}: the server changed to another model under the same name, which was accepted (--accept-changed-model): ${accepted}. Figures of this model mix both. Play it again in another folder.`,
            },
          ]),
      ...(deployed === ''
        ? []
        : [
            {
              kind: 'server' as const,
              text: `${model}: the hosted model was redeployed during the run (${deployed}). Figures may mix several versions of it; a repetition may differ.`,
            },
          ]),
    ]
  })
}

/** What was found about the servers before the run that affects temperatures and seeds. */
function noticeServers(
  servers: NonNullable<StoredRun['servers']>,
  { models, temperatures, seeds }: Experiment,
): Notice[] {
  const isSampled = temperatures.some((temperature) => temperature > 0)
  return servers.flatMap(({ model, findings }): Notice[] => {
    const find = (name: string) => findings.find((finding) => finding.name === name)
    const valueOf = (name: string): unknown => find(name)?.value
    const listed = find('model listed')
    const notice = (text: string): Notice[] => [{ kind: 'server', text: `${model}: ${text}` }]
    const isPaired = models.some(({ name, settings }) => name === model && settings['pairing'] !== undefined)
    return [
      ...(listed?.value === 'no'
        ? notice(
            `the server does not list a model of this name but answered${listed.evidence === undefined ? '' : ` (${listed.evidence})`}. The figures may be of another model. Give --model the name that the server lists.`,
          )
        : []),
      ...(valueOf('temperature 0') === 'refused'
        ? notice(
            'the server refuses temperature 0, so its figures may be of other temperatures than the requested ones. Give --temperatures that it accepts.',
          )
        : []),
      ...(isSampled && valueOf('seed') === 'honoured' && !isPaired
        ? notice(
            'the server honours seeds, and every call of a seed was sent the same one: all replies of a run begin with the same random number, so tasks are not independent and placebo repeats its clean twin. Above temperature 0 no interval, test or deviation holds. Play it again in another folder, where each call is sent a seed of its own.',
          )
        : []),
      ...(isSampled && seeds.length > 1 && valueOf('seed') === 'accepted'
        ? notice(
            'the server gave one reply at temperature 1 whatever the seed: it ignores the temperature or the seed, so the spread over seeds does not measure sampling. Run `shaketable doctor`.',
          )
        : []),
      ...(isSampled && (valueOf('seed') === 'ignored' || valueOf('seed') === 'refused')
        ? notice(
            `the server ${valueOf('seed') === 'ignored' ? 'ignores' : 'refuses'} seeds: each episode is an independent sample, and a repetition gives other figures. Play several seeds, and do not expect identical figures from a repetition.`,
          )
        : []),
    ]
  })
}

/** A temperature above 0 at which every seed gave the same episode of every task. */
function noticeEqualSeeds(
  groups: readonly Group[],
  { models, temperatures, seeds }: Experiment,
  tallies: Tallies,
): Notice[] {
  if (seeds.length < 2) return []
  return models
    .filter(({ server }) => server !== undefined)
    .flatMap(({ name }) =>
      temperatures.flatMap((temperature, place): Notice[] => {
        if (temperature === 0) return []
        const own = groups.filter(({ model }) => model === name)
        const measured = own
          .map(({ environment, agent, column }) => tallies.find(environment, name, agent, column))
          .filter((tally) => tally.state.includes(2))
        if (measured.length === 0 || measured.some((tally) => countDistinct(tally, place) > 1)) return []
        return [
          {
            kind: 'server',
            text: `${name}: at temperature ${String(temperature)} all ${String(seeds.length)} seeds gave the same episodes. The server ignores the temperature or the seed: this is one run, not ${String(seeds.length)}, and the spread over seeds means nothing.`,
          },
        ]
      }),
    )
}

function noticeGenerated(published: NonNullable<StoredRun['published']>, { environments }: Experiment): Notice[] {
  return environments
    .filter(({ name, kind }) => {
      const known = [name, paperTaskOf(name)?.name]
      return kind === 'generated' && published.some(({ environment }) => known.includes(environment))
    })
    .map(({ name, tasks }) => ({
      kind: 'published',
      environment: name,
      text: `Published rows stand beside other tasks than theirs: the ${count(tasks, 'task')} of ${name} were generated by shaketable. A difference between the rows says nothing of the models. Play the benchmark's own tasks (option data) to compare.`,
    }))
}

interface Share {
  readonly group: Group
  readonly share: number
}

function above(groups: readonly Group[], threshold: number, of: (group: Group) => number): Share[] {
  return groups.map((group) => ({ group, share: of(group) })).filter(({ share }) => share > threshold)
}

/** `household × reader × act × none 12.0 %`, the highest (or lowest) first. */
function listShares(shares: readonly Share[], highestFirst = true): string {
  const sign = highestFirst ? -1 : 1
  const sorted = [...shares].sort((one, other) => sign * (one.share - other.share))
  return listFirst(
    sorted.map(
      ({ group: { environment, model, agent, column }, share }) =>
        `${environment} × ${model} × ${agent} × ${column} ${(100 * share).toFixed(1)} %`,
    ),
    4,
  )
}

function sum<One>(all: readonly One[], of: (one: One) => number): number {
  return all.reduce((total, one) => total + of(one), 0)
}
