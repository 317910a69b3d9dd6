import type { Aggregate, Scope } from '../../src/results/aggregate.js'
import type { Trials } from '../../src/results/schema.js'
import { tries } from '../../src/results/trials.js'
import { metrics } from '../../src/results/pairs.js'
import { type Cell, figure } from '../../src/tables/table.js'
import { count } from '../../src/tables/words.js'
import { defineTableReport } from './define-report.js'
import { type Measures, estimate, measuredTables, perMetric } from './measured.js'
import { describeScope, groupRows, groupsOn } from './rows.js'

/** What may explain a drop, and how far a score would differ: every measure of a model under a condition. */
export default defineTableReport({
  name: 'behaviour',
  summary:
    'grounding, memorised wording, repeats, recovery, replies, dose, preferred wording, tries (best of N, pass@k), errors over seeds and tasks',
  source:
    'Grounding accuracy: AgentBoard (arXiv 2401.13178). Best of N: AgentRefine (arXiv 2501.01702); pass@k: arXiv 2107.03374; pass^k: tau-bench (arXiv 2406.12045). ' +
    'Errors: two-way analysis of variance over tasks and seeds. Preference: continuations of one prompt compared per token, as in GPT-3 (arXiv 2005.14165); reliance after PIPE (arXiv 2602.01611)',
  tables: (aggregate, detail) =>
    measuredTables<TriedScope>(aggregate, {
      ...{ name: 'behaviour', by: 'measure', title: 'Behaviour', detail, head: 'Condition' },
      rows: groupRows(aggregate, detail, aggregate.groups, (group, scope) => scope.of(group)),
      measures: { ...actingMeasures, ...wordingMeasures, ...tryingMeasures, ...scatterMeasures },
      notesOf: (_, environment) => [
        ...actingNotes,
        ...missingNotes(aggregate, environment),
        ...wordingNotes(aggregate),
        ...tryingNotes(aggregate),
        'SD within T: sample standard deviation (n−1) over the seeds, within a temperature, as in the robustness table; SD of runs: over all runs, every seed at every temperature; SD between T: of the means at each temperature. All in points.',
        'Measures are over all episodes together; they have no standard deviation over seeds.',
        ...describeScope(aggregate, detail),
      ],
    }),
})

/** A scope that is one temperature has its seeds as tries at each task. */
type TriedScope = Scope & { readonly trials?: Trials }

/** The share of an episode's actions that were not understood for a reason. */
const invalid =
  (reason: keyof NonNullable<Scope['behaviour']['invalidPerAction']>) =>
  ({ behaviour }: Scope) =>
    behaviour.invalidPerAction?.[reason]

/** The share of an episode's replies with a fault. */
const fault =
  (name: keyof NonNullable<Scope['behaviour']['faultsPerAction']>) =>
  ({ behaviour }: Scope) =>
    behaviour.faultsPerAction?.[name]

/** A mean over episodes. */
const calls =
  (name: 'promptTokens' | 'completionTokens') =>
  ({ behaviour }: Scope) =>
    behaviour.perEpisode?.[name]

/**
 * What an agent did: its actions, how it took the new wording, how it recovered, its replies and trials, and the dose.
 */
