import { z } from 'zod'
import { printForm } from '../../core/form.js'
import { packagedData } from '../../files/packaged.js'
import type { TrainingRow } from '../data-filter.js'
import { findRowFormat, printRow, shareGptRoles } from '../row-formats.js'

/** The trainers that files can be written for. */
export const trainers = {
  sharegpt: 'one row a trajectory with a loss for each turn, for trainers that read it; no configuration',
  'llama-factory': 'one row for each turn that is learned from, its last; configuration with mask_history',
  trl: 'one row for each turn that is learned from, as prompt and completion; configuration with completion_only_loss',
} as const
/** One of {@link trainers}. */
export type TrainerName = keyof typeof trainers

/** Bounds the files that repeat a trajectory for each of its turns. */
const maxLearned = 1000

/**
 * The rows of a trajectory for a trainer, after a setting was applied to it. All but ShareGPT get one for each turn
 * that is learned from, which ends with it; their ids get the number of that turn.
 * @returns the rows, or why it cannot be used, as a sentence without a full stop
 */
export function rowsFor(name: TrainerName, row: TrainingRow): readonly TrainingRow[] | { readonly unusable: string } {
  if (name === 'sharegpt') return [row]
  const learned = row.turns.filter(({ loss }) => loss === true)
  if (learned.some(({ text }) => text.trim() === '')) return { unusable: 'a turn that is learned from is empty' }
  if (learned.length > maxLearned) return { unusable: `more than ${String(maxLearned)} of its turns are learned from` }
  let spoken = 0
  return row.turns.flatMap(({ role, loss }, index): TrainingRow[] => {
    if (role === 'assistant') spoken++
    if (loss !== true) return []
    const { id } = row
    return [{ ...(id !== undefined && { id: `${id}#${String(spoken)}` }), turns: row.turns.slice(0, index + 1) }]
  })
}

/** A row for a trainer, as one line of JSON. */
export function printFor(name: TrainerName, row: TrainingRow): string {
  if (name === 'sharegpt') return printRow(row, findRowFormat('agentinstruct'))
  const named = row.id === undefined ? {} : { id: row.id }
  if (name === 'llama-factory') {
    return JSON.stringify({
      ...named,
      conversations: row.turns.map(({ role, text }) => ({ from: shareGptRoles[role], value: text })),
    })
  }
  const messages = row.turns.map(({ role, text }) => ({ role, content: text }))
  return JSON.stringify({ ...named, prompt: messages.slice(0, -1), completion: messages.slice(-1) })
}

/** AgentRefine's settings of training, of its 7 and 8 billion parameter models. */
export const recipe = { learningRate: '5.0e-6', batch: 64, maxTokens: 8192, epochs: 10 } as const

/** Sizes of an exported file. Tokens are estimated. */
export interface TrainingSize {
  /** Trajectories in it, and the rows that were made of them. */
  readonly trajectories: number
  readonly rows: number
  /** Tokens of the trajectories, each counted once. */
  readonly tokens: number
  /** Tokens of the rows, which are read in each epoch. */
  readonly tokensRead: number
  readonly learnedTokens: number
  /** Rows longer than {@link recipe}'s maximum. */
  readonly tooLong: number
}

/** Steps of an epoch at the recipe's batch size. */
export function stepsOf({ rows }: Pick<TrainingSize, 'rows'>): number {
  return Math.ceil(rows / recipe.batch)
}

/** How many times the tokens of the trajectories are read in an epoch: `3.2 times`. */
export function timesRead({ tokens, tokensRead }: TrainingSize): string {
  return `${(tokensRead / tokens).toFixed(1)} times`
}

const text = z.string().min(1)
const config = z.strictObject({ source: text, start: text, long: text, file: text })
const configs = packagedData('src/training/sft/trainers.yaml', z.strictObject({ 'llama-factory': config, trl: config }))

/** What a configuration is written for. */
interface ConfigJob {
  /** Name of the data set; its files are `NAME.jsonl` and `NAME.yaml`. */
  readonly name: string
  readonly size: TrainingSize
  readonly baseModel: string | undefined
  /** LLaMA-Factory's name of the chat template. */
  readonly template: string | undefined
}

/** The text of a YAML file with which a trainer starts, its arithmetic in comments. */
export function configFor(trainer: Exclude<TrainerName, 'sharegpt'>, job: ConfigJob): string {
  const { source, start, long, file } = configs()[trainer]
  const { name, size, baseModel, template } = job
  const number = (value: number): string => value.toLocaleString('en')
  const steps = stepsOf(size)
  const perStep = ((recipe.batch * size.trajectories) / size.rows).toFixed(1)
  return [
    `# Start in this folder: ${start} ${name}.yaml`,
    `# Written for ${source.replaceAll('\n', '\n# ')}.`,
    '#',
    `# ${number(size.rows)} rows of ${number(size.trajectories)} trajectories`,
    `# tokens, estimated: ${number(size.tokensRead)} in an epoch, ${timesRead(size)} those of the trajectories`,
    `#   ${number(size.learnedTokens)} are learned from`,
    `# steps at batch ${String(recipe.batch)}: ${number(steps)} in an epoch, ${number(steps * recipe.epochs)} in ${String(recipe.epochs)} epochs`,
    `#   ${String(recipe.batch)} rows are those of ${perStep} trajectories; AgentRefine's batch counts trajectories`,
    `# rows longer than ${number(recipe.maxTokens)} tokens: ${number(size.tooLong)}${size.tooLong === 0 ? '' : `; ${long}`}`,
    "# Learning rate, schedule, batch, length and epochs are AgentRefine's.",
    '',
    printForm(file, {
      name,
      // Not a valid name, so that a trainer refuses to start with it.
      model: JSON.stringify(baseModel ?? '<base model>'),
      template: JSON.stringify(template ?? '<template>'),
      learningRate: recipe.learningRate,
      batch: String(recipe.batch),
      maxTokens: String(recipe.maxTokens),
      epochs: String(recipe.epochs),
    }),
  ].join('\n')
}
