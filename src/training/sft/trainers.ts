import type { TrainingRow } from '../data-filter.js'
import { findRowFormat, printRow } from '../row-formats.js'

/** What a trainer is given. */
interface Trainer {
  readonly summary: string
  /** The rows of a trajectory, each ending with an assistant turn. */
  readonly rows: (row: TrainingRow) => Iterable<TrainingRow>
  /** A row as one line of JSON. */
  readonly print: (row: TrainingRow) => string
  /** Whether its data sets are listed in `dataset_info.json`. */
  readonly isListed: boolean
}

const shareGpt = (row: TrainingRow): string => printRow(row, findRowFormat('agentinstruct'))

/**
 * The trainers that files can be written for. Each mask uses a documented feature of the trainer; `trainer-configs.ts`
 * names the version.
 */
export const trainers = {
  sharegpt: {
    summary: 'one row a trajectory with a loss for each turn, for trainers that read it; no configuration',
    rows: (row) => [row],
    print: shareGpt,
    isListed: true,
  },
  'llama-factory': {
    summary: 'one row for each turn that is learned from, its last; configuration with mask_history',
    rows: (row) => learnedPrefixes(row),
    print: ({ id, turns }) =>
      JSON.stringify({
        ...(id !== undefined && { id }),
        conversations: turns.map(({ role, text }) => ({ from: shareGptRoles[role], value: text })),
      }),
    isListed: true,
  },
  axolotl: {
    summary: 'one row a trajectory with a loss for each turn; configuration with message_field_training',
    rows: (row) => [{ ...row, turns: row.turns.slice(0, lastLearned(row) + 1) }],
    print: shareGpt,
    isListed: false,
  },
  trl: {
    summary:
      'one row for each turn that is learned from, as prompt and completion; configuration with completion_only_loss',
    rows: (row) => learnedPrefixes(row),
    print: ({ id, turns }) => {
      const messages = turns.map(({ role, text }) => ({ role, content: text }))
      const given = { prompt: messages.slice(0, -1), completion: messages.slice(-1) }
      return JSON.stringify({ ...(id !== undefined && { id }), ...given })
    },
    isListed: false,
  },
} as const satisfies Readonly<Record<string, Trainer>>
/** One of {@link trainers}. */
export type TrainerName = keyof typeof trainers

const shareGptRoles = { system: 'system', user: 'human', assistant: 'gpt' } as const

const lastLearned = ({ turns }: TrainingRow): number => turns.findLastIndex(({ loss }) => loss === true)

/** The beginnings of a trajectory that end with a turn that is learned from. Ids get the number of that turn. */
function* learnedPrefixes({ id, turns }: TrainingRow): Generator<TrainingRow, void, undefined> {
  let spoken = 0
  for (const [index, { role, loss }] of turns.entries()) {
    if (role === 'assistant') spoken++
    if (loss !== true) continue
    yield { ...(id !== undefined && { id: `${id}#${String(spoken)}` }), turns: turns.slice(0, index + 1) }
  }
}

/** Bounds the files that repeat a trajectory for each of its turns. */
const maxLearned = 1000

/**
 * The rows of a trajectory, after a setting was applied to it, for a trainer.
 * @returns the rows, or why it cannot be used, as a sentence without a full stop
 */
export function rowsFor(
  name: TrainerName,
  row: TrainingRow,
): { readonly row: TrainingRow; readonly rows: Iterable<TrainingRow> } | { readonly unusable: string } {
  const learned = row.turns.filter(({ loss }) => loss === true)
  if (name !== 'sharegpt' && learned.some(({ text }) => text.trim() === '')) {
    return { unusable: 'a turn that is learned from is empty' }
  }
  if (name !== 'sharegpt' && learned.length > maxLearned) {
    return { unusable: `more than ${String(maxLearned)} of its turns are learned from` }
  }
  return { row, rows: trainers[name].rows(row) }
}
