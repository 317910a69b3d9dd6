import type { Conversation } from '../core/agent.js'
import type { Briefing, Example, Layout, LayoutLabels, Note, PromptPart } from '../core/environment.js'
import { promptParts } from '../core/environment.js'
import { textOf } from '../core/text.js'

/**
 * The labels of the lines of a history or a worked example, with what follows a thought, an action or an observation.
 */
export interface Labels {
  readonly thought?: string
  readonly afterThought?: string
  readonly action: string
  /** Text after an action. Default: none. */
  readonly afterAction?: string
  readonly observation: string
  readonly afterObservation?: string
}

/** AgentBoard's labels, and those of thoughts beside them. */
export const agentBoardLabels = { thought: 'Thought: ', action: 'Action: ', observation: 'Observation: ' } as const

/** The labels of an agent by a layout; its own where the layout has none. */
export function labelsOf(layout: Layout | undefined, defaults: Labels): Labels {
  const { labels } = layout ?? {}
  if (labels === undefined) return defaults
  const [[thought, afterThought], [action, afterAction], [observation, afterObservation]] = (
    ['thought', 'action', 'observation'] as const
  ).map((kind) => markUp(labels[kind], labels.markup)) as [Marks, Marks, Marks]
  return { thought, afterThought, action, afterAction, observation, afterObservation }
}

type Marks = readonly [before: string, after: string]

function markUp(word: string, markup: LayoutLabels['markup']): Marks {
  if (markup === 'bold') return [`**${word}:** `, '']
  if (markup === 'brackets') return [`[${word}] `, '']
  return markup === 'tags' ? [`<${word}>`, `</${word}>`] : [`${word}: `, '']
}

/** A line of a history. */
export function layLine(kind: 'action' | 'observation', text: string, labels: Labels): string {
  return kind === 'action'
    ? `${labels.action}${text}${labels.afterAction ?? ''}`
    : `${labels.observation}${text}${labels.afterObservation ?? ''}`
}

/**
 * A reply with the labels of a layout in place of `Thought`, `Action` and `Observation`, as the parsers know them.
 * Words at the beginning of a line count with every spelling that the parsers take for their own.
 * @param anywhere the word for actions counts within a line too, as AgentBoard's parser has it
 */
export function readLabels(reply: string, layout: Layout | undefined, anywhere = false): string {
  const { labels } = layout ?? {}
  if (labels === undefined) return reply
  return (['thought', 'action', 'observation'] as const).reduce((text, kind) => {
    const [before, after] = markUp(labels[kind], labels.markup)
    const canonical = agentBoardLabels[kind].slice(0, -2)
    const shown = new RegExp(`^[ \\t]{0,20}${escaped(before.trimEnd())}`, 'gim')
    const loose = new RegExp(`^([\\s>*#-]{0,20})${escaped(labels[kind])}(?=s?(?: ?\\d{1,4})?[*\\s]{0,4}:)`, 'gim')
    const within = new RegExp(`\\b${escaped(labels[kind])}`, 'gi')
    const whole = anywhere && kind === 'action' ? text.replace(within, canonical) : text
    const read = whole.replace(shown, `${canonical}:`).replace(loose, `$1${canonical}`)
    return after === '' ? read : read.replace(new RegExp(escaped(after), 'gi'), '')
  }, reply)
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}

/** Stop strings of a chat, and a reply with an action, in the labels of a layout; none where it has none. */
export function layReplies(layout: Layout | undefined): Pick<Conversation, 'stop' | 'phrase'> {
  if (layout?.labels === undefined) return {}
  const labels = labelsOf(layout, agentBoardLabels)
  return {
    stop: [`\n${labels.observation.trimEnd()}`],
    phrase(action, thought) {
      const thoughtLine = thought === undefined ? '' : `${labels.thought!}${thought}${labels.afterThought!}\n`
      return thoughtLine + layLine('action', action, labels)
    },
  }
}

/**
 * Everything around the history, the text above it and that below: `''`, or a line break and more. By default as in
 * AgentBoard's VanillaAgent, above it: instruction, worked examples, goal, help commands.
 */
export function layBriefing(
  briefing: Briefing,
  labels: Labels = agentBoardLabels,
  parts: { readonly format?: string; readonly beforeGoal?: string } = {},
) {
  const { instruction, examples, goal, help, memory = [], layout = {} } = briefing
  const { format = '', beforeGoal = '' } = parts
  const named = layout.labels
  const [beforeTask, afterTask] = named === undefined ? ['', ''] : markUp(named.goal, named.markup)
  const texts: Readonly<Record<Exclude<PromptPart, 'history'>, string>> = {
    instruction: [textOf(instruction), format === '' ? '' : `\n${format}\n`].join(''),
    examples: [
      examples.length === 0 ? '' : `\n${named === undefined ? 'Here are examples:' : headingOf(named)}\n`,
      ...examples.map((example) => `${layExample(example, labels)}\n`),
      ...layMemory(memory),
    ].join(''),
    goal:
      named === undefined
        ? `${beforeGoal}You should perform actions to accomplish the goal: ${goal}\n`
        : `${beforeGoal}${beforeTask}${goal}${afterTask}\n`,
    help: help
      .map(
        (command) =>
          `You should use the following commands for help when your action cannot be understood: ${command}\n`,
      )
      .join(''),
  }
  const { order = promptParts } = layout
  const at = order.indexOf('history')
  const lay = (some: readonly PromptPart[]): string =>
    some
      .map((part) => (part === 'history' ? '' : texts[part]))
      .map((text) => (layout.order === undefined || text === '' || text.endsWith('\n') ? text : `${text}\n`))
      .join('')
  const below = lay(order.slice(at + 1)).trimEnd()
  return { above: lay(order.slice(0, at)), below: below === '' ? '' : `\n${below}` }
}

function headingOf({ examples, markup }: LayoutLabels): string {
  return markUp(examples, markup === 'tags' ? 'brackets' : markup)[0].trimEnd()
}

/** The agent's notes on earlier trials, which Reflexion's own prompt has between the examples and the task. */
export function layMemory(memory: readonly Note[]): string[] {
  if (memory.length === 0) return []
  return [
    '\nHere is what you planned after earlier trials at this task:\n',
    ...memory.map(({ trial, text }) => `Trial ${String(trial)}: ${text}\n`),
  ]
}

function layExample({ opening, exchanges, ending = '\n' }: Example, labels: Labels): string {
  const lines = exchanges.flatMap(({ action, observation }) => [
    layLine('action', action, labels),
    layLine('observation', textOf(observation), labels),
  ])
  return [textOf(opening), ...lines].join('\n') + ending
}
