import { vocabularyOf } from '../../perturbations/vocabulary/index.js'
import { ShaketableError } from '../core/errors.js'
import { writeWhole } from '../files/write-whole.js'
import { createModel } from '../run/create-model.js'
import { paraphrase } from '../training/paraphrase.js'
import { type WordingsFile, hashOfWords, wordedParts } from '../training/wordings-file.js'
import type { OptionsOf } from './_flags.js'
import * as flag from './_flags.js'
import { escapeLine, number, printLines, showCount, version } from './_lines.js'
import { stopSignal } from './_signals.js'

/** Refused wordings that are printed, parallel requests, and the seed of the first request of each text. */
const [shownRefused, concurrency, seed] = [10, 8, 0]
const name = flag.matching(
  /^(?=.{1,40}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$/,
  'at most 40 small letters, digits and single dashes',
)

const flags = [
  flag.required('--model <name>', 'the model that writes'),
  flag.required('--out <file>', 'JSON file of the wordings'),
  ['--base-url <address>', 'an OpenAI-compatible server (default: OPENAI_BASE_URL)'],
  ['--env <name>', 'the environment whose words it replaces', undefined, 'household'],
  ['--name <name>', 'the perturbations are named after it: NAME-goals', name, 'written'],
  flag.whole('--draws <n>', 'wordings of each text', 1, 100, 5),
  flag.share('--temperature <t>', 'temperature, 0 to 2', 0, 2, 1),
  ['--force', 'replace an existing file'],
  ...flag.environmentFlags,
] as const

/** `shaketable paraphrase --model NAME --out FILE`: lets a model write wordings that a perturbation uses. */
export const paraphraseCommand = () =>
  flag.makeCommand({
    flags,
    below: 'Read the wordings before you use them: whether the meaning is the same is not checked.',
    run,
  })

async function run(options: OptionsOf<typeof flags>): Promise<void> {
  const { out, env, name, draws, temperature } = options
  flag.refuseExisting(out, options.force)
  const registry = await flag.readPlugins(options)
  const { model } = createModel({ name: options.model }, options.baseUrl, process.env, undefined, undefined, registry)
  const environment = await flag.openNamed(registry, env, options)
  const progress = showCount('texts')
  const playing = { parts: wordedParts, draws, temperature, seed, concurrency, progress, signal: stopSignal() }
  const { counts, requests, refused, words } = await paraphrase(environment, vocabularyOf, model, playing).finally(
    progress.end,
  )
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
    ...{ schema: 'shaketable-wordings-1', name, environment: env, draws, words, hash: hashOfWords(words) },
    writer: { model: model.name, settings: model.settings, temperature, seed, version },
  }
  writeWhole(out, `${JSON.stringify(file, undefined, 2)}\n`, 'Give --out another path')
  await printLines([
    ...wordedParts.map((part) => {
      const { texts, complete } = counts[part] ?? { texts: 0, complete: 0 }
      if (words[part] === undefined) return texts > 0 && `${part}: no wording of ${number(texts)} texts can be used`
      return `${name}-${part}: ${number(complete)} of ${number(texts)} texts have ${number(draws)} wordings`
    }),
    `${number(requests)} requests; ${number(refused.length)} wordings refused${refused.length === 0 ? '' : ':'}`,
    ...refused.slice(0, shownRefused).map(({ text, wording, why }) => `  ${text} → ${wording}: ${why}`),
    refused.length > shownRefused && `  and ${number(refused.length - shownRefused)} more`,
    `wrote ${out}. Read it, then use it with --plugin ${out} --perturb ${name}-${Object.keys(words)[0]!}.`,
  ])
}
