import { z } from 'zod'
import { canonicalJson, hashOf } from '../../core/episode.js'
import { parseJson } from '../../files/json.js'
import { ShaketableError } from '../../core/errors.js'
import type { Model } from '../../core/model.js'
import { readText } from '../../files/read-text.js'
import { createLearned, packWeights, unpackWeights } from './learned-model.js'
import type { Trained } from './train.js'

const format = 'shaketable-learned'
/** Raised whenever the same file would give other replies. */
const version = 1
const maxModelBytes = 16_000_000

const word = z.string().min(1).max(200)
const body = z.strictObject({
  made: z.strictObject({
    rows: z.int().min(0),
    turns: z.int().min(0),
    masked: z.int().min(0),
    epochs: z.int().min(0),
    seed: z.int().min(0),
    reading: z.number().min(0).max(1),
  }),
  modifiers: z.array(word).max(4096),
  kinds: z.array(word).max(4096),
  said: z.array(word).max(256),
  weights: z.strictObject({
    bits: z.int().min(8).max(22),
    step: z.number().positive().max(1e6),
    data: z.string().max(maxModelBytes),
  }),
})

/** The data and options that a model was trained with. */
export type Made = z.infer<typeof body>['made']

const file = z.strictObject({
  format: z.literal(format),
  version: z.literal(version),
  checksum: z.string().max(64),
  body,
})

/** The text of a trained model's file; equal models give equal bytes. The checksum is that of the body. */
export function printModel({ vocabulary, weights }: Pick<Trained, 'vocabulary' | 'weights'>, made: Made): string {
  const content = {
    made,
    modifiers: [...vocabulary.modifiers].sort(),
    kinds: [...vocabulary.kinds].sort(),
    said: [...vocabulary.said],
    weights: packWeights(weights),
  }
  return `${canonicalJson({ format, version, checksum: hashOf(content), body: content })}\n`
}

/**
 * Opens a trained model. The checksum of its file is one of its settings.
 * @throws ShaketableError `bad-input` for a file that is missing, too long, damaged, of another version, or not a model
 */
export function openModel(path: string, name = `learned:${path}`): Model {
  const wrong = (got: string): ShaketableError =>
    new ShaketableError(
      'bad-input',
      `Expected a model made by shaketable train at ${path}, but ${got}. Train it again.`,
    )
  const value = parseJson(readText('The model', path, 'Train it again.', maxModelBytes))
  if (value === undefined) throw wrong('it is not JSON')
  const read = file.safeParse(value)
  if (!read.success) throw wrong(`its ${read.error.issues[0]!.path.join('.') || 'content'} is not as it should be`)
  const { checksum, body: content } = read.data
  const { made, modifiers, kinds, said, weights: packed } = content
  if (hashOf(content) !== checksum) throw wrong('it is damaged: its checksum does not fit')
  const weights = unpackWeights(packed)
  if (weights === undefined) throw wrong('its weights cannot be read')
  const vocabulary = { modifiers: new Set(modifiers), kinds: new Set(kinds), said: new Set(said) }
  return createLearned(name, { learned: checksum.slice(0, 16), version, ...made }, { vocabulary, weights })
}
