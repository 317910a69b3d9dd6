import { z } from 'zod'
import { canonicalJson, hashOf, parseJson } from '../core/episode.js'
import { ShaketableError } from '../core/errors.js'
import type { Model } from '../core/model.js'
import { readText } from '../files/read-text.js'

/** A kind of model file. */
export interface ModelFormat<Body extends { readonly made: object }> {
  /** Stands in the file. */
  readonly name: string
  /** Raised whenever the same file would give other replies. */
  readonly version: number
  readonly body: z.ZodType<Body>
  /** Creates the model in a file; undefined if its weights cannot be read. */
  create(body: Body, name: string, settings: Readonly<Record<string, unknown>>): Model | undefined
}

export const maxModelBytes = 16_000_000

/** The data and options that every model was trained with. */
export const madeShape = z.strictObject({
  rows: z.int().min(0),
  turns: z.int().min(0),
  masked: z.int().min(0),
  epochs: z.int().min(0),
  seed: z.int().min(0),
})

/** The text of a model file: the checksum is that of the body. */
export function printModelFile<Body extends { readonly made: object }>(
  { name, version }: ModelFormat<Body>,
  body: Body,
): string {
  return `${canonicalJson({ format: name, version, checksum: hashOf(body), body })}\n`
}

/** The name and version in a file, and a function that opens the rest. @returns a model, or what is wrong */
interface Opener extends Pick<ModelFormat<never>, 'name' | 'version'> {
  open(body: unknown, checksum: string, name: string): Model | string
}

/** Prepares a format for {@link openModelFile}. */
export function openerOf<Body extends { readonly made: object }>(format: ModelFormat<Body>): Opener {
  return {
    name: format.name,
    version: format.version,
    open(value, checksum, name) {
      const parsed = format.body.safeParse(value)
      if (!parsed.success) return `its ${['body', ...parsed.error.issues[0]!.path].join('.')} is not as it should be`
      const body = parsed.data
      if (hashOf(body) !== checksum) return 'it is damaged: its checksum does not fit'
      const settings = { learned: checksum.slice(0, 16), version: format.version, ...body.made }
      return format.create(body, name, settings) ?? 'its weights cannot be read'
    },
  }
}

const envelope = z.strictObject({
  format: z.string(),
  version: z.number(),
  checksum: z.string().max(64),
  body: z.unknown(),
})

/**
 * Opens a model file of one of several formats. The checksum is one of the model's settings.
 * @throws ShaketableError `bad-input` for a file that is missing, too long, damaged, of another version, or not a model
 */
export function openModelFile(path: string, name: string, formats: readonly Opener[]): Model {
  const wrong = (got: string): ShaketableError =>
    new ShaketableError(
      'bad-input',
      `Expected a model made by shaketable train at ${path}, but ${got}. Train it again.`,
    )
  const value = parseJson(readText('The model', path, 'Train it again.', maxModelBytes))
  if (value === undefined) throw wrong('it is not JSON')
  const kind = z.looseObject({ format: z.string(), version: z.number() }).safeParse(value)
  const format = formats.find((one) => one.name === kind.data?.format)
  if (format === undefined) throw wrong('it is not one')
  const { version } = kind.data!
  if (version !== format.version) throw wrong(`it is of version ${String(version)}, not ${String(format.version)}`)
  const parsed = envelope.safeParse(value)
  if (!parsed.success) throw wrong(`its ${parsed.error.issues[0]!.path.join('.') || 'content'} is not as it should be`)
  const model = format.open(parsed.data.body, parsed.data.checksum, name)
  if (typeof model === 'string') throw wrong(model)
  return model
}
