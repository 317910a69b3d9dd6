import { basename, resolve } from 'node:path'
import { exportSft, filesOf } from '../training/sft/export-sft.js'
import { type SftSetting, sftSettings } from '../training/sft/settings.js'
import { type TrainerName, recipe, stepsOf, timesRead, trainers } from '../training/sft/trainers.js'
import { type OptionsOf, choice, makeCommand, matching, required, usageError } from './_flags.js'
import { number, percent, printLines, problemPrinter } from './_lines.js'

/** Text for a configuration, where trainers expand `$` and braces. */
const words = matching(
  /^[\p{L}\p{N}._~/\\][\p{L}\p{N} ._~:+@=/\\-]{0,299}$/u,
  'up to 300 letters, digits and characters of a path',
)
const name = matching(/^[\w][\w.-]{0,99}$/, 'up to 100 letters, digits, dots, hyphens and underscores')

const flags = [
  required('--out <folder>', 'folder of the files; other entries of a dataset_info.json in it are kept'),
  choice('--setting <name>', 'what is learned from', Object.keys(sftSettings) as SftSetting[], 'refinement'),
  choice('--trainer <name>', 'what the files are for', Object.keys(trainers) as TrainerName[], 'sharegpt'),
  ['--base-model <name>', 'the model to train, for the configuration: a name on the Hub or a path', words],
  ['--template <name>', "LLaMA-Factory's name of the model's chat template, such as llama3", words],
  ['--name <name>', 'name of the data set (default: the first file and the setting)', name],
  ['--force', 'replace files of that name'],
] as const

/** `shaketable data export-sft DATA… --out DIR`: training files in which each turn is learned from or masked. */
export function exportSftCommand() {
  const settings = Object.entries(sftSettings).map(([name, what]) => `  ${name}: ${what}`)
  const known = Object.entries(trainers).map(([name, summary]) => `  ${name}: ${summary}`)
  return makeCommand({
    places: [['<data...>', 'training data in any known format, or trajectories of a Player and a DM']],
    flags,
    below: `The settings:\n${settings.join('\n')}\n\nThe trainers:\n${known.join('\n')}`,
    run,
  })
}

async function run(data: readonly string[], options: OptionsOf<typeof flags>): Promise<void> {
  const { out, setting, trainer, baseModel, template, force = false } = options
  const name = options.name ?? `${basename(data[0]!).replace(/\.[^.]*$/, '')}-${setting}`
  if (baseModel !== undefined && trainer === 'sharegpt')
    throw usageError('--base-model: sharegpt has no configuration. Give --trainer another name, or omit it.')
  if (template !== undefined && trainer !== 'llama-factory')
    throw usageError('--template: only llama-factory has templates by name. Omit it.')
  const { file, config, dataSet, info } = filesOf({ folder: out, name, trainer })
  const isWritten = (path: string): boolean => [file, config].some((one) => one !== undefined && resolve(one) === path)
  const overwritten = data.map((path) => resolve(path)).find(isWritten)
  if (overwritten !== undefined)
    throw usageError(`${overwritten} would overwrite its own input. Give --name another name.`)
  const problems = problemPrinter()
  const outcome = exportSft({ ...options, data, folder: out, name, force, problem: problems.print })
  problems.end()
  const isOpen = baseModel === undefined || (trainer === 'llama-factory' && template === undefined)
  const { rows, turns, masked, kinds, size, leftOut } = outcome
  const ready = kinds.ready === 0 ? '' : `, ${number(kinds.ready)} that only acknowledge the task`
  await printLines([
    `${dataSet} (${setting}): ${number(size.trajectories)} of ${number(rows)} rows`,
    ...Object.entries(leftOut).map(([why, count]) => `  left out ${number(count)}: ${why}`),
    `turns of the assistant: ${number(turns)}; ${number(masked)} are masked (${percent(masked / turns)})`,
    `  in the data: ${number(kinds.right)} right, ${number(kinds.wrong)} wrong, ${number(kinds.correction)} corrections${ready}`,
    `tokens, estimated: ${number(size.tokens)}; ${number(size.learnedTokens)} are learned from (${percent(size.learnedTokens / size.tokens)})`,
    trainer !== 'sharegpt' &&
      `in an epoch: ${number(size.rows)} rows, ${number(size.tokensRead)} tokens (${timesRead(size)} those above); steps at batch ${String(recipe.batch)}: ${number(stepsOf(size))}`,
    trainer !== 'sharegpt' && `  rows longer than ${number(recipe.maxTokens)} tokens: ${number(size.tooLong)}`,
    `Wrote ${file}`,
    config !== undefined && `  ${config}${isOpen ? ': replace what is in <angle brackets>' : ''}`,
    info !== undefined && `  the entry '${dataSet}' of ${info}`,
    trainer === 'sharegpt' &&
      masked > 0 &&
      "LLaMA-Factory's releases ignore the loss and learn from masked turns too: give --trainer llama-factory for it.",
  ])
}
