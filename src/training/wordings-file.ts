import * as z from 'zod'
import { hashOf } from '../core/episode.js'
import { ShaketableError } from '../core/errors.js'
import { readJson } from '../files/read-json.js'

const maxBytes = 1 << 25
const wordings = z.record(z.string().max(2000), z.array(z.string().min(1).max(2000)).min(1).max(100))

/** The parts of a vocabulary that a model can word. */
export const wordedParts = ['actions', 'goals', 'observations'] as const
export type WordedPart = (typeof wordedParts)[number]

/** A file with wordings that a model wrote: the texts, their writer, and a hash of the texts. */
const wordingsSchema = z.strictObject({
  schema: z.literal('shaketable-wordings-1'),
  /** Its perturbations are named after it: `NAME-goals`. */
  name: z
    .string()
    .regex(/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/)
    .max(40),
  environment: z.string().max(60),
  /** Wordings per text that were asked for; a text may have fewer. */
  draws: z.int().min(1).max(100),
  writer: z.strictObject({
    model: z.string().max(300),
    settings: z.record(z.string(), z.unknown()),
    temperature: z.number(),
    seed: z.int(),
    version: z.string().max(60),
  }),
  /** By part, by the original text. */
  words: z.strictObject({
    actions: wordings.optional(),
    goals: wordings.optional(),
    observations: wordings.optional(),
  }),
  hash: z.string().max(100),
})

export type WordingsFile = z.infer<typeof wordingsSchema>

/** The hash of the texts of a file. */
export function hashOfWords(words: WordingsFile['words']): string {
  return hashOf(words, 16)
}

/** @throws ShaketableError `bad-input` with the place in the file, what was expected there, and what to do */
export function readWordingsFile(path: string): WordingsFile {
  const advice = 'Write it with shaketable paraphrase.'
  const read = wordingsSchema.safeParse(readJson('The file of wordings', path, advice, maxBytes))
  if (read.success) return read.data
  const { path: place, message } = read.error.issues[0]!
  const at = place.length === 0 ? '' : `at ${place.map(String).join('.').slice(0, 200)}: `
  throw new ShaketableError(
    'bad-input',
    `The file of wordings ${path} cannot be used: ${at}${message.slice(0, 300)}. ${advice}`,
  )
}
