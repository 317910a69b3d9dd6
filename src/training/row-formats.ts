import { ShaketableError, unknownName } from '../core/errors.js'
import type { TrainingRow, TrainingTurn } from './data-filter.js'
import { isAtif, rowOfAtif } from './read-atif.js'
import { callText, labelsOf, textOf } from './record-texts.js'
import { isObject } from '../files/json.js'
import { errorsOf, nameOf, readTurn } from './verify/turn.js'

/** The arrangement of records in a file: a JSON array, or one record per line. */
export type Container = 'array' | 'lines'

/** The format of a data set's records. */
export interface RowFormat {
  readonly name: string
  readonly container: Container
  readonly id: 'id' | 'item_id'
  readonly turns: 'conversations' | 'messages'
  print(turn: TrainingTurn): Readonly<Record<string, unknown>>
}

/** The names of roles in ShareGPT's form. */
export const shareGptRoles = { system: 'system', user: 'human', assistant: 'gpt' } as const
/** Turns of others have null in place of the loss. */
const shareGpt = ({ role, text, loss }: TrainingTurn) => ({
  from: shareGptRoles[role],
  loss: loss ?? (role === 'assistant' ? true : null),
  value: text,
})

/** The formats that can be written. On reading, the format is detected for each record. */
export const rowFormats: readonly RowFormat[] = [
  // The card of AgentTuning's data set.
  { name: 'agentinstruct', container: 'lines', id: 'id', turns: 'conversations', print: shareGpt },
  // AgentGym, its README and its tutorial on behavioural cloning.
  { name: 'agenttraj', container: 'array', id: 'item_id', turns: 'conversations', print: shareGpt },
  // OpenAI's chat form, with the loss beside the turns of the assistant.
  {
    name: 'messages',
    container: 'lines',
    id: 'id',
    turns: 'messages',
    print: ({ role, text, loss = true }) => ({ role, content: text, ...(role === 'assistant' && { loss }) }),
  },
]

/** Finds a format by its name. @throws ShaketableError `usage` with the near miss */
export function findRowFormat(name: string): RowFormat {
  const rowFormat = rowFormats.find((format) => format.name === name)
  if (rowFormat !== undefined) return rowFormat
  const names = rowFormats.map((format) => format.name)
  throw new ShaketableError('usage', unknownName('format of training data', name, names))
}

/** Prints a row as one line of JSON. A turn of the assistant without a loss counts as learned from. */
export function printRow({ id, labels = {}, turns }: TrainingRow, format: RowFormat): string {
  const others = Object.entries(labels).filter(([key]) => key !== format.id && key !== format.turns)
  return JSON.stringify({
    ...(id !== undefined && { [format.id]: id }),
    ...Object.fromEntries(others),
    [format.turns]: turns.map(format.print),
  })
}

/** The keys of turns, ids, roles and texts in records of the known data sets. */
const recordKeys = {
  turns: ['conversations', 'conversation', 'messages'],
  id: ['id', 'item_id'],
  role: ['from', 'role'],
  text: ['value', 'content'],
} as const

/** The names of roles in data sets. The output of a tool is shown to the assistant, like a user's turn. */
const roles = new Map<unknown, TrainingTurn['role']>([
  ...['human', 'user', 'observation', 'tool', 'function'].map((name) => [name, 'user'] as const),
  ...['gpt', 'assistant', 'agent', 'function_call'].map((name) => [name, 'assistant'] as const),
  ...['system', 'developer'].map((name) => [name, 'system'] as const),
])

/** A row, or its problem in a sentence without a full stop. */
type ReadRow = TrainingRow | { readonly wrong: string }

/**
 * Reads a parsed record of AgentInstruct, Agent-FLAN, AgentTraj, ETO, AgentBank or a similar data set: {conversations,
 * conversation, messages} of {from, role} with {value, content} and an optional loss; or a trajectory of a Player and a
 * DM: its turns, or an object with them; or a trajectory in ATIF. Turns that are null, as in AgentEval, count as no
 * turns.
 */
