import { type ActionForm, parseTemplate } from '../../src/define.js'
import type { Exchange } from './conversation.js'

/** The part of a conversation above its history. */
export interface Prompt {
  readonly goal: string
  /** The action forms of the instruction (`take {obj} from {recep}`), each with its explanation. */
  readonly forms: readonly ActionForm[]
  /** The actions of the worked examples, each with its observation. */
  readonly examples: readonly Exchange[]
  /** Commands that the prompt recommends for help. */
  readonly help: readonly string[]
}

/** A longer line is no list of actions. */
const maxLine = 2000

/** Reads the text above the history. What is missing stays empty. */
export function readPrompt(head: string): Prompt {
  const label = ['accomplish the goal:', 'Your task is to:'].find((words) => head.includes(words)) ?? ''
  const goalAt = head.lastIndexOf(label) + label.length
  const above = head.slice(0, head.lastIndexOf('\n', goalAt) + 1)
  const examplesAt = above.indexOf('\nHere are examples:')
  const instruction = examplesAt === -1 ? above : above.slice(0, examplesAt)
  return {
    goal: head.slice(goalAt).split('\n', 1)[0]!.trim(),
    forms: instruction.split('\n').flatMap(readForms),
    examples: examplesAt === -1 ? [] : readExamples(above.slice(examplesAt)),
    help: [...head.matchAll(/^You should use the following commands[^:\n]*: (.*)$/gm)].map(([, command]) => command!),
  }
}

/**
 * A line of a list, `- 'go to {recep}': walk to a place`, with or without the quotes; `take <obj>: takes it`; or forms
 * quoted within a sentence.
 */
function readForms(line: string): ActionForm[] {
  if (line.length > maxLine) return []
  const pointed = /^\s+([^:]*<\w+>[^:]*): (.*)$/.exec(line)
  if (pointed !== null) return [{ template: pointed[1]!.replace(/<(\w+)>/g, '{$1}'), meaning: pointed[2]! }]
  const listed = /^\s*(?:[-*•]|\d+[.)])\s+(.*)$/.exec(line)?.[1]
  if (listed === undefined) {
    return [...line.matchAll(/(?<!\w)(['"`])([\w{][^'"`]*)\1/g)]
      .map(([, , template]) => ({ template: template!, meaning: '' }))
      .filter(({ template }) => {
        const { literals, slots } = parseTemplate(template)
        return slots.length > 0 && /[a-z]/i.test(literals.join(''))
      })
  }
  const quoted = /^(['"`])(.+?)\1(?!\w)(.*)$/.exec(listed)
  if (quoted !== null) return [{ template: quoted[2]!, meaning: quoted[3]!.replace(/^\W+/, '') }]
  const [template = '', ...meaning] = listed.split(/(?<=[}\w])(?:: | [-–—] )/)
  return [{ template: template.trim(), meaning: meaning.join(' ') }]
}

function readExamples(text: string): Prompt['examples'] {
  const prompted = text.includes('\n> ')
  const tagged = text.includes('\n<action>')
  const [, ...pieces] = text.split(prompted ? '\n> ' : tagged ? '\n<action>' : '\nAction: ')
  return pieces.flatMap((piece) => {
    const [action = '', ...rest] = piece.split('\n')
    const observation = rest
      .join('\n')
      .replace(/^Observation: /, '')
      .split(/\n(?:Your task|Here is)/, 1)[0]!
    if (prompted && action.startsWith('think:')) return []
    return [{ action: action.replace('</action>', '').trim(), observation: observation.trim() }]
  })
}

const refusals = /nothing happens|not (?:a )?valid|invalid|not understood|don't understand|not recognized/i

/** Whether an observation only reports that the action was not understood. */
export function isRefusal(observation: string): boolean {
  return observation.length <= 200 && refusals.test(observation)
}

/**
 * The commands that an observation lists, such as `Choose an action from these valid actions: look, inventory`; empty
 * where it lists none.
 */
export function listedCommands(observation: string): readonly string[] {
  const list = /actions(?: are)?: (.*)/s.exec(observation)?.[1] ?? ''
  return list
    .split(', ')
    .map((command) => command.replace(/(?<![\s.])[\s.]+$/, ''))
    .filter((command) => command !== '')
}
