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

/** The data and options that a model was trained with. */
export type Made = Readonly<Record<'rows' | 'turns' | 'masked' | 'epochs' | 'seed' | 'reading', number>>

/** A file of a model. */
interface ModelFile {
  readonly format: typeof format
  readonly version: number
  /** Of the body. */
  readonly checksum: string
  readonly body: {
    readonly made: Made
    readonly modifiers: readonly string[]
    readonly kinds: readonly string[]
    readonly said: readonly string[]
    readonly weights: ReturnType<typeof packWeights>
  }
}

/** The text of a trained model's file; equal models give equal bytes. */
export function printModel({ vocabulary, weights }: Pick<Trained, 'vocabulary' | 'weights'>, made: Made): string {
  const body = {
    made,
    modifiers: [...vocabulary.modifiers].sort(),
    kinds: [...vocabulary.kinds].sort(),
    said: [...vocabulary.said],
    weights: packWeights(weights),
  }
  return `${canonicalJson({ format, version, checksum: hashOf(body), body } satisfies ModelFile)}\n`
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
  const read = parseJson(readText('The model', path, 'Train it again.', maxModelBytes)) as
    Partial<ModelFile> | undefined
  if (read?.format !== format) throw wrong('it is something else')
  if (read.version !== version) throw wrong(`its version is not ${String(version)}`)
  const { checksum, body } = read as ModelFile
  if ((body as unknown) === undefined || hashOf(body) !== checksum)
    throw wrong('it is damaged: its checksum does not fit')
  const { modifiers, kinds, said } = body
  const { rows, turns, masked, epochs, seed, reading } = body.made
  const made = { rows, turns, masked, epochs, seed, reading }
  const vocabulary = { modifiers: new Set(modifiers), kinds: new Set(kinds), said: new Set(said) }
  return createLearned(
    name,
    { learned: checksum.slice(0, 16), version, ...made },
    { vocabulary, weights: unpackWeights(body.weights) },
  )
}
