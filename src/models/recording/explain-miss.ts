import { ShaketableError } from '../../core/errors.js'
import type { Question, StoredQuestion } from './exchange.js'
import { readPrompt } from './exchange.js'
import type { ExchangeFile } from './exchange-file.js'
import { commonStart } from './share-prompts.js'

/** A field of a question: its name, its weight in the distance, its value, and how to describe other prompts. */
type Field = readonly [
  name: string,
  weight: number,
  valueOf: (question: Omit<Question, 'prompt'>) => string | number,
  compare?: (was: Prompt, asked: Prompt) => string,
]

type Prompt = ReturnType<typeof readPrompt>

/** A different model or other messages weigh more than a different number, since they make it another question. */
const fields: readonly Field[] = [
  ['the model', 3, ({ model }) => model],
  ['the episode', 1, ({ episode }) => episode],
  ['the temperature', 1, ({ temperature }) => temperature],
  ['the seed', 1, ({ seed }) => seed],
  ['the most tokens of a reply', 1, ({ maxTokens }) => maxTokens],
  ['the stop strings', 1, ({ stop }) => JSON.stringify(stop)],
  ['the tools', 1, ({ toolsHash }) => toolsHash, compareTools],
  ['the messages', 2, ({ messagesHash }) => messagesHash, compareMessages],
  ['the number of the call', 1, ({ number }) => number + 1],
]

/**
 * Explains why a recording has no reply to a question: the differences from the nearest recorded question. It reads the
 * whole file.
 */
export function explainMiss(file: ExchangeFile, asked: Question): ShaketableError {
  const { nearest, differing } = findNearest(file, asked)
  const why =
    nearest === undefined
      ? 'it holds no exchange at all'
      : differing.length === 0
        ? 'it holds an earlier reply alone'
        : `the nearest exchange in it differs in ${describe(file, nearest, asked, differing)}`
  const lines = file.damagedLines
  const some = `${lines.slice(0, 5).join(', ')}${lines.length > 5 ? ` and ${String(lines.length - 5)} more` : ''}`
  const damage =
    lines.length === 0
      ? ''
      : `; ${lines.length === 1 ? `its line ${some} is` : `its lines ${some} are`} damaged, and may have held it`
  const { episode, model, temperature, seed } = asked
  const place = `${episode === '' ? '' : `${clip(episode, 200)}, `}model ${clip(model, 100)}`
  return new ShaketableError(
    'bad-input',
    `${file.path} has no reply to call ${String(asked.number + 1)} of ${place}, temperature ${String(temperature)}, seed ${String(seed)}: ${why}${damage}. Replay the experiment that was recorded, or record this one.`,
  )
}

function findNearest(file: ExchangeFile, asked: Question) {
  let nearest: StoredQuestion | undefined
  let differing: readonly Field[] = []
  let smallest = Number.POSITIVE_INFINITY
  for (const question of file.questions()) {
    const others = fields.filter(([, , valueOf]) => valueOf(question) !== valueOf(asked))
    const distance = others.reduce((sum, [, weight]) => sum + weight, 0)
    if (distance <= smallest) [nearest, differing, smallest] = [question, others, distance]
  }
  return { nearest, differing }
}

function describe(file: ExchangeFile, was: StoredQuestion, asked: Question, differing: readonly Field[]): string {
  const [before, now] = [readPrompt(file.prompt(was) ?? ''), readPrompt(asked.prompt)]
  const parts = differing.map(([name, , valueOf, compare]) => {
    const values = [was, asked].map((question) => clip(String(valueOf(question)), 200))
    return `${name} (${compare === undefined ? `recorded ${values[0]!}, asked ${values[1]!}` : compare(before, now)})`
  })
  return parts.join(' and in ')
}

function compareTools(before: Prompt, now: Prompt): string {
  const [was, asked] = [before, now].map((prompt) => {
    if (!Array.isArray(prompt?.tools)) return 'unreadable ones'
    const names = prompt.tools.map((tool: { readonly name?: unknown } | null) => String(tool?.name))
    return names.length === 0 ? 'none' : clip(names.join(', '), 200)
  })
  return `recorded ${was!}, asked ${asked!}`
}

function compareMessages(before: Prompt, now: Prompt): string {
  if (!Array.isArray(before?.messages) || !Array.isArray(now?.messages)) return 'those recorded cannot be read'
  const [was, asked] = [before.messages.map(asMessage), now.messages.map(asMessage)]
  const index = asked.findIndex((message, place) => message.text !== was[place]?.text)
  if (index === -1) return `recorded ${String(was.length)} messages, asked ${String(asked.length)}`
  const [old, current] = [was[index], asked[index]!]
  const name = `message ${String(index + 1)} of ${String(asked.length)}, ${current.role}`
  if (old === undefined) return `${name}, was not there`
  if (old.role !== current.role) return `${name}, had the role ${old.role}`
  if (old.content === current.content) return `${name}, differs in its calls`
  const at = commonStart(old.content, current.content)
  const around = (text: string): string => JSON.stringify(text.slice(Math.max(0, at - 12), at + 28))
  return `${name}, at character ${String(at + 1)}: recorded ${around(old.content)}, asked ${around(current.content)}`
}

function asMessage(value: unknown): { readonly role: string; readonly content: string; readonly text: string } {
  const { role, content } = (value ?? {}) as { readonly role?: unknown; readonly content?: unknown }
  return { role: clip(String(role), 20), content: String(content), text: JSON.stringify(value) }
}

function clip(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text
}