const actingMeasures: Measures<Scope> = {
  Episodes: [
    ['Coverage', 'coverage', 'coverage', ({ coverage }) => coverage],
    ['Steps', 'number', 'steps', ({ behaviour }) => behaviour.perEpisode?.steps],
  ],
  Actions: [
    ['Grounding', 'percent', 'grounding', ({ behaviour }) => behaviour.grounding],
    ['Memorised', 'percent', 'memorised-per-action', ({ behaviour }) => behaviour.memorisedPerAction],
    ['Repeats', 'percent', 'repeats-per-action', ({ behaviour }) => behaviour.repeatsPerAction],
    ['Format', 'percent', 'format-errors-per-action', ({ behaviour }) => behaviour.formatErrorsPerAction],
  ],
  'New wording': [
    ['Adapted', 'percent', 'adapted-share', ({ behaviour }) => behaviour.adaptedShare],
    ['At step', 'number', 'steps-to-adapt', ({ behaviour }) => behaviour.stepsToAdapt],
  ],
  Recovered: [
    ['In 1', 'percent', 'recovered-within-1', ({ behaviour }) => behaviour.recovery?.within1],
    ['In 3', 'percent', 'recovered-within-3', ({ behaviour }) => behaviour.recovery?.within3],
  ],
  'Not understood': [
    ['Unparsable', 'percent', 'unparsable-per-action', invalid('unparsable')],
    ['Verb', 'percent', 'unknown-verb-per-action', invalid('unknown-verb')],
    ['Item', 'percent', 'unknown-item-per-action', invalid('unknown-item')],
    ['State', 'percent', 'wrong-state-per-action', invalid('wrong-state')],
  ],
  Failures: [
    ['Read', 'count', 'failures-read', ({ behaviour }) => behaviour.failures?.read],
    ['Same', 'percent', 'failures-repeated', ({ behaviour }) => behaviour.failures?.repeated],
    ['Any', 'percent', 'failures-recovered', ({ behaviour }) => behaviour.failures?.recovered],
  ],
  Overhead: [
    ['Steps', 'share', 'steps-overhead', ({ difference }) => estimate(difference?.overhead?.steps)],
    ['Tokens', 'share', 'tokens-overhead', ({ difference }) => estimate(difference?.overhead?.tokens)],
  ],
  Replies: [
    ['Empty', 'percent', 'empty-per-action', fault('empty'), { rare: true }],
    ['Cut off', 'percent', 'length-per-action', fault('length'), { rare: true }],
    ['Unclosed', 'percent', 'unclosed-per-action', fault('unclosed-reasoning'), { rare: true }],
    ['Too long', 'percent', 'too-long-per-action', fault('too-long'), { rare: true }],
  ],
  Calls: [
    ['Tokens in', 'number', 'prompt-tokens', calls('promptTokens'), { rare: true }],
    ['Tokens out', 'number', 'completion-tokens', calls('completionTokens'), { rare: true }],
  ],
  Trials: [
    ['Taken', 'number', 'trials', ({ behaviour }) => behaviour.ownTrials?.taken],
    ['First trial', 'percent', 'first-trial-progress', ({ behaviour }) => behaviour.ownTrials?.first],
    ['Last trial', 'percent', 'last-trial-progress', ({ behaviour }) => behaviour.ownTrials?.last],
    ['Best trial', 'percent', 'best-trial-progress', ({ behaviour }) => behaviour.ownTrials?.best],
  ],
  Dose: [
    ['Forms', 'number', 'dose-forms', ({ behaviour }) => behaviour.dose?.forms],
    ['Said', 'number', 'dose-commands-said', ({ behaviour }) => behaviour.dose?.commandsSaid],
    ['Seen', 'number', 'dose-commands-seen', ({ behaviour }) => behaviour.dose?.commandsSeen],
    ['Names', 'number', 'dose-names', ({ behaviour }) => behaviour.dose?.names],
    ['Characters', 'number', 'dose-characters', ({ behaviour }) => behaviour.dose?.characters],
    ['Leaks', 'count', 'leaks', ({ behaviour }) => behaviour.leaks],
  ],
}

