import type { Task } from '../core/environment.js'
import type { Finding } from '../laws/index.js'
import { escapeLine, wrap } from './_lines.js'

/** How to reproduce a failure: the rest of a command line of `shaketable play`. */
interface Replay {
  readonly environment: string
  readonly condition: string
  readonly seed: string
  /** Given options, such as `--set household.data=DIR`. */
  readonly options: readonly string[]
}

/** A failure as text, with a command line that reproduces it. */
export function describeFailure(task: Task, { law, detail, evidence }: Finding, replay: Replay): string {
  const lines = [`${replay.condition}, ${law}, in ${task.id}:`, ...indent(detail ?? 'It fails.')]
  if (evidence === undefined) return lines.join('\n')
  const { before, action, expected, got } = evidence
  if (before.length > 0) lines.push(...indent(`after: ${before.join('; ')}`))
  if (action !== undefined) lines.push(...indent(`said: ${action}`))
  lines.push(
    ...indent(`expected: ${expected}`),
    ...indent(`got: ${got}`),
    `  replay by hand: ${replayLine(task, replay)}`,
  )
  return lines.join('\n')
}

/** A change of text before and after, which a person has to judge. */
export function describeExample(task: Task, { before, expected, got }: NonNullable<Finding['evidence']>): string {
  const after = before.length > 0 ? [`after: ${before.join('; ')}`] : []
  return [`in ${task.id}:`, ...after, `before: ${expected}`, `after the change: ${got}`].flatMap(indent).join('\n')
}

function indent(text: string): string[] {
  return wrap(`  ${escapeLine(text.length > 600 ? `${text.slice(0, 600)}…` : text)}`, 120, '    ')
}

function replayLine(task: Task, replay: Replay): string {
  const words = ['play', replay.environment, '--task', task.id, '--perturb', replay.condition, '--seed', replay.seed]
  return ['shaketable', ...words, ...replay.options].map(quote).join(' ')
}

/** A word quoted for a POSIX shell. */
export function quote(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
