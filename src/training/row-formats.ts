import { ShaketableError, unknownName } from '../core/errors.js'
import type { TrainingRow, TrainingTurn } from './data-filter.js'
import type { Container } from './records.js'
import { isAtif, rowOfAtif } from './read-atif.js'
import { callText, labelsOf, textOf } from './record-texts.js'
import { errorsOf, isObject, readTurn } from './verify/turn.js'

/** The format of a data set's records. */
export interface RowFormat {
  readonly name: string
  readonly summary: string
  readonly source: string
  readonly container: Container
  /** Keys in the order in which they are written. */
  readonly id: 'id' | 'item_id'
  readonly turns: 'conversations' | 'conversation' | 'messages'
  readonly turn: readonly ('from' | 'role' | 'value' | 'content' | 'loss')[]
  /** Its names of the roles. */
  readonly roles: Readonly<Record<TrainingTurn['role'], string>>
  /**
   * Which turns say whether they are learned from. `assistant`: others have null there; `assistant-only`: others have
   * no such key.
   */
  readonly loss: 'every' | 'assistant' | 'assistant-only' | 'none'
}

const people = { system: 'system', user: 'human', assistant: 'gpt' } as const
const chat = { system: 'system', user: 'user', assistant: 'assistant' } as const

const shareGpt = {
  container: 'lines',
  id: 'id',
  turns: 'conversations',
  turn: ['from', 'loss', 'value'],
  roles: people,
  loss: 'assistant',
} as const
const openAi = { container: 'lines', id: 'id', turn: ['role', 'content', 'loss'], roles: chat } as const

