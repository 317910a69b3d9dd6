import { ShaketableError } from '../../core/errors.js'
import { commonStart } from './recording.js'
import type { Question } from './exchange.js'
import { readPrompt } from './exchange.js'
import type { Recorded } from './recorded.js'
import type { StoredQuestion } from './recording-lines.js'

/**
 * Explains why a recording has no reply to a question: the differences from the nearest recorded question. It reads the
 * whole file.
 */
export function explainMiss(recorded: Recorded, asked: Question): ShaketableError {
  const nearest = findNearest(recorded, asked)
  const why =
    nearest === undefined
      ? 'it holds no exchange at all'
      : distanceOf(nearest, asked) === 0
        ? 'it holds an earlier reply alone'
        : `the nearest exchange in it differs in ${describe(recorded, nearest, asked)}`
  const lines = recorded.damagedLines
  const some = `${lines.slice(0, 5).join(', ')}${lines.length > 5 ? ` and ${String(lines.length - 5)} more` : ''}`
  const damage =
    lines.length === 0
      ? ''
      : `; ${lines.length === 1 ? `its line ${some} is` : `its lines ${some} are`} damaged, and may have held it`
  return new ShaketableError(
    'bad-input',
    `${recorded.path} has no reply to call ${String(asked.number + 1)} of ${placeOf(asked)}: ${why}${damage}. Replay the experiment that was recorded, or record this one.`,
  )
}

function placeOf({ episode, model, temperature, seed }: Question): string {
  const where = episode === '' ? '' : `${clip(episode, 200)}, `
  return `${where}model ${clip(model, 100)}, temperature ${String(temperature)}, seed ${String(seed)}`
}

function findNearest(recorded: Recorded, asked: Question): StoredQuestion | undefined {
  let nearest: StoredQuestion | undefined
  let smallest = Number.POSITIVE_INFINITY
  for (const question of recorded.questions()) {
    const distance = distanceOf(question, asked)
    if (distance > smallest) continue
    nearest = question
    smallest = distance
  }
  return nearest
}

/** A different model or other messages weigh more than a different number, since they make it another question. */
function distanceOf(was: StoredQuestion, asked: Question): number {
  return (
    (was.model === asked.model ? 0 : 3) +
    (was.messagesHash === asked.messagesHash ? 0 : 2) +
    (was.toolsHash === asked.toolsHash ? 0 : 1) +
    (was.temperature === asked.temperature ? 0 : 1) +
    (was.seed === asked.seed ? 0 : 1) +
    (was.maxTokens === asked.maxTokens ? 0 : 1) +
    (sameList(was.stop, asked.stop) ? 0 : 1) +
    (was.number === asked.number ? 0 : 1) +
    (was.episode === asked.episode ? 0 : 1)
  )
}

function describe(recorded: Recorded, was: StoredQuestion, asked: Question): string {
  const parts: string[] = []
  const compare = (name: string, before: string | number, now: string | number): void => {
    if (before === now) return
    parts.push(`${name} (recorded ${clip(String(before), 200)}, asked ${clip(String(now), 200)})`)
  }
  compare('the model', was.model, asked.model)
  compare('the episode', was.episode, asked.episode)
  compare('the temperature', was.temperature, asked.temperature)
  compare('the seed', was.seed, asked.seed)
  compare('the most tokens of a reply', was.maxTokens, asked.maxTokens)
  compare('the stop strings', JSON.stringify(was.stop), JSON.stringify(asked.stop))
  if (was.toolsHash !== asked.toolsHash) parts.push(`the tools (${compareTools(recorded, was, asked)})`)
  if (was.messagesHash !== asked.messagesHash) parts.push(`the messages (${compareMessages(recorded, was, asked)})`)
  compare('the number of the call', was.number + 1, asked.number + 1)
  return parts.join(' and in ')
}

function compareTools(recorded: Recorded, was: StoredQuestion, asked: Question): string {
  const [before, now] = [promptOf(recorded, was)?.tools, readPrompt(asked.prompt)?.tools]
  return `recorded ${namesOf(before)}, asked ${namesOf(now)}`
}

function namesOf(tools: unknown): string {
  if (!Array.isArray(tools)) return 'unreadable ones'
  const names = tools.map((tool: { readonly name?: unknown } | null) => String(tool?.name))
  return names.length === 0 ? 'none' : clip(names.join(', '), 200)
}

function compareMessages(recorded: Recorded, was: StoredQuestion, asked: Question): string {
  const [before, now] = [promptOf(recorded, was)?.messages, readPrompt(asked.prompt)?.messages]
  if (!Array.isArray(before) || !Array.isArray(now)) return 'those recorded cannot be read'
  const lists = { before: before.map(asMessage), now: now.map(asMessage) }
  const index = lists.now.findIndex((message, place) => message.text !== lists.before[place]?.text)
  if (index === -1) return `recorded ${String(before.length)} messages, asked ${String(now.length)}`
  const [old, current] = [lists.before[index], lists.now[index]!]
  const name = `message ${String(index + 1)} of ${String(now.length)}, ${current.role}`
  if (old === undefined) return `${name}, was not there`
  if (old.role !== current.role) return `${name}, had the role ${old.role}`
  if (old.content === current.content) return `${name}, differs in its calls`
  const at = commonStart(old.content, current.content)
  const around = (text: string): string => JSON.stringify(text.slice(Math.max(0, at - 12), at + 28))
  return `${name}, at character ${String(at + 1)}: recorded ${around(old.content)}, asked ${around(current.content)}`
}

function promptOf(recorded: Recorded, was: StoredQuestion) {
  const prompt = recorded.prompt(was)
  return prompt === undefined ? undefined : readPrompt(prompt)
}

function asMessage(value: unknown): { readonly role: string; readonly content: string; readonly text: string } {
  const { role, content } = (value ?? {}) as { readonly role?: unknown; readonly content?: unknown }
  return { role: clip(String(role), 20), content: String(content), text: JSON.stringify(value) }
}

function sameList(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index])
}

function clip(text: string, max: number): string {
  return text.length > max ? `${text.slice(0, max)}…` : text
}
