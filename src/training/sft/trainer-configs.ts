import { z } from 'zod'
import { printForm } from '../../core/form.js'
import { packagedData } from '../../files/packaged.js'
import type { TrainerName } from './trainers.js'

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

/** What a configuration is written for. */
interface ConfigJob {
  /** Name of the data set; its files are `NAME.jsonl` and `NAME.yaml`. */
  readonly name: string
  readonly size: TrainingSize
  readonly baseModel: string | undefined
  /** LLaMA-Factory's name of the chat template. */
  readonly template: string | undefined
}

const text = z.string().min(1)
const config = z.strictObject({ source: text, start: text, long: text, file: text })
const configs = packagedData(
  'src/training/sft/trainers.yaml',
  z.strictObject({ 'llama-factory': config, axolotl: config, trl: config }),
)

/** The text of a YAML file with which a trainer starts, its arithmetic in comments; undefined for `sharegpt`. */
export function configFor(trainer: TrainerName, job: ConfigJob): string | undefined {
  if (trainer === 'sharegpt') return undefined
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
