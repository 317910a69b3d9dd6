import { ShaketableError, unknownName } from '../../core/errors.js'
import type { TrainingRow, TrainingTurn } from '../../core/training.js'
import type { Container } from './container.js'

/** How a data set writes its records. */
export interface RowFormat {
  readonly name: string
  readonly summary: string
  readonly source: string
  readonly container: Container
  /** Keys in the order in which they are written. */
  readonly id: 'id' | 'item_id'
  readonly turns: 'conversations' | 'conversation' | 'messages'
  readonly turn: readonly ('from' | 'role' | 'value' | 'content' | 'loss')[]
  /** What its roles are called. */
  readonly roles: Readonly<Record<TrainingTurn['role'], string>>
  /**
   * Which turns say whether they are learned from. `assistant`: others have null there; `assistant-only`: others have
   * no such key.
   */
  readonly loss: 'every' | 'assistant' | 'assistant-only' | 'none'
}

const people = { system: 'system', user: 'human', assistant: 'gpt' } as const
const chat = { system: 'system', user: 'user', assistant: 'assistant' } as const

/** The formats that can be written. All of them, and mixtures, are read without being named. */
export const rowFormats: readonly RowFormat[] = [
  {
    name: 'agentinstruct',
    summary: 'id, conversations of from, loss, value; JSON lines',
    source: 'AgentTuning (THUDM), the card of its data set',
    container: 'lines',
    id: 'id',
    turns: 'conversations',
    turn: ['from', 'loss', 'value'],
    roles: people,
    loss: 'assistant',
  },
  {
    name: 'agent-flan',
    summary: 'id, conversation of role, content, loss; JSON lines',
    source: 'Agent-FLAN (InternLM), the card of its data set',
    container: 'lines',
    id: 'id',
    turns: 'conversation',
    turn: ['role', 'content', 'loss'],
    roles: chat,
    loss: 'every',
  },
  {
    name: 'agenttraj',
    summary: 'item_id, conversations of from, loss, value; a JSON array',
    source: 'AgentGym, its README and its tutorial on behavioural cloning',
    container: 'array',
    id: 'item_id',
    turns: 'conversations',
    turn: ['from', 'loss', 'value'],
    roles: people,
    loss: 'assistant',
  },
  {
    name: 'eto',
    summary:
      'id, conversations of from, value, without a loss; a JSON array. AgentBank and ShareGPT are written so too',
    source: 'ETO, the format of its data',
    container: 'array',
    id: 'id',
    turns: 'conversations',
    turn: ['from', 'value'],
    roles: people,
    loss: 'none',
  },
  {
    name: 'messages',
    summary: 'id, messages of role, content, loss; JSON lines',
    source: "OpenAI's chat form; what the columns of AgentRefine's data are called is not documented",
    container: 'lines',
    id: 'id',
    turns: 'messages',
    turn: ['role', 'content', 'loss'],
    roles: chat,
    loss: 'assistant-only',
  },
]

/** Finds a format by its name. @throws ShaketableError `usage` with the near miss */
export function findRowFormat(name: string): RowFormat {
  const found = rowFormats.find((format) => format.name === name)
  if (found !== undefined) return found
  const names = rowFormats.map((format) => format.name)
  throw new ShaketableError('usage', unknownName('format of training data', name, names))
}

/**
 * A row as one line of JSON in a format. A turn of the assistant without a loss counts as learned from.
 * @throws ShaketableError `usage` for a turn that is not learned from, where the format cannot say so
 */
export function printRow(row: TrainingRow, format: RowFormat): string {
  const turns = row.turns.map((turn, index) => {
    if (format.loss === 'none' && turn.role === 'assistant' && turn.loss === false) {
      const which = `turn ${String(index + 1)} of the row '${(row.id ?? '').slice(0, 80)}'`
      throw new ShaketableError(
        'usage',
        `The format '${format.name}' has no loss, but ${which} is not to be learned from. Choose one that has: agentinstruct.`,
      )
    }
    return Object.fromEntries(format.turn.flatMap((key) => printTurn(turn, key, format)))
  })
  const labels = Object.entries(row.labels ?? {}).filter(([key]) => key !== format.id && key !== format.turns)
  return JSON.stringify(
    Object.fromEntries([...(row.id === undefined ? [] : [[format.id, row.id]]), ...labels, [format.turns, turns]]),
  )
}

function printTurn(turn: TrainingTurn, key: RowFormat['turn'][number], format: RowFormat): [string, unknown][] {
  if (key === 'from' || key === 'role') return [[key, format.roles[turn.role]]]
  if (key === 'value' || key === 'content') return [[key, turn.text]]
  const loss = turn.loss ?? turn.role === 'assistant'
  if (turn.role === 'assistant' || format.loss === 'every') return [[key, loss]]
  return format.loss === 'assistant-only' ? [] : [[key, turn.loss ?? null]]
}
