import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readPersonas } from '../../../src/training/synthesis/read-personas.js'
import { scratchFolder } from '../../scratch.js'

const folder = scratchFolder()
const fileOf = (text: string): string => {
  const path = join(folder, 'personas.jsonl')
  writeFileSync(path, text)
  return path
}

describe('a file of personas', () => {
  it('is read line by line, each persona once', () => {
    const path = fileOf(
      '\ufeff{"persona": "A  nurse.", "id": 7, "score": NaN}\n\n{"persona": "A cook.\\nIn Rome."}\n{"persona": "A nurse."}\n',
    )
    expect(readPersonas(path)).toEqual(['A nurse.', 'A cook. In Rome.'])
  })

  it.each([
    ['', 'Expected personas in'],
    ['{"persona": "A nurse."}\n{"name": "x"}', ":2: expected an object with a text 'persona', got none"],
    ['["A nurse."]', ":1: expected an object with a text 'persona', got none"],
    ['null', ":1: expected an object with a text 'persona', got none"],
    ['{"persona": ', ':1: expected an object'],
    [`{"persona": "${'x'.repeat(2001)}"}`, 'got one of more than 2000 characters'],
  ])('is refused with its line: %s', (text, message) => {
    expect(() => readPersonas(fileOf(text))).toThrow(message)
  })
})
