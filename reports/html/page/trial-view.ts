import type { PackedTrajectory, ShownTrial } from '../packed.js'
import type { Part } from './dom.js'
import { make } from './dom.js'
import { longText } from './long-text.js'
import { faultText, percent } from './step-view.js'

/**
 * What stands above a step, by its place: how the trial before it ended, what was noted then, and that the next one
 * begins. Nothing but at the first step of a trial.
 */
export function trialsAt({ trials = [] }: PackedTrajectory, place: number): Part {
  return trials.map((trial, index) => {
    if (trial.from !== place) return undefined
    const before = trials[index - 1]
    return [before && trialEnd(before, index), make('p', { class: 'trial' }, `Trial ${String(index + 1)}`)]
  })
}

/** What came after the last step: a trial that got nowhere, and what was noted after the last one. */
export function trialsBehind(said: PackedTrajectory): Part {
  const { trials = [], steps } = said
  const last = trials.at(-1)
  if (last === undefined) return undefined
  return [last.from === steps.length && trialsAt(said, steps.length), trialEnd(last, trials.length)]
}

/** Whether a step is the first of a trial. */
export function beginsTrial({ trials = [] }: PackedTrajectory, place: number): boolean {
  return trials.some(({ from }) => from === place)
}

function trialEnd({ outcome, progress, reflection }: ShownTrial, number: number): Part {
  return make(
    'div',
    { class: 'trial-end' },
    make('p', { class: 'facts' }, `Trial ${String(number)} ended: ${outcome}, progress ${percent(progress)}`),
    reflection && [
      make('span', { class: 'label' }, 'reflection'),
      longText(reflection.reply, { class: 'reflection' }),
      reflection.fault !== undefined && make('p', { class: 'facts' }, `no whole reply: ${faultText(reflection.fault)}`),
    ],
  )
}
