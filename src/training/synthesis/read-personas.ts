import { ShaketableError } from '../../core/errors.js'
import { jsonLinesIn } from '../../files/read-json.js'
import { packagedPath } from '../../files/packaged.js'
import { readText } from '../../files/read-text.js'

const maxBytes = 1 << 28
const maxPersonas = 1_000_000
const maxLength = 2000

/**
 * Reads personas from a file of JSON lines, each an object with a text `persona`; other keys are ignored. Personas that
 * come a second time are left out.
 * @throws ShaketableError `bad-input` with the first line that has none
 */
export function readPersonas(path: string): readonly string[] {
  const advice = 'Each line is an object such as {"persona": "A beekeeper who sells honey."}.'
  const text = readText('The file of personas', path, advice, maxBytes)
  const personas = new Set<string>()
  for (const { value, fault, number } of jsonLinesIn(text)) {
    const wrong = (got: string): ShaketableError =>
      new ShaketableError(
        'bad-input',
        `${path}:${String(number)}: expected an object with a text 'persona', ${got}. ${advice}`,
      )
    if (fault !== undefined) throw wrong(`but the line is not JSON: ${fault}`)
    const { persona } = (value ?? {}) as { persona?: unknown }
    if (typeof persona !== 'string' || persona.trim() === '') throw wrong('got none')
    if (persona.length > maxLength) throw wrong(`got one of more than ${String(maxLength)} characters`)
    personas.add(persona.replace(/\s+/g, ' ').trim())
    if (personas.size > maxPersonas) throw wrong(`at most ${String(maxPersonas)} of them, got more`)
  }
  if (personas.size > 0) return [...personas]
  throw new ShaketableError('bad-input', `Expected personas in ${path}, got none. ${advice}`)
}

/** Two hundred people who do not exist, one sentence each. */
export const ownPersonas = (): readonly string[] => readPersonas(packagedPath('src/training/synthesis/personas.jsonl'))
