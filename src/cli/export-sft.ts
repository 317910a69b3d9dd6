import { basename, resolve } from 'node:path'
import { Command } from 'commander'
import { ShaketableError } from '../core/errors.js'
import type { SftOutcome } from '../data/sft/export-sft.js'
import { exportSft } from '../data/sft/export-sft.js'
import type { SftSetting } from '../data/sft/settings.js'
import { sftSettings } from '../data/sft/settings.js'
import { escapeLine, number, percent, print } from './_lines.js'
import { choice } from './_flags.js'
import { interruptible } from './_signals.js'

interface Options {
  readonly out: string
  readonly setting: SftSetting
  readonly name?: string
  readonly force?: boolean
}

const shownProblems = 10
const settingNames = Object.keys(sftSettings) as SftSetting[]

/** `shaketable export-sft DATA… --out DIR`: training files with a loss flag per turn, registered for LLaMA-Factory. */
export function exportSftCommand(): Command {
  const settings = Object.entries(sftSettings).map(([name, what]) => `  ${name}: ${what}`)
  return new Command('export-sft')
    .description(
      "Writes trajectories as training files in ShareGPT format with a loss flag per turn, as AgentRefine's refinement loss needs, and adds them to LLaMA-Factory's dataset_info.json.",
    )
    .argument('<data...>', 'training data in any known format, or trajectories of a Player and a DM')
    .requiredOption('--out <folder>', 'folder of the training file and dataset_info.json, whose other entries are kept')
    .option(...choice('--setting <name>', 'what is learned from', settingNames, 'refinement'))
    .option('--name <name>', 'name of the data set (default: the first file and the setting)')
    .option('--force', 'replace a training file of that name')
    .addHelpText('after', `\nThe settings:\n${settings.join('\n')}`)
    .action(run)
}

async function run(data: readonly string[], options: Options): Promise<void> {
  const { out, force = false } = options
  const { setting } = options
  const name = readName(options.name ?? `${basename(data[0]!).replace(/\.[^.]*$/, '')}-${setting}`)
  const file = resolve(out, `${name}.jsonl`)
  if (data.some((path) => resolve(path) === file)) {
    throw new ShaketableError('usage', `${file} would overwrite its own input. Give --name another name.`)
  }
  const outcome = await interruptible((signal) => exportSft({ data, folder: out, name, setting, force, signal }))
  if (outcome !== undefined) await print(describe(outcome, name, setting))
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
    ...left.map(([why, count]) => `  left out ${number(count)}: ${escapeLine(why)}`),
    `turns of the assistant: ${number(turns)}; ${number(masked)} are masked (${percent(masked / turns)})`,
    `  in the data: ${number(kinds.right)} right, ${number(kinds.wrong)} wrong, ${number(kinds.correction)} corrections${kinds.ready === 0 ? '' : `, ${number(kinds.ready)} that only acknowledge the task`}`,
    `tokens, estimated: ${number(tokens)}; ${number(learnedTokens)} are learned from (${percent(learnedTokens / tokens)})`,
    ...problems
      .slice(0, shownProblems)
      .map(({ file, line, record, message }) =>
        escapeLine(`${file}: line ${String(line)}, record ${String(record)}: ${message.slice(0, 300)}`),
      ),
    ...(problemCount > shownProblems ? [`and ${number(problemCount - shownProblems)} more problems`] : []),
    `Wrote ${escapeLine(outcome.file)} and the entry '${name}' of ${escapeLine(outcome.info)}`,
  ].join('\n')
}
