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
export interface ConfigJob {
  /** Name of the data set; its files are `NAME.jsonl` and `NAME.yaml`. */
  readonly name: string
  readonly size: TrainingSize
  readonly baseModel: string | undefined
  /** LLaMA-Factory's name of the chat template. */
  readonly template: string | undefined
}

/** Not a valid name of a model, so that a trainer refuses to start with it. */
const placeholder = (what: string): string => `<${what}>`

interface TrainerConfig {
  /** The documentation of the masks, and its version. */
  readonly source: readonly string[]
  readonly start: string
  /** What the trainer does with rows that are too long. */
  readonly long: string
  /** Comments and keys, one a line. */
  readonly lines: (job: ConfigJob) => readonly string[]
}

const model = ({ baseModel }: ConfigJob): string => JSON.stringify(baseModel ?? placeholder('base model'))

/** Keys that LLaMA-Factory and TRL share: those of Transformers. */
const shared = (job: ConfigJob): readonly string[] => [
  `output_dir: ${JSON.stringify(`trained-${job.name}`)}`,
  'per_device_train_batch_size: 1',
  `gradient_accumulation_steps: ${String(recipe.batch)}  # divide by the number of GPUs`,
  `learning_rate: ${recipe.learningRate}`,
  'lr_scheduler_type: cosine',
  'warmup_steps: 0',
  `num_train_epochs: ${String(recipe.epochs)}`,
  'save_strategy: epoch',
  'bf16: true',
]

const configs: Readonly<Record<Exclude<TrainerName, 'sharegpt'>, TrainerConfig>> = {
  'llama-factory': {
    source: [
      'LLaMA-Factory after 0.9.5 (src/llamafactory/data/processor/supervised.py, commit 08e8fbf;',
      'data/README.md, commit 015ff25)',
    ],
    start: 'llamafactory-cli train',
    long: 'LLaMA-Factory keeps their end; the first turns with the instruction are cut',
    lines: (job) => [
      `model_name_or_path: ${model(job)}`,
      'stage: sft',
      'do_train: true',
      'finetuning_type: full',
      `dataset: ${JSON.stringify(job.name)}`,
      'dataset_dir: .',
      "# The name of the model's chat template in LLaMA-Factory. Templates with efficient_eos also learn from the ends of",
      '# masked turns (pull request 10827); reasoning templates drop <think> from them, unless preserve_thinking is set.',
      `template: ${JSON.stringify(job.template ?? placeholder('template'))}`,
      `cutoff_len: ${String(recipe.maxTokens)}`,
      '# Only the last turn of a row is learned from.',
      'mask_history: true',
      ...shared(job),
    ],
  },
  axolotl: {
    source: [
      'axolotl (docs/dataset-formats/conversation.qmd, commit 5035f0f;',
      'src/axolotl/prompt_strategies/chat_template.py, commit 01f6a5c)',
    ],
    start: 'axolotl train',
    long: 'axolotl drops them (excess_length_strategy)',
    lines: (job) => [
      `base_model: ${model(job)}`,
      'datasets:',
      `  - path: ${JSON.stringify(`${job.name}.jsonl`)}`,
      '    ds_type: json',
      '    type: chat_template',
      '    chat_template: tokenizer_default',
      '    field_messages: conversations',
      '    message_property_mappings:',
      '      role: from',
      '      content: value',
      '    # Turns with loss: true are learned from, with the token that ends them. Set eot_tokens where this is not the',
      "    # tokenizer's eos_token.",
      '    message_field_training: loss',
      '    roles_to_train: []',
      '    train_on_eos: turn',
      `sequence_len: ${String(recipe.maxTokens)}`,
      'val_set_size: 0.0',
      `output_dir: ${JSON.stringify(`trained-${job.name}`)}`,
      'micro_batch_size: 1',
      `gradient_accumulation_steps: ${String(recipe.batch)}  # divide by the number of GPUs`,
      'optimizer: adamw_torch_fused',
      `learning_rate: ${recipe.learningRate}`,
      'lr_scheduler: cosine',
      'warmup_steps: 0',
      `num_epochs: ${String(recipe.epochs)}`,
      'saves_per_epoch: 1',
      'bf16: auto',
      'gradient_checkpointing: true',
    ],
  },
  trl: {
    source: [
      'TRL 1.9.2 (its page SFT Trainer, Train on completion only; for the data sets trl/scripts/utils.py,',
      'commit 0167b7d)',
    ],
    start: 'trl sft --config',
    long: 'TRL keeps their beginning; the turn that is learned from is cut',
    lines: (job) => [
      `model_name_or_path: ${model(job)}  # with a chat template; else set chat_template_path`,
      'datasets:',
      '  - path: json',
      `    data_files: ${JSON.stringify(`${job.name}.jsonl`)}`,
      '    columns: [prompt, completion]',
      '# Only the completion is learned from. assistant_only_loss would add the masked turns of the prompt.',
      'completion_only_loss: true',
      `max_length: ${String(recipe.maxTokens)}`,
      ...shared(job),
    ],
  },
}

/** The text of a YAML file with which a trainer starts, its arithmetic in comments; undefined for `sharegpt`. */
export function configFor(trainer: TrainerName, job: ConfigJob): string | undefined {
  if (trainer === 'sharegpt') return undefined
  const { source, start, long, lines } = configs[trainer]
  const { size } = job
  const number = (value: number): string => value.toLocaleString('en')
  const steps = stepsOf(size)
  const perStep = ((recipe.batch * size.trajectories) / size.rows).toFixed(1)
  return [
    `# Start in this folder: ${start} ${job.name}.yaml`,
    `# Written for ${source.join('\n# ')}.`,
    '#',
    `# ${number(size.rows)} rows of ${number(size.trajectories)} trajectories`,
    `# tokens, estimated: ${number(size.tokensRead)} in an epoch, ${timesRead(size)} those of the trajectories`,
    `#   ${number(size.learnedTokens)} are learned from`,
    `# steps at batch ${String(recipe.batch)}: ${number(steps)} in an epoch, ${number(steps * recipe.epochs)} in ${String(recipe.epochs)} epochs`,
    `#   ${String(recipe.batch)} rows are those of ${perStep} trajectories; AgentRefine's batch counts trajectories`,
    `# rows longer than ${number(recipe.maxTokens)} tokens: ${number(size.tooLong)}${size.tooLong === 0 ? '' : `; ${long}`}`,
    "# Learning rate, schedule, batch, length and epochs are AgentRefine's.",
    '',
    ...lines(job),
    '',
  ].join('\n')
}