export function rowOf(record: unknown): ReadRow {
  if (Array.isArray(record)) return rowOfTrajectory(record)
  if (!isObject(record)) return { wrong: `expected an object, got ${nameOf(record)}` }
  if (isAtif(record)) return rowOfAtif(record)
  const key = recordKeys.turns.find((turn) => Object.hasOwn(record, turn))
  if (key === undefined && Array.isArray(record['turns'])) return rowOfTrajectory(record['turns'], idOf(record))
  if (key === undefined) {
    const keys = Object.keys(record).slice(0, 8).join(', ').slice(0, 200)
    return { wrong: `expected 'conversations', 'conversation' or 'messages', got the keys ${keys || 'of none'}` }
  }
  const list = record[key] ?? []
  if (!Array.isArray(list)) return { wrong: `expected a list under '${key}', got ${nameOf(list)}` }
  const turns = list.map(turnOf)
  const wrong = turns.indexOf(undefined)
  if (wrong !== -1) {
    const expected = "expected a role such as human or gpt under 'from' or 'role', and text under 'value' or 'content'"
    const got = JSON.stringify(list[wrong]).slice(0, 80)
    return { wrong: `turn ${String(wrong + 1)} of '${key}': ${expected}, got ${got}` }
  }
  const labels = labelsOf(record, [...recordKeys.turns, ...recordKeys.id])
  return { ...idOf(record), turns: turns as TrainingTurn[], ...(Object.keys(labels).length > 0 && { labels }) }
}

/** The id of a record under its key. */
export function idOf(record: Readonly<Record<string, unknown>>): { readonly id?: string } {
  const id = recordKeys.id.map((key) => record[key]).find((value) => value !== undefined && value !== null)
  return typeof id === 'string' || typeof id === 'number' ? { id: String(id) } : {}
}

/**
 * Converts a trajectory of a Player and a DM to a training row, as AgentRefine does. Observations of the DM become user
 * turns, thoughts and actions of the Player become assistant turns, and an action is wrong if the DM's next turn
 * signals an error.
 */
function rowOfTrajectory(turns: readonly unknown[], id: Pick<TrainingRow, 'id'> = {}): ReadRow {
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

/** Undefined for what is not a turn with a role and a text. */
function turnOf(value: unknown): TrainingTurn | undefined {
  if (!isObject(value)) return undefined
  const valueOf = (keys: readonly string[]) => keys.map((key) => value[key]).find((field) => field !== undefined)
  const [named, content] = [valueOf(recordKeys.role), valueOf(recordKeys.text)]
  const role = roles.get(typeof named === 'string' ? named.toLowerCase() : named)
  const calls = callsOf(value)
  const prose = content === undefined && calls.length > 0 ? '' : textOf(content)
  if (role === undefined || prose === undefined) return undefined
  const text = [prose, ...calls].filter((line, index) => index > 0 || line !== '').join('\n')
  const loss = lossOf(value)
  return loss === undefined ? { role, text } : { role, text, loss }
}

/** The calls of functions in a message in OpenAI's form, as text: `take {"obj": "pen 1"}`. */
function callsOf({ tool_calls: many, function_call: single }: Readonly<Record<string, unknown>>): string[] {
  const functions = Array.isArray(many)
    ? many.map((call: unknown) => (isObject(call) ? (call['function'] ?? call) : undefined))
    : [single]
  return functions.filter(isObject).map((call) => callText(call['name'], call['arguments']))
}

/** Whether a turn is learned from, where it says so. `weight` is OpenAI's, 0 or 1. */
function lossOf({ loss, weight }: Readonly<Record<string, unknown>>): boolean | undefined {
  if (typeof loss === 'boolean') return loss
  return weight === 0 || weight === 1 ? weight === 1 : undefined
}
