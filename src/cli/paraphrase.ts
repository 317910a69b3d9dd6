import { Command } from 'commander'
import { vocabularyOf } from '../../perturbations/vocabulary/index.js'
import { ShaketableError } from '../core/errors.js'
import { writeWhole } from '../files/write-whole.js'
import type { Paraphrased } from '../training/paraphrase.js'
import { paraphrase } from '../training/paraphrase.js'
import type { WordedPart, WordingsFile } from '../training/wordings-file.js'
import { hashOfWords, wordedParts } from '../training/wordings-file.js'
import { createModel } from '../run/create-model.js'
import { readSettings, settingsFor } from '../run/experiment-flags.js'
import type { SetFlag, PluginFlag } from './_flags.js'
import { addSetFlag, addPluginFlag, matching, readPlugins, refuseExisting, share, usageError, whole } from './_flags.js'
import { escapeLine, number, print, version } from './_lines.js'
import { interruptible } from './_signals.js'

interface Options extends SetFlag, PluginFlag {
  readonly model: string
  readonly baseUrl?: string
  readonly out: string
  readonly env: string
  readonly name: string
  readonly parts: readonly WordedPart[]
  readonly draws: number
  readonly temperature: number
  readonly seed: number
  readonly concurrency: number
  readonly force?: boolean
}

/** Refused wordings that are printed. */
const shownRefused = 10

/** `shaketable paraphrase --model NAME --out FILE`: lets a model write wordings that a perturbation uses. */
export function paraphraseCommand(): Command {
  const command = new Command('paraphrase')
    .description(
      'Asks a model for other wordings of the actions, goals and observations of an environment, and keeps those that have every name, number and slot of the original.',
    )
    .requiredOption('--model <name>', 'the model that writes')
    .requiredOption('--out <file>', 'JSON file of the wordings')
    .option('--base-url <address>', 'an OpenAI-compatible server (default: OPENAI_BASE_URL)')
    .option('--env <name>', 'the environment whose words it replaces', 'household')
    .option(
      ...matching(
        '--name <name>',
        'the perturbations are named after it: NAME-goals',
        /^(?=.{1,40}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/,
        'at most 40 small letters, digits and single dashes',
        'written',
      ),
    )
    .option('--parts <names>', `what is worded: ${wordedParts.join(', ')}`, readParts, wordedParts)
    .option(...whole('--draws <n>', 'wordings of each text', 1, 100, 5))
    .option(...share('--temperature <t>', 'temperature, 0 to 2', { to: 2 }, 1))
    .option(...whole('--seed <n>', 'seed of the first request of each text', 0, 1_000_000_000, 0))
    .option(...whole('--concurrency <n>', 'parallel requests', 1, 256, 8))
    .option('--force', 'replace an existing file')
  return addSetFlag(addPluginFlag(command))
    .addHelpText(
      'after',
      `
Read the wordings before you use them: whether the meaning is the same is not checked.`,
    )
    .action(run)
}

async function run(options: Options): Promise<void> {
  const { out, env, name, parts, draws, temperature, seed, concurrency, force } = options
  refuseExisting(out, force)
  const registry = await readPlugins(options)
  const { model } = createModel({ name: options.model }, options.baseUrl, process.env, undefined, undefined, registry)
  const kind = registry.find('environment', env)
  const environment = await kind.open(settingsFor(env, readSettings(options.set), [env]))
  const isTerminal = process.stderr.isTTY
  const result = await interruptible((signal) =>
    paraphrase(environment, vocabularyOf, model, {
      parts,
      draws,
      temperature,
      seed,
      concurrency,
      signal,
      progress: (done, planned) => {
        if (isTerminal) process.stderr.write(`\r${number(done)} of ${number(planned)} texts`)
      },
    }),
  )
  if (isTerminal) process.stderr.write('\n')
  if (result === undefined) return
  if (Object.keys(result.words).length === 0) {
    const [first] = result.refused
    const why =
      first === undefined ? 'its replies were empty' : `for example '${escapeLine(first.wording)}': ${first.why}`
    throw new ShaketableError(
      'model',
      `None of the wordings of ${options.model} can be used (${why}). Nothing was written. Try a larger model, or a lower --temperature.`,
    )
  }
  const file: WordingsFile = {
    schema: 'shaketable-wordings-1',
    name,
    environment: env,
    draws,
    writer: { model: model.name, settings: model.settings, temperature, seed, version },
    words: result.words,
    hash: hashOfWords(result.words),
  }
  writeWhole(out, `${JSON.stringify(file, undefined, 2)}\n`, 'Give --out another path.')
  await print(describe(result, out, file))
}

/** Reads the names of parts, in their own order. */
function readParts(text: string): readonly WordedPart[] {
  const given = text.split(',')
  const unknown = given.find((part) => !wordedParts.some((one) => one === part))
  if (unknown === undefined) return wordedParts.filter((part) => given.includes(part))
  throw usageError(
    `--parts: expected some of ${wordedParts.join(', ')}, separated by commas, got '${unknown.slice(0, 60)}'.`,
  )
}

function describe({ counts, requests, refused, words }: Paraphrased, out: string, file: WordingsFile): string {
  const ofParts = wordedParts.map((part) => {
    const { texts, complete } = counts[part] ?? { texts: 0, complete: 0 }
    if (words[part] === undefined) return texts > 0 && `${part}: no wording of ${number(texts)} texts can be used`
    return `${file.name}-${part}: ${number(complete)} of ${number(texts)} texts have ${number(file.draws)} wordings`
  })
  const shown = refused.slice(0, shownRefused).map(({ text, wording, why }) => `  ${text} → ${wording}: ${why}`)
  const lines = [
    ...ofParts,
    `${number(requests)} requests; ${number(refused.length)} wordings refused${refused.length === 0 ? '' : ':'}`,
    ...shown,
    refused.length > shownRefused && `  and ${number(refused.length - shownRefused)} more`,
    `wrote ${out}. Read it, then use it with --plugin ${out} --perturb ${file.name}-${Object.keys(words)[0]!}.`,
  ]
  return lines
    .filter((line) => line !== false)
    .map(escapeLine)
    .join('\n')
}
