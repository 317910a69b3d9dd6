import { z } from 'zod'
import { ShaketableError } from '../../core/errors.js'
import { recordsIn } from '../../files/read-json.js'
import { packagedPath } from '../../files/packaged.js'
import { readText } from '../../files/read-text.js'

const maxBytes = 1 << 28
const maxLength = 2000
const record = z.looseObject({ persona: z.string().max(maxLength).regex(/\S/) })

/**
 * Reads personas from a file of JSON lines, or a JSON array, each an object with a text `persona`; other keys are
 * ignored. Personas that come a second time are left out.
 * @throws ShaketableError `bad-input` with the first record that has none
 */
export function readPersonas(path: string): readonly string[] {
  const advice = 'Each line is an object such as {"persona": "A beekeeper who sells honey."}.'
  const records = recordsIn(readText('The file of personas', path, advice, maxBytes), path, advice)
  const personas = records.map(({ value, place }) => {
    const read = record.safeParse(value)
    if (read.success) return read.data.persona.replace(/\s+/g, ' ').trim()
    throw new ShaketableError(
      'bad-input',
      `${place}: expected an object with a text 'persona' of at most ${String(maxLength)} characters. ${advice}`,
    )
  })
  if (personas.length > 0) return [...new Set(personas)]
  throw new ShaketableError('bad-input', `Expected personas in ${path}, got none. ${advice}`)
}

/** Two hundred people who do not exist, one sentence each. */
export const ownPersonas = (): readonly string[] => readPersonas(packagedPath('src/training/synthesis/personas.jsonl'))
