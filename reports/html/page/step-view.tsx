import type { ComponentChildren, VNode } from 'preact'
import type { ShownStep, ShownTrajectory, ShownTrial } from '../packed.js'
import { visible } from '../visible.js'
import { type WordRun, wordDifference } from './align.js'
import { LongText, percent } from './parts.js'

/** One step: the action in both wordings, the observation, and remarks. A new trial is announced above it. */
export function stepView(trajectory: ShownTrajectory, at: number, address: string): VNode {
  const step = trajectory.steps[at]!
  const isFirst = trajectory.trials?.some(({ from }) => from === at)
  const previous = isFirst ? undefined : trajectory.steps[at - 1]
  return (
    <>
      {trialsAt(trajectory, at)}
      <div class={`step${step.understood === false ? ' refused' : ''}`}>
        <a class="step-number number" href={address} title="Link to this step">
          {at + 1}
        </a>
        <div class="step-body">
          {thinking(step)}
          {wordings(step)}
          {marks(step, previous)}
          {observed(step)}
          {step.progress !== (previous?.progress ?? 0) && <div class="gain">progress {percent(step.progress)}</div>}
        </div>
      </div>
    </>
  )
}

/** An observation, with the environment's own wording if it differs. */
export function observed({ observation, original }: ShownTrajectory['opening']): VNode {
  return (
    <>
      <LongText text={observation} kind="observation" />
      {original !== undefined && (
        <div class="underneath">
          <span class="label">original observation</span>
          <LongText text={original} />
        </div>
      )}
    </>
  )
}

/** The agent's output other than its action, folded. */
function thinking({ thoughts = [], reasoning = [], reply, toolCalls = [] }: ShownStep): VNode | false {
  const texts = [
    ...thoughts.map((text) => ({ label: 'thought', text })),
    ...reasoning.map((text) => ({ label: 'reasoning', text })),
    ...(reply === undefined || reply === '' ? [] : [{ label: 'reply', text: reply }]),
    ...toolCalls.map((call) => ({ label: 'tool call', text: `${call.name}(${call.arguments})` })),
  ]
  const labels = [...new Set(texts.map(({ label }) => label))]
  return (
    texts.length > 0 && (
      <details>
        <summary>{labels.join(', ')}</summary>
        {texts.map(({ label, text }) => (
          <>
            {labels.length > 1 && <span class="label">{label}</span>}
            <LongText text={text} />
          </>
        ))}
      </details>
    )
  )
}

/** The action in the agent's wording, and what the environment received if that differs. */
function wordings({ action, command }: ShownStep): VNode {
  const runs = typeof command === 'string' ? wordDifference(action, command) : undefined
  return (
    <>
      <div class="action" dir="auto">
        {runs === undefined ? visible(action) : markedRuns(runs[0])}
      </div>
      {typeof command === 'string' && (
        <div class="received">
          <span class="label">environment received</span>
          <div class="action" dir="auto">
            {runs === undefined ? visible(command) : markedRuns(runs[1])}
          </div>
        </div>
      )}
    </>
  )
}

/** Text with the words marked that only it has. */
export function markedRuns(runs: readonly WordRun[]): ComponentChildren {
  return runs.map(({ text, own }) => (own ? <mark>{visible(text)}</mark> : visible(text)))
}

function marks(step: ShownStep, previous: ShownStep | undefined): VNode | false {
  const { command, memorised, understood, failed, formatError, fault, cut } = step
  const repeated = previous?.understood === false && previous.action === step.action
  const refused =
    command === null
      ? 'refused by the perturbation: an old wording, or an action that it added to the list'
      : understood === false && 'not understood'
  const remarks: readonly (readonly [kind: string, text: string] | false)[] = [
    memorised === true
      ? ['memorised', 'memorised wording: refused here, understood in the clean twin']
      : refused && ['refused', refused],
    failed === 'before' && ['note', 'failed before it took effect'],
    failed === 'after' && ['note', 'took effect, but its answer was withheld'],
    repeated && ['repeated', 'repeated after it was refused'],
    formatError !== undefined && ['format', `format error: ${formatError}`],
    fault !== undefined && ['format', `incomplete reply: ${faultText(fault)}`],
    cut !== undefined && ['note', `${String(cut)} more of the oldest parts of the history were left out`],
  ]
  const shown = remarks.filter((remark) => remark !== false)
  return (
    shown.length > 0 && (
      <ul class="marks">
        {shown.map(([kind, text]) => (
          <li class={kind}>{visible(text)}</li>
        ))}
      </ul>
    )
  )
}

/**
 * Above the first step of a trial: how the trial before it ended, with its reflection, and the number of the new one.
 */
function trialsAt({ trials = [] }: ShownTrajectory, at: number): ComponentChildren {
  return trials.map(
    (trial, index) =>
      trial.from === at && (
        <>
          {index > 0 && trialEnd(trials[index - 1]!, index)}
          <p class="trial">Trial {index + 1}</p>
        </>
      ),
  )
}

/** After the last step: a trial without steps, and the end of the last trial. */
export function endOf(trajectory: ShownTrajectory): VNode {
  const { trials = [], steps } = trajectory
  const last = trials.at(-1)
  return (
    <div>
      {last?.from === steps.length && trialsAt(trajectory, steps.length)}
      {last && trialEnd(last, trials.length)}
    </div>
  )
}

function trialEnd({ outcome, progress, reflection }: ShownTrial, number: number): VNode {
  return (
    <div class="trial-end">
      <p class="facts">
        Trial {number} ended: {outcome}, progress {percent(progress)}
      </p>
      {reflection && (
        <>
          <span class="label">reflection</span>
          <LongText text={reflection.reply} kind="reflection" />
          {reflection.fault !== undefined && <p class="facts">incomplete reply: {faultText(reflection.fault)}</p>}
        </>
      )}
    </div>
  )
}

/** Why a reply is incomplete, in words. */
function faultText(fault: string): string {
  if (fault === 'too-long') return 'longer than the maximum that is stored, and cut'
  if (fault === 'length') return 'cut off at the token limit'
  return fault === 'unclosed-reasoning' ? 'reasoning that was never closed' : fault
}