const actingNotes = [
  'Coverage: measurements / planned episodes; Steps: mean per episode.',
  'Grounding: mean over episodes of the share of actions understood; Memorised: actions refused for their old wording that the unperturbed ' +
    'environment would have accepted; Repeats: actions repeated right after they were not understood; Format: replies not of the expected ' +
    'layout; the last three in percent of an episode’s actions, mean over episodes.',
  'Adapted: episodes with an action understood in the new wording, in percent; At step: median over those of the step of the first such action.',
  'Recovered: of the episodes with an action that was not understood and a step after it, those in which an action was understood within 1 and within 3 steps after the first such action, in percent.',
  'Not understood, in percent of an episode’s actions, mean over episodes: Unparsable: the reply was incomplete or not of the expected layout; Verb: the action begins like no action form; Item: it begins like one, but what follows is not items of the episode; State: a form with items of the episode that was not possible then.',
  'Failures: actions that a perturbation let fail and that the agent read, since a step followed, and the share after which the same action, or any, was understood and did not fail within 3 steps, in percent.',
  'Overhead: perturbed over clean in percent, of pairs in which both succeed, with the 95 % interval over tasks by the test of the changes, relative to the largest number of steps or tokens, over all temperatures together.',
  'Replies: incomplete ones, in percent of an episode’s actions, mean over episodes; they do not count as format errors. Empty: no text; Cut off: the token limit was ' +
    'reached; Unclosed: the reasoning never ended; Too long: more than is kept of a reply, and cut.',
  'Calls: mean per episode, Tokens in and out as the server counts them.',
  'Trials: of agents that may try a task more than once, mean per episode: Taken: trials until one succeeded or none was left; First, Last and Best trial: its progress, in ' +
    'percent. The first is what the agent reaches without further trials.',
  'Dose: how much was changed, mean per episode: action forms reworded, accepted actions and shown commands in the new wording, names replaced, ' +
    'characters in changed pieces. Leaks: total mentions of the old wording that the agent was shown.',
]

/** Which measures are missing because the environment does not report what they take. */
function missingNotes(aggregate: Aggregate, environment: string): (string | false)[] {
  const behaviours = groupsOn(aggregate, environment).map(({ pooled }) => pooled.behaviour)
  const lacks = (field: 'understood' | 'memorised'): boolean =>
    behaviours.some(({ perEpisode }) => perEpisode !== undefined && perEpisode[field] === undefined)
  const understands = 'The environment does not report which actions it'
  return [
    lacks('understood')
      ? `${understands} understands, so Grounding, Memorised, Repeats, Adapted and At step are left out.`
      : lacks('memorised') && `${understands} would understand unperturbed, so Memorised is left out.`,
    behaviours.every(({ invalidPerAction }) => invalidPerAction === undefined) &&
      'Actions that were not understood are not split by reason: the environment does not report its action forms and items.',
  ]
}

/**
 * Which wording of its actions a model finds likelier (runs with `logprobs: true`), and which of two accepted ones it
 * uses (conditions in mode `alias`). Both are measurable at the floor and the ceiling of success too.
 */
const wordingMeasures: Measures<Scope> = {
  Said: [['Action', 'nats', 'logprob-action', ({ logprobs }) => logprobs?.perActionToken]],
  Wordings: [
    ['Present', 'nats', 'logprob-present', ({ logprobs }) => logprobs?.wordings?.present],
    ['Original', 'nats', 'logprob-original', ({ logprobs }) => logprobs?.wordings?.original],
    ['Difference', 'nats', 'logprob-difference', ({ logprobs }) => estimate(logprobs?.wordings?.difference)],
    ['Preferred', 'share', 'present-preferred', ({ logprobs }) => estimate(logprobs?.wordings?.preferred)],
    ['Differ', 'count', 'steps-with-two-wordings', ({ logprobs }) => logprobs && (logprobs.wordings?.steps ?? 0)],
    ['Scored', 'coverage', 'steps-scored', ({ logprobs }) => (logprobs ? scoredOf(logprobs) : {})],
  ],
  Alias: [
    ['Original first', 'share', 'original-if-original-first', ({ reliance }) => reliance?.originalFirst],
    ['Alias first', 'share', 'original-if-alias-first', ({ reliance }) => reliance?.aliasFirst],
    ['Reliance', 'share', 'interface-reliance', ({ reliance }) => estimate(reliance?.reliance)],
    ['Order bias', 'change', 'order-bias', ({ reliance }) => estimate(reliance?.orderBias)],
    ['Choices', 'count', 'wording-choices', ({ reliance }) => reliance?.choices],
  ],
}

function scoredOf({ wordings }: NonNullable<Scope['logprobs']>): Cell {
  return { valid: wordings?.scored ?? 0, planned: wordings?.asked ?? 0 }
}

