import { figure } from '../../../src/tables/table.js'
import type { Scope } from '../../../src/results/aggregate.js'
import type { Measure, Note } from '../measured.js'
import { measure, ratioCell } from '../measured.js'

/**
 * What an agent did: its actions, how it took the new wording, how it recovered, its replies and trials, and the dose.
 */
export const actingMeasures: readonly Measure<Scope>[] = [
  measure('Episodes', 'Coverage', 'coverage', 'coverage', ({ coverage }) => coverage),
  of('Episodes', 'Steps', 'number', 'steps', ({ perEpisode }) => perEpisode?.steps),
  of('Actions', 'Grounding', 'percent', 'grounding', ({ grounding }) => grounding),
  of('Actions', 'Memorised', 'percent', 'memorised-per-action', ({ memorisedPerAction }) => memorisedPerAction),
  of('Actions', 'Repeats', 'percent', 'repeats-per-action', ({ repeatsPerAction }) => repeatsPerAction),
  of('Actions', 'Format', 'percent', 'format-errors-per-action', ({ formatErrorsPerAction }) => formatErrorsPerAction),
  of('New wording', 'Adapted', 'percent', 'adapted-share', ({ adaptedShare }) => adaptedShare),
  of('New wording', 'At step', 'number', 'steps-to-adapt', ({ stepsToAdapt }) => stepsToAdapt),
  of('Recovered', 'In 1', 'percent', 'recovered-within-1', ({ recovery }) => recovery?.within1),
  of('Recovered', 'In 3', 'percent', 'recovered-within-3', ({ recovery }) => recovery?.within3),
  ...(
    [
      ['Unparsable', 'unparsable'],
      ['Verb', 'unknown-verb'],
      ['Item', 'unknown-item'],
      ['State', 'wrong-state'],
    ] as const
  ).map(([title, kind]) =>
    of('Not understood', title, 'percent', `${kind}-per-action`, ({ invalidPerAction }) => invalidPerAction?.[kind]),
  ),
  of('Failures', 'Read', 'count', 'failures-read', ({ failures }) => failures?.read),
  of('Failures', 'Same', 'percent', 'failures-repeated', ({ failures }) => failures?.repeated),
  of('Failures', 'Any', 'percent', 'failures-recovered', ({ failures }) => failures?.recovered),
  measure('Overhead', 'Steps', 'share', 'steps-overhead', ({ difference }) => ratioCell(difference?.overhead?.steps)),
  measure('Overhead', 'Tokens', 'share', 'tokens-overhead', ({ difference }) =>
    ratioCell(difference?.overhead?.tokens),
  ),
  ...(
    [
      ['Empty', 'empty', 'empty'],
      ['Cut off', 'length', 'length'],
      ['Unclosed', 'unclosed', 'unclosed-reasoning'],
      ['Too long', 'too-long', 'too-long'],
    ] as const
  ).map(([title, metric, fault]) =>
    rare(of('Replies', title, 'percent', `${metric}-per-action`, ({ faultsPerAction }) => faultsPerAction?.[fault])),
  ),
  rare(of('Calls', 'Tokens in', 'number', 'prompt-tokens', ({ perEpisode }) => perEpisode?.promptTokens)),
  rare(of('Calls', 'Tokens out', 'number', 'completion-tokens', ({ perEpisode }) => perEpisode?.completionTokens)),
  of('Trials', 'Taken', 'number', 'trials', ({ ownTrials }) => ownTrials?.taken),
  of('Trials', 'First trial', 'percent', 'first-trial-progress', ({ ownTrials }) => ownTrials?.first),
  of('Trials', 'Last trial', 'percent', 'last-trial-progress', ({ ownTrials }) => ownTrials?.last),
  of('Trials', 'Best trial', 'percent', 'best-trial-progress', ({ ownTrials }) => ownTrials?.best),
  of('Dose', 'Forms', 'number', 'dose-forms', ({ dose }) => dose?.forms),
  of('Dose', 'Said', 'number', 'dose-commands-said', ({ dose }) => dose?.commandsSaid),
  of('Dose', 'Seen', 'number', 'dose-commands-seen', ({ dose }) => dose?.commandsSeen),
  of('Dose', 'Names', 'number', 'dose-names', ({ dose }) => dose?.names),
  of('Dose', 'Characters', 'number', 'dose-characters', ({ dose }) => dose?.characters),
  of('Dose', 'Leaks', 'count', 'leaks', ({ leaks }) => leaks),
]

export const actingNotes: readonly Note[] = [
  'Coverage: measurements / planned episodes; Steps: mean per episode.',
  [
    'Actions',
    'Grounding: mean over episodes of the share of actions understood; Memorised: actions refused for their old wording that the unperturbed ' +
      'environment would have accepted; Repeats: actions repeated right after they were not understood; Format: replies not of the expected ' +
      'layout; the last three in percent of an episode’s actions, mean over episodes.',
  ],
  [
    'New wording',
    'Adapted: episodes with an action understood in the new wording, in percent; At step: median over those of the step of the first such action.',
  ],
  [
    'Recovered',
    'Recovered: of the episodes with an action that was not understood and a step after it, those in which an action was understood within 1 and within 3 steps after the first such action, in percent.',
  ],
  [
    'Not understood',
    'Not understood, in percent of an episode’s actions, mean over episodes: Unparsable: the reply was incomplete or not of the expected layout; Verb: the action begins like no action form; Item: it begins like one, but what follows is not items of the episode; State: a form with items of the episode that was not possible then.',
  ],
  [
    'Failures',
    'Failures: actions that a perturbation let fail and that the agent read, since a step followed, and the share after which the same action, or any, was understood and did not fail within 3 steps, in percent.',
  ],
  [
    'Overhead',
    'Overhead: perturbed over clean in percent, of pairs in which both succeed, with the 95 % interval over tasks by the test of the changes, relative to the largest number of steps or tokens, over all temperatures together.',
  ],
  [
    'Replies',
    'Replies: incomplete ones, in percent of an episode’s actions, mean over episodes; they do not count as format errors. Empty: no text; Cut off: the token limit was ' +
      'reached; Unclosed: the reasoning never ended; Too long: more than is kept of a reply, and cut.',
  ],
  ['Calls', 'Calls, mean per episode: Tokens in and out: as the server counts them.'],
  [
    'Trials',
    'Trials: of agents that may try a task more than once, mean per episode: Taken: trials until one succeeded or none was left; First, Last and Best trial: its progress, in ' +
      'percent. The first is what the agent reaches without further trials.',
  ],
  [
    'Dose',
    'Dose: how much was changed, mean per episode: action forms reworded, accepted actions and shown commands in the new wording, names replaced, ' +
      'characters in changed pieces. Leaks: total mentions of the old wording that the agent was shown.',
  ],
]

type Behaviour = Scope['behaviour']

function of(
  group: string,
  title: string,
  shows: 'number' | 'percent' | 'count',
  metric: string,
  value: (behaviour: Behaviour) => number | undefined,
): Measure<Scope> {
  return measure(group, title, shows, metric, ({ behaviour }) => figure(value(behaviour)))
}

function rare(one: Measure<Scope>): Measure<Scope> {
  return { ...one, isRare: true }
}
