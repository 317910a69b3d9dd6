import { basename, resolve } from 'node:path'
import { Command } from 'commander'
import { ShaketableError, unknownName } from '../core/errors.js'
import type { SftOutcome } from '../data/sft/export-sft.js'
import { exportSft } from '../data/sft/export-sft.js'
import type { SftSetting } from '../data/sft/settings.js'
import { sftSettings } from '../data/sft/settings.js'
import { harmlessLine, number, percent, print } from './_lines.js'
import { interruptible } from './_interruptible.js'

interface Options {
  readonly out: string
  readonly setting: string
  readonly name?: string
  readonly force?: boolean
}

const shownProblems = 10

/**
 * `shaketable export-sft DATA… --out DIR`: training files with a loss flag per turn, and LLaMA-Factory's entry for
 * them.
 */
export function exportSftCommand(): Command {
  const settings = Object.entries(sftSettings).map(([name, what]) => `  ${name}: ${what}`)
  return new Command('export-sft')
    .description(
      "Writes trajectories as training files in ShareGPT form with a loss flag per turn, as AgentRefine's refinement loss demands, and enters them in LLaMA-Factory's dataset_info.json.",
    )
    .argument('<data...>', 'training data of any known format, or trajectories of a Player and a DM')
    .requiredOption('--out <folder>', 'where the training file and dataset_info.json go; other entries of that stay')
    .option('--setting <name>', `what is learned from: ${Object.keys(sftSettings).join(', ')}`, 'refinement')
    .option('--name <name>', 'name of the data set (default: that of the first file and the setting)')
    .option('--force', 'replace a training file of that name')
    .addHelpText(
      'after',
      `\nThe settings:\n${settings.join('\n')}\n\nExample:\n  shaketable export-sft refine.jsonl --out data --setting refinement\n`,
    )
    .action(run)
}

async function run(data: readonly string[], options: Options): Promise<void> {
  const { out, force = false } = options
  const setting = readSetting(options.setting)
  const name = readName(options.name ?? `${basename(data[0]!).replace(/\.[^.]*$/, '')}-${setting}`)
  const file = resolve(out, `${name}.jsonl`)
  if (data.some((path) => resolve(path) === file)) {
    throw new ShaketableError('usage', `${file} would be overwritten by what is made of it. Give --name another name.`)
  }
  const outcome = await interruptible((signal) => exportSft({ data, folder: out, name, setting, force, signal }))
  if (outcome !== undefined) await print(describe(outcome, name, setting))
}

function readSetting(given: string): SftSetting {
  if (Object.hasOwn(sftSettings, given)) return given as SftSetting
  throw new ShaketableError('usage', unknownName('setting', given, Object.keys(sftSettings)))
}

function readName(given: string): string {
  if (/^[\w][\w.-]{0,99}$/.test(given)) return given
  throw new ShaketableError(
    'usage',
    `--name: expected up to 100 letters, digits, dots, hyphens and underscores, got '${given.slice(0, 120)}'.`,
  )
}

function describe(outcome: SftOutcome, name: string, setting: SftSetting): string {
  const { rows, written, turns, masked, kinds, tokens, learnedTokens, problems, problemCount } = outcome
  const left = Object.entries(outcome.leftOut)
  return [
    `${name} (${setting}): ${number(written.records)} of ${number(rows)} rows`,
    ...left.map(([why, count]) => `  left out ${number(count)}: ${harmlessLine(why)}`),
    `turns of the assistant: ${number(turns)}, of which ${number(masked)} are masked (${percent(masked / turns)})`,
    `  as they came: ${number(kinds.right)} right, ${number(kinds.wrong)} wrong, ${number(kinds.correction)} corrections${kinds.ready === 0 ? '' : `, ${number(kinds.ready)} that only say that they are ready`}`,
    `tokens, estimated: ${number(tokens)}, of which ${number(learnedTokens)} are learned from (${percent(learnedTokens / tokens)})`,
    ...problems
      .slice(0, shownProblems)
      .map(({ file, line, record, message }) =>
        harmlessLine(`${file}: line ${String(line)}, record ${String(record)}: ${message.slice(0, 300)}`),
      ),
    ...(problemCount > shownProblems ? [`and ${number(problemCount - shownProblems)} more problems`] : []),
    `Wrote ${harmlessLine(outcome.file)} and the entry '${name}' of ${harmlessLine(outcome.info)}`,
  ].join('\n')
}
