import type { PackedTrajectory, ShownStep, ShownTrial } from '../packed.js'
import type { Part } from './dom.js'
import { folded, longText, make, percent, visibleParts } from './dom.js'
import type { WordRun } from './word-difference.js'
import { wordDifference } from './word-difference.js'

/** One step: the action in both wordings, the observation, and remarks. A new trial is announced above it. */
export function stepView(trajectory: PackedTrajectory, at: number): Part {
  const step = trajectory.steps[at]!
  const isFirst = trajectory.trials?.some(({ from }) => from === at)
  const previous = isFirst ? undefined : trajectory.steps[at - 1]
  const gained = step.progress - (previous?.progress ?? 0)
  const view = make(
    'div',
    { class: `step${step.understood === false ? ' refused' : ''}` },
    make('div', { class: 'step-number number' }, at + 1),
    make(
      'div',
      { class: 'step-body' },
      thinking(step),
      wordings(step),
      marks(step, previous),
      observationView(step),
      gained !== 0 && make('div', { class: 'gain' }, `progress ${percent(step.progress)}`),
    ),
  )
  return [trialsAt(trajectory, at), view]
}

/** An observation, with the environment's own wording if it differs. */
export function observationView({ observation, original }: Pick<ShownStep, 'observation' | 'original'>): Part {
  return [
    longText(observation, { class: 'observation' }),
    original !== undefined &&
      make(
        'div',
        { class: 'underneath' },
        make('span', { class: 'label' }, 'original observation'),
        longText(original),
      ),
  ]
}

/** The agent's output other than its action, folded. */
function thinking({ thoughts = [], reasoning = [], reply, toolCalls = [] }: ShownStep): Part {
  const texts = [
    ...thoughts.map((text) => ({ label: 'thought', text })),
    ...reasoning.map((text) => ({ label: 'reasoning', text })),
    ...(reply === undefined || reply === '' ? [] : [{ label: 'reply', text: reply }]),
    ...toolCalls.map((call) => ({ label: 'tool call', text: `${call.name}(${call.arguments})` })),
  ]
  if (texts.length === 0) return undefined
  const labels = [...new Set(texts.map(({ label }) => label))]
  return folded(
    labels.join(', '),
    texts.map(({ label, text }) =>
      make('div', {}, labels.length > 1 && make('span', { class: 'label' }, label), longText(text)),
    ),
  )
}

/**
 * The action in the agent's wording. What the agent said and what the environment received are shown while the pointer
 * is on it, and while it or its step has the focus.
 */
function wordings(step: ShownStep): Part {
  const { action, command } = step
  const [ofAgent, ofEnvironment] = (typeof command === 'string' ? wordDifference(action, command) : undefined) ?? [
    [{ text: action, own: false }],
    [{ text: command ?? action, own: false }],
  ]
  const received =
    command === undefined
      ? 'the same words'
      : command === null
        ? 'nothing: the perturbation refused it'
        : make('span', { class: 'wording' }, markedRuns(ofEnvironment))
  return make(
    'div',
    { class: `said${command === undefined ? '' : ' reworded'}`, tabindex: -1 },
    make('div', { class: 'action', dir: 'auto' }, markedRuns(ofAgent)),
    make(
      'dl',
      { class: 'wordings' },
      make('dt', {}, 'agent said'),
      make('dd', {}, make('span', { class: 'wording' }, markedRuns(ofAgent))),
      make('dt', {}, 'environment received'),
      make('dd', {}, received),
    ),
  )
}

/** Text with the words marked that only it has. */
export function markedRuns(runs: readonly WordRun[]): Part {
  return runs.map(({ text, own }) => (own ? make('mark', {}, visibleParts(text)) : visibleParts(text)))
}

function marks(step: ShownStep, previous: ShownStep | undefined): Part {
  const { command, memorised, understood, failed, formatError, fault, cut } = step
  const repeated = previous?.understood === false && previous.action === step.action
  const remarks: readonly (readonly [kind: string, text: string] | false)[] = [
    memorised === true && ['memorised', 'memorised wording: refused here, understood in the clean twin'],
    memorised !== true &&
      command === null && [
        'refused',
        'refused by the perturbation: an old wording, or an action that it added to the list',
      ],
    memorised !== true && command !== null && understood === false && ['refused', 'not understood'],
    failed === 'before' && ['note', 'failed before it took effect'],
    failed === 'after' && ['note', 'took effect, but its answer was withheld'],
    repeated && ['repeated', 'repeated after it was refused'],
    formatError !== undefined && ['format', `format error: ${formatError}`],
    fault !== undefined && ['format', `incomplete reply: ${faultText(fault)}`],
    cut !== undefined && ['note', `${String(cut)} more of the oldest parts of the history were left out`],
  ]
  const shown = remarks.filter((remark) => remark !== false)
  if (shown.length === 0) return undefined
  return make(
    'ul',
    { class: 'marks' },
    shown.map(([kind, text]) => make('li', { class: kind }, visibleParts(text))),
  )
}

/**
 * Above the first step of a trial: how the trial before it ended, with its reflection, and the number of the new one.
 */
function trialsAt({ trials = [] }: PackedTrajectory, at: number): Part {
  return trials.map((trial, index) => {
    if (trial.from !== at) return undefined
    const before = trials[index - 1]
    return [before && trialEnd(before, index), make('p', { class: 'trial' }, `Trial ${String(index + 1)}`)]
  })
}

/** After the last step: a trial without steps, and the end of the last trial. */
export function endView(trajectory: PackedTrajectory): HTMLElement {
  const { trials = [], steps } = trajectory
  const last = trials.at(-1)
  const isEmpty = last?.from === steps.length
  return make('div', {}, isEmpty && trialsAt(trajectory, steps.length), last && trialEnd(last, trials.length))
}

function trialEnd({ outcome, progress, reflection }: ShownTrial, number: number): Part {
  return make(
    'div',
    { class: 'trial-end' },
    make('p', { class: 'facts' }, `Trial ${String(number)} ended: ${outcome}, progress ${percent(progress)}`),
    reflection && [
      make('span', { class: 'label' }, 'reflection'),
      longText(reflection.reply, { class: 'reflection' }),
      reflection.fault !== undefined &&
        make('p', { class: 'facts' }, `incomplete reply: ${faultText(reflection.fault)}`),
    ],
  )
}

/** Why a reply is incomplete, in words. */
function faultText(fault: string): string {
  if (fault === 'too-long') return 'longer than the maximum that is stored, and cut'
  if (fault === 'length') return 'cut off at the token limit'
  return fault === 'unclosed-reasoning' ? 'reasoning that was never closed' : fault
}
