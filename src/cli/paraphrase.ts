import { vocabularyOf } from '../../perturbations/vocabulary/index.js'
import { ShaketableError } from '../core/errors.js'
import { writeWhole } from '../files/write-whole.js'
import { createModel } from '../run/create-model.js'
import { readSettings, settingsFor } from '../run/experiment-flags.js'
import { paraphrase } from '../training/paraphrase.js'
import type { WordedPart, WordingsFile } from '../training/wordings-file.js'
import { hashOfWords, wordedParts } from '../training/wordings-file.js'
import type { OptionsOf } from './_flags.js'
import {
  environmentFlags,
  makeCommand,
  matching,
  readPlugins,
  refuseExisting,
  required,
  share,
  usageError,
  whole,
} from './_flags.js'
import { escapeLine, number, print, showCount, textOf, version } from './_lines.js'
import { interruptible } from './_signals.js'

/** Refused wordings that are printed. */
const shownRefused = 10

const flags = [
  required('--model <name>', 'the model that writes'),
  required('--out <file>', 'JSON file of the wordings'),
  ['--base-url <address>', 'an OpenAI-compatible server (default: OPENAI_BASE_URL)'],
  ['--env <name>', 'the environment whose words it replaces', undefined, 'household'],
  matching(
    '--name <name>',
    'the perturbations are named after it: NAME-goals',
    /^(?=.{1,40}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/,
    'at most 40 small letters, digits and single dashes',
    'written',
  ),
  ['--parts <names>', `what is worded: ${wordedParts.join(', ')}`, readParts, wordedParts],
  whole('--draws <n>', 'wordings of each text', 1, 100, 5),
  share('--temperature <t>', 'temperature, 0 to 2', { to: 2 }, 1),
  whole('--seed <n>', 'seed of the first request of each text', 0, 1_000_000_000, 0),
  whole('--concurrency <n>', 'parallel requests', 1, 256, 8),
  ['--force', 'replace an existing file'],
  ...environmentFlags,
] as const

/** `shaketable paraphrase --model NAME --out FILE`: lets a model write wordings that a perturbation uses. */
export const paraphraseCommand = () =>
  makeCommand(
    'paraphrase',
    'Asks a model for other wordings of the actions, goals and observations of an environment, and keeps those that have every name, number and slot of the original.',
    { flags, below: 'Read the wordings before you use them: whether the meaning is the same is not checked.', run },
  )

async function run(options: OptionsOf<typeof flags>): Promise<void> {
  const { out, env, name, parts, draws, temperature, seed, concurrency, force } = options
  refuseExisting(out, force)
  const registry = await readPlugins(options)
  const { model } = createModel({ name: options.model }, options.baseUrl, process.env, undefined, undefined, registry)
  const kind = registry.find('environment', env)
  const environment = await kind.open(settingsFor(env, readSettings(options.set), [env]))
  const progress = showCount('texts')
  const playing = { parts, draws, temperature, seed, concurrency, progress }
  const result = await interruptible((signal) => paraphrase(environment, vocabularyOf, model, { ...playing, signal }))
  progress.end()
  if (result === undefined) return
  const { counts, requests, refused, words } = result
  if (Object.keys(words).length === 0) {
    const [first] = refused
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
    words,
    hash: hashOfWords(words),
  }
  writeWhole(out, `${JSON.stringify(file, undefined, 2)}\n`, 'Give --out another path.')
  const lines = [
    ...wordedParts.map((part) => {
      const { texts, complete } = counts[part] ?? { texts: 0, complete: 0 }
      if (words[part] === undefined) return texts > 0 && `${part}: no wording of ${number(texts)} texts can be used`
      return `${name}-${part}: ${number(complete)} of ${number(texts)} texts have ${number(draws)} wordings`
    }),
    `${number(requests)} requests; ${number(refused.length)} wordings refused${refused.length === 0 ? '' : ':'}`,
    ...refused.slice(0, shownRefused).map(({ text, wording, why }) => `  ${text} → ${wording}: ${why}`),
    refused.length > shownRefused && `  and ${number(refused.length - shownRefused)} more`,
    `wrote ${out}. Read it, then use it with --plugin ${out} --perturb ${name}-${Object.keys(words)[0]!}.`,
  ]
  await print(textOf(lines))
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