/** The formats that can be written. On reading, the format is detected for each record. */
export const rowFormats: readonly RowFormat[] = [
  {
    ...shareGpt,
    name: 'agentinstruct',
    summary: 'id, conversations of from, loss, value; JSON lines',
    source: 'AgentTuning (THUDM), the card of its data set',
  },
  {
    ...openAi,
    name: 'agent-flan',
    summary: 'id, conversation of role, content, loss; JSON lines',
    source: 'Agent-FLAN (InternLM), the card of its data set',
    turns: 'conversation',
    loss: 'every',
  },
  {
    ...shareGpt,
    name: 'agenttraj',
    summary: 'item_id, conversations of from, loss, value; a JSON array',
    source: 'AgentGym, its README and its tutorial on behavioural cloning',
    container: 'array',
    id: 'item_id',
  },
  {
    ...shareGpt,
    name: 'eto',
    summary:
      'id, conversations of from, value, without a loss; a JSON array. AgentBank and ShareGPT are written so too',
    source: 'ETO, the format of its data',
    container: 'array',
    turn: ['from', 'value'],
    loss: 'none',
  },
  {
    ...openAi,
    name: 'messages',
    summary: 'id, messages of role, content, loss; JSON lines',
    source: "OpenAI's chat form; what the columns of AgentRefine's data are called is not documented",
    turns: 'messages',
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
 * Prints a row as one line of JSON. A turn of the assistant without a loss counts as learned from.
 * @throws ShaketableError `usage` for a turn that is not learned from, if the format has no loss
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

/** The keys of turns, ids, roles and texts in records of the known data sets. */
const recordKeys = {
  turns: ['conversations', 'conversation', 'messages'],
  id: ['id', 'item_id'],
  role: ['from', 'role'],
  text: ['value', 'content'],
} as const

/** The names of roles in data sets. The output of a tool is shown to the assistant, like a user's turn. */
const roles: Readonly<Record<string, TrainingTurn['role']>> = {
  human: 'user',
  user: 'user',
  observation: 'user',
  tool: 'user',
  function: 'user',
  gpt: 'assistant',
  assistant: 'assistant',
  agent: 'assistant',
  function_call: 'assistant',
  system: 'system',
  developer: 'system',
}

/**
 * Reads a parsed record of AgentInstruct, Agent-FLAN, AgentTraj, ETO, AgentBank or a similar data set: {conversations,
 * conversation, messages} of {from, role} with {value, content} and an optional loss; or a trajectory of a Player and a
 * DM: its turns, or an object with them; or a trajectory in ATIF. Turns that are null, as in AgentEval, count as no
 * turns.
 * @returns the row, or its problem in a sentence without a full stop
 */
export function rowOf(record: unknown): TrainingRow | { readonly wrong: string } {
  if (Array.isArray(record)) return rowOfTrajectory(record)
  if (!isObject(record)) return { wrong: `expected an object, got ${kindOf(record)}` }
  if (isAtif(record)) return rowOfAtif(record)
  const key = recordKeys.turns.find((one) => Object.hasOwn(record, one))
  if (key === undefined && Array.isArray(record['turns'])) return rowOfTrajectory(record['turns'], idOf(record))
  if (key === undefined) {
    const keys = Object.keys(record)
      .slice(0, 8)
      .map((one) => one.slice(0, 40))
      .join(', ')
    return {
      wrong: `expected 'conversations', 'conversation' or 'messages', got the keys ${keys === '' ? 'of none' : keys}`,
    }
  }
  const list = record[key] ?? []
  if (!Array.isArray(list)) return { wrong: `expected a list under '${key}', got ${kindOf(list)}` }
  const turns: TrainingTurn[] = []
  for (const [index, value] of list.entries()) {
    const turn = turnOf(value)
    if ('wrong' in turn) return { wrong: `turn ${String(index + 1)} of '${key}': ${turn.wrong}` }
    turns.push(turn)
  }
  const labels = labelsOf(record, [...recordKeys.turns, ...recordKeys.id])
  return { ...idOf(record), turns, ...(Object.keys(labels).length > 0 && { labels }) }
}

/** The id of a record under its key. */
export function idOf(record: Readonly<Record<string, unknown>>): { readonly id?: string } {
  const given = recordKeys.id.map((one) => record[one]).find((value) => value !== undefined && value !== null)
  return typeof given === 'string' || typeof given === 'number' ? { id: String(given) } : {}
}

/**
 * Converts a trajectory of a Player and a DM to a training row, as AgentRefine does. Observations of the DM become user
 * turns, thoughts and actions of the Player become assistant turns, and an action is wrong if the DM's next turn
 * signals an error.
 */
function rowOfTrajectory(
  turns: readonly unknown[],
  id: Pick<TrainingRow, 'id'> = {},
): TrainingRow | { readonly wrong: string } {
  const rows: TrainingTurn[] = []
  for (const [index, value] of turns.entries()) {
    const turn = readTurn(value, 'required')
    if ('problem' in turn) return { wrong: `turn ${String(index + 1)}: ${turn.problem}` }
    if (turn.role === 'DM') {
      rows.push({ role: 'user', text: turn.Observation })
      continue
    }
    const thought = turn.Thought === '' ? '' : `Thought: ${turn.Thought}\n`
    const loss = errorsOf(turns[index + 1]).length === 0
    rows.push({ role: 'assistant', text: `${thought}Action: ${turn.Action}`, loss })
  }
  return { ...id, turns: rows }
}

function turnOf(value: unknown): TrainingTurn | { readonly wrong: string } {
  if (!isObject(value)) return { wrong: `expected an object, got ${kindOf(value)}` }
  const named = recordKeys.role.map((one) => value[one]).find((one) => one !== undefined)
  if (typeof named !== 'string') return { wrong: `expected a role under 'from' or 'role', got ${kindOf(named)}` }
  const spelled = named.toLowerCase()
  const role = Object.hasOwn(roles, spelled) ? roles[spelled] : undefined
  if (role === undefined) {
    return { wrong: `expected a role such as human, gpt, user, assistant or system, got '${named.slice(0, 40)}'` }
  }
  const calls = callsOf(value)
  const key = recordKeys.text.find((one) => Object.hasOwn(value, one))
  if (key === undefined && calls.length === 0) return { wrong: `expected text under 'value' or 'content', got nothing` }
  const said = key === undefined ? '' : textOf(value[key])
  if (said === undefined) return { wrong: `expected a string under '${key!}', got ${kindOf(value[key!])}` }
  const text = [said, ...calls].filter((line, index) => index > 0 || line !== '').join('\n')
  const loss = lossOf(value)
  return loss === undefined ? { role, text } : { role, text, loss }
}

/** The calls of functions in a message in OpenAI's form, as text: `take {"obj": "pen 1"}`. */
function callsOf({ tool_calls: many, function_call: single }: Readonly<Record<string, unknown>>): string[] {
  const functions = Array.isArray(many)
    ? many.map((call: unknown) => (isObject(call) ? (call['function'] ?? call) : undefined))
    : [single]
  return functions.filter(isObject).map(({ name, arguments: given }) => callText(name, given))
}

/** Whether a turn is learned from, where it says so. `weight` is OpenAI's, 0 or 1. */
function lossOf({ loss, weight }: Readonly<Record<string, unknown>>): boolean | undefined {
  if (typeof loss === 'boolean') return loss
  return weight === 0 || weight === 1 ? weight === 1 : undefined
}

function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