function wordingNotes({ models, groups }: Aggregate): (string | false)[] {
  const asked = models.filter(({ settings }) => settings['logprobs'] !== undefined).map(({ name }) => name)
  return [
    'Log-probabilities in nats, mean per token. Action: over the tokens of the actions that the model chose.',
    'Present, Original: of the same action in the wording of the condition and in the original wording of its form, both after the same prompt and the thought before the action; Difference: present minus original, above 0 where the model prefers the present wording; Preferred: steps in which it does, in percent.',
    "Means over tasks of each task's mean over its episodes, in brackets the 95 % interval over tasks. Differ: steps whose action has two wordings; Scored: those with both log-probabilities, of those in which they were requested.",
    groups.every(({ pooled }) => pooled.logprobs?.wordings === undefined) &&
      'Wordings: no condition of this run rewords actions, so there is no wording to prefer.',
    asked.length > 0 &&
      `${asked.join(', ')}: only the first token in which the wordings differ is compared, among the likeliest tokens that came with the reply; steps in which one of the two is not among them are not scored, which leaves out the strongest preferences.`,
    'Alias: two wordings of each action are listed and accepted; which one comes first is counterbalanced over tasks and seeds. Original first, Alias first: share of executed actions in the original wording where it is listed first, and where the other one is, in percent. Reliance: mean of both, 50 without a preference, 100 where only the original wording is used. Order bias: share of actions in the wording listed first minus 50, in points, 50 where it is always taken.',
    'Means over tasks of the mean over their episodes, in brackets the 95 % interval over other tasks. Choices: executed actions whose two wordings differ; those that mix both count half for each.',
  ]
}

/** Several tries at a task: the best of all seeds, and the probability that one or all of k tries succeed. */
const tryingMeasures: Measures<TriedScope> = {
  Tries: [
    ...metrics.map((metric) => triesColumn(`Best ${metric}`, `best-${metric}`, ({ best }) => estimate(best[metric]))),
    ...tries.map((k) => triesColumn(`pass@${String(k)}`, `pass-at-${String(k)}`, ({ passAt }) => figure(passAt[k]))),
    ...tries.map((k) => triesColumn(`pass^${String(k)}`, `pass-hat-${String(k)}`, ({ passHat }) => figure(passHat[k]))),
    ['Fewest', 'count', 'fewest-tries', ({ trials }) => trials?.fewest],
  ],
}

function triesColumn(
  title: string,
  metric: string,
  shareOf: (trials: Trials) => Cell,
): Measures<TriedScope>[string][number] {
  const coveredShare = ({ trials, coverage }: TriedScope): Cell => {
    const share = trials ? shareOf(trials) : {}
    return share.value === undefined ? {} : { ...coverage, ...share }
  }
  return [title, 'percent', metric, coveredShare]
}

function tryingNotes({ seeds, temperatures }: Aggregate): (string | false)[] {
  return [
    `Tries: for each temperature alone; its ${count(seeds.length, 'seed')} are the tries at a task, so there is no standard deviation over them. Best: per task the best of its measurements, success and progress each, then the mean over tasks, in percent; a task with none is left out.`,
    'pass@k: probability that at least one of k tries succeeds, 1 − C(n−c, k)/C(n, k); pass^k: that all k do, C(c, k)/C(n, k); n measurements of a task, c successes; means over tasks, in percent. k is at most the number under Fewest: the fewest measurements of any task.',
    temperatures.includes(0) &&
      'Tries: at temperature 0 some may be copies of one play; copies count once, with no figure where all are copies.',
  ]
}

/** How far runs scatter. */
const scatterMeasures: Measures<Scope> = perMetric<Scope>((metric, title) => ({
  [`${title}: scatter`]: [
    ['SD within T', 'error', `${metric}-deviation-within-temperature`, ({ [metric]: rate }) => rate.deviation],
    ['SD of runs', 'error', `${metric}-deviation-of-runs`, ({ [metric]: rate }) => rate.deviationOfRuns],
    ['SD between T', 'error', `${metric}-deviation-between-temperatures`, (scope) => scope[metric].betweenTemperatures],
  ],
}))
