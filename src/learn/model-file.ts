import { z } from 'zod'
import { canonicalJson, hashOf } from '../core/episode.js'
import { ShaketableError } from '../core/errors.js'
import type { Model } from '../core/model.js'
import { readText } from '../files/read-text.js'
import { createLearned } from './learned-model.js'
import { packWeights, unpackWeights } from './packed-weights.js'
import type { Trained } from './train.js'

const format = 'shaketable-learned'
/** Counts up whenever the same file would say something else. */
const version = 1
const maxBytes = 16_000_000

const word = z.string().min(1).max(200)
const shape = z.strictObject({
  format: z.literal(format),
  version: z.literal(version),
  checksum: z.string().max(64),
  body: z.strictObject({
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
      data: z.string().max(maxBytes),
    }),
  }),
})

/** What a model was made of. */
export type Made = z.infer<typeof shape>['body']['made']

/** A trained model as the text of its file; equal models give equal bytes. */
export function printModel({ lore, weights }: Pick<Trained, 'lore' | 'weights'>, made: Made): string {
  const body = {
    made,
    modifiers: [...lore.modifiers].sort(),
    kinds: [...lore.kinds].sort(),
    said: [...lore.said],
    weights: packWeights(weights),
  }
  return `${canonicalJson({ format, version, checksum: hashOf(body), body })}\n`
}

/**
 * Opens a trained model. The hash of its file is one of its settings.
 * @throws ShaketableError `bad-input` for a file that is missing, too long, damaged, of another version, or no model
 */
export function openModel(path: string, name = `learned:${path}`): Model {
  const wrong = (got: string): ShaketableError =>
    new ShaketableError(
      'bad-input',
      `Expected a model made by shaketable train at ${path}, but ${got}. Train it again.`,
    )
  const text = readText('The model', path, 'Train it again.', maxBytes)
  const value = parse(text)
  if (value === undefined) throw wrong('it is not JSON')
  const kind = z.looseObject({ format: z.literal(format), version: z.number() }).safeParse(value)
  if (!kind.success) throw wrong('it is none')
  if (kind.data.version !== version)
    throw wrong(`it is of version ${String(kind.data.version)}, not ${String(version)}`)
  const parsed = shape.safeParse(value)
  if (!parsed.success) throw wrong(`its ${parsed.error.issues[0]!.path.join('.') || 'content'} is not as it should be`)
  const { checksum, body } = parsed.data
  if (hashOf(body) !== checksum) throw wrong('it is damaged: its checksum does not fit')
  const weights = unpackWeights(body.weights)
  if (weights === undefined) throw wrong('its weights cannot be read')
  const lore = { modifiers: new Set(body.modifiers), kinds: new Set(body.kinds), said: new Set(body.said) }
  return createLearned(name, { learned: checksum.slice(0, 16), version, ...body.made }, { lore, weights })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
