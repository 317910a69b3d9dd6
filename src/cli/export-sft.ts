import { basename, resolve } from 'node:path'
import { Command } from 'commander'
import { ShaketableError } from '../core/errors.js'
import type { SftOutcome } from '../training/sft/export-sft.js'
import { exportSft, filesOf } from '../training/sft/export-sft.js'
import type { SftSetting } from '../training/sft/settings.js'
import { sftSettings } from '../training/sft/settings.js'
import { recipe, stepsOf, timesRead } from '../training/sft/trainer-configs.js'
import type { TrainerName } from '../training/sft/trainers.js'
import { trainers } from '../training/sft/trainers.js'
import { escapeLine, number, percent, print } from './_lines.js'
import { choice } from './_flags.js'
import { interruptible } from './_signals.js'

interface Options {
  readonly out: string
  readonly setting: SftSetting
  readonly trainer: TrainerName
  readonly baseModel?: string
  readonly template?: string
  readonly name?: string
  readonly force?: boolean
}

const shownProblems = 10
const settingNames = Object.keys(sftSettings) as SftSetting[]
const trainerNames = Object.keys(trainers) as TrainerName[]

/** `shaketable data export-sft DATA… --out DIR`: training files in which each turn is learned from or masked. */
export function exportSftCommand(): Command {
  const settings = Object.entries(sftSettings).map(([name, what]) => `  ${name}: ${what}`)
  const known = Object.entries(trainers).map(([name, { summary }]) => `  ${name}: ${summary}`)
  return new Command('export-sft')
    .description(
      "Writes trajectories as training files in which turns are learned from or masked, as AgentRefine's refinement loss needs, with a configuration for a trainer.",
    )
    .argument('<data...>', 'training data in any known format, or trajectories of a Player and a DM')
    .requiredOption('--out <folder>', 'folder of the files; other entries of a dataset_info.json in it are kept')
    .option(...choice('--setting <name>', 'what is learned from', settingNames, 'refinement'))
    .option(...choice('--trainer <name>', 'what the files are for', trainerNames, 'sharegpt'))
    .option('--base-model <name>', 'the model to train, for the configuration: a name on the Hub or a path')
    .option('--template <name>', "LLaMA-Factory's name of the model's chat template, such as llama3")
    .option('--name <name>', 'name of the data set (default: the first file and the setting)')
    .option('--force', 'replace files of that name')
    .addHelpText('after', `\nThe settings:\n${settings.join('\n')}\n\nThe trainers:\n${known.join('\n')}`)
    .action(run)
}

async function run(data: readonly string[], options: Options): Promise<void> {
  const { out, setting, trainer, force = false } = options
  const name = readName(options.name ?? `${basename(data[0]!).replace(/\.[^.]*$/, '')}-${setting}`)
  const gaps = readGaps(options)
  const { file, config } = filesOf({ folder: resolve(out), name, trainer })
  const overwritten = data.map((path) => resolve(path)).find((path) => path === file || path === config)
  if (overwritten !== undefined) {
    throw new ShaketableError('usage', `${overwritten} would overwrite its own input. Give --name another name.`)
  }
  const outcome = await interruptible((signal) =>
    exportSft({ data, folder: out, name, setting, trainer, ...gaps, force, signal }),
  )
  if (outcome !== undefined) await print(describe(outcome, options))
}

function readName(given: string): string {
  if (/^[\w][\w.-]{0,99}$/.test(given)) return given
  throw new ShaketableError(
    'usage',
    `--name: expected up to 100 letters, digits, dots, hyphens and underscores, got '${given.slice(0, 120)}'.`,
  )
}

/** What a configuration lacks unless it is given. @throws ShaketableError `usage` */
function readGaps({ trainer, baseModel, template }: Options): Pick<Options, 'baseModel' | 'template'> {
  if (baseModel !== undefined && trainer === 'sharegpt') {
    throw new ShaketableError(
      'usage',
      '--base-model: sharegpt has no configuration. Give --trainer another name, or omit it.',
    )
  }
  if (template !== undefined && trainer !== 'llama-factory') {
    throw new ShaketableError('usage', '--template: only llama-factory has templates by name. Omit it.')
  }
  return {
    ...(baseModel !== undefined && { baseModel: readWords('--base-model', baseModel) }),
    ...(template !== undefined && { template: readWords('--template', template) }),
  }
}

/** Text for a configuration, where trainers expand `$` and braces. @throws ShaketableError `usage` */
function readWords(flag: string, given: string): string {
  if (/^[\p{L}\p{N}._~/\\][\p{L}\p{N} ._~:+@=/\\-]{0,299}$/u.test(given)) return given
  throw new ShaketableError(
    'usage',
    `${flag}: expected up to 300 letters, digits and characters of a path, got '${given.slice(0, 120)}'.`,
  )
}

function describe(outcome: SftOutcome, { setting, trainer, baseModel, template }: Options): string {
  const isOpen = baseModel === undefined || (trainer === 'llama-factory' && template === undefined)
  const { name, rows, turns, masked, kinds, size, problems, problemCount } = outcome
  const left = Object.entries(outcome.leftOut)
  const { file, config, info } = outcome
  return [
    `${name} (${setting}): ${number(size.trajectories)} of ${number(rows)} rows`,
    ...left.map(([why, count]) => `  left out ${number(count)}: ${escapeLine(why)}`),
    `turns of the assistant: ${number(turns)}; ${number(masked)} are masked (${percent(masked / turns)})`,
    `  in the data: ${number(kinds.right)} right, ${number(kinds.wrong)} wrong, ${number(kinds.correction)} corrections${kinds.ready === 0 ? '' : `, ${number(kinds.ready)} that only acknowledge the task`}`,
    `tokens, estimated: ${number(size.tokens)}; ${number(size.learnedTokens)} are learned from (${percent(size.learnedTokens / size.tokens)})`,
    ...(trainer === 'sharegpt'
      ? []
      : [
          `in an epoch: ${number(size.rows)} rows, ${number(size.tokensRead)} tokens (${timesRead(size)} those above); steps at batch ${String(recipe.batch)}: ${number(stepsOf(size))}`,
          `  rows longer than ${number(recipe.maxTokens)} tokens: ${number(size.tooLong)}`,
        ]),
    ...problems
      .slice(0, shownProblems)
      .map(({ file, line, record, message }) =>
        escapeLine(`${file}: line ${String(line)}, record ${String(record)}: ${message.slice(0, 300)}`),
      ),
    ...(problemCount > shownProblems ? [`and ${number(problemCount - shownProblems)} more problems`] : []),
    `Wrote ${escapeLine(file)}`,
    ...(config === undefined
      ? []
      : [`  ${escapeLine(config)}${isOpen ? ': replace what is in <angle brackets>' : ''}`]),
    ...(info === undefined ? [] : [`  the entry '${name}' of ${escapeLine(info)}`]),
    ...(trainer === 'sharegpt' && masked > 0
      ? [
          "LLaMA-Factory's releases ignore the loss and learn from masked turns too: give --trainer llama-factory for it.",
        ]
      : []),
  ].join('\n')
}
