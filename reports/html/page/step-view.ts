import type { ShownStep } from '../packed.js'
import type { Part } from './dom.js'
import { make } from './dom.js'
import { folded, longText } from './long-text.js'
import { visibleParts } from './untrusted.js'
import { wordDifference } from './word-difference.js'

/** One step: the action in both wordings, what came back, and what there is to say of it. */
export function stepView(step: ShownStep, previous: ShownStep | undefined, number: number): HTMLElement {
  const gained = step.progress - (previous?.progress ?? 0)
  return make(
    'div',
    { class: `step${step.understood === false ? ' refused' : ''}` },
    make('div', { class: 'step-number number' }, number),
    make(
      'div',
      { class: 'step-body' },
      thinking(step),
      wordings(step),
      marks(step, previous),
      saidView(step.observation, step.original),
      gained !== 0 && make('div', { class: 'gain' }, `progress ${percent(step.progress)}`),
    ),
  )
}

/** What the environment said, with its own wording where that is another. */
export function saidView(observation: string, original: string | undefined): Part {
  return [
    longText(observation, { class: 'observation' }),
    original !== undefined &&
      make('div', { class: 'underneath' }, make('span', { class: 'label' }, 'environment said'), longText(original)),
  ]
}

/** What the agent said beside its action, folded away. */
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

function wordings({ action, command }: ShownStep): Part {
  if (typeof command !== 'string') return make('div', { class: 'action', dir: 'auto' }, visibleParts(action))
  const [said, heard] = wordDifference(action, command) ?? [
    [{ text: action, own: false }],
    [{ text: command, own: false }],
  ]
  const marked = (runs: readonly { readonly text: string; readonly own: boolean }[]): Part =>
    runs.map(({ text, own }) => (own ? make('mark', {}, visibleParts(text)) : visibleParts(text)))
  return [
    make('div', { class: 'action', dir: 'auto' }, marked(said)),
    make(
      'div',
      { class: 'underneath' },
      make('span', { class: 'label' }, 'environment heard'),
      make('div', { class: 'action', dir: 'auto' }, marked(heard)),
    ),
  ]
}

function marks(step: ShownStep, previous: ShownStep | undefined): Part {
  const { command, memorised, understood, failed, formatError, fault, cut } = step
  const repeated = previous?.understood === false && previous.action === step.action
  const told: readonly (readonly [kind: string, text: string] | false)[] = [
    memorised === true && ['memorised', 'memorised wording: refused here, understood in the clean twin'],
    memorised !== true && command === null && ['refused', 'refused: the old wording'],
    memorised !== true && command !== null && understood === false && ['refused', 'not understood'],
    failed === 'before' && ['note', 'failed before it took effect'],
    failed === 'after' && ['note', 'took effect, but its answer was withheld'],
    repeated && ['repeated', 'said again after it was refused'],
    formatError !== undefined && ['format', `format error: ${formatError}`],
    fault !== undefined && ['format', `no whole reply: ${faultText(fault)}`],
    cut !== undefined && ['note', `${String(cut)} more of the oldest parts of the history left out`],
  ]
  const shown = told.filter((mark) => mark !== false)
  if (shown.length === 0) return undefined
  return make(
    'ul',
    { class: 'marks' },
    shown.map(([kind, text]) => make('li', { class: kind }, visibleParts(text))),
  )
}

/** A share in percent. */
export function percent(share: number): string {
  return `${String(Math.round(100 * share))} %`
}

/** Why a reply is not whole, in words. */
export function faultText(fault: string): string {
  if (fault === 'too-long') return 'longer than what is kept of a reply, and cut'
  if (fault === 'length') return 'cut off at the limit of tokens'
  return fault === 'unclosed-reasoning' ? 'reasoning that never ends' : fault
}
