import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../src/core/random.js'
import { readPersonas } from '../../../src/training/synthesis/read-personas.js'
import { createDuplicateFinder } from '../../../src/training/synthesis/similarity.js'
import { jsonOf } from '../../../src/training/synthesis/stages.js'
import { scratchFolder } from '../../scratch.js'

const folder = scratchFolder()
const fileOf = (text: string): string => {
  const path = join(folder, 'personas.jsonl')
  writeFileSync(path, text)
  return path
}

describe('a file of personas', () => {
  it('is read line by line, each persona once', () => {
    const lines = [
      '\ufeff{"persona": "A  nurse.", "id": 7}',
      '',
      '{"persona": "A cook.\\nIn Rome."}',
      '{"persona": "A nurse."}',
    ]
    expect(readPersonas(fileOf(lines.join('\n')))).toEqual(['A nurse.', 'A cook. In Rome.'])
  })

  it.each([
    ['', 'Expected personas in'],
    ['{"persona": "A nurse."}\n{"name": "x"}', ':2: expected'],
    ['{"persona": ', ':1: '],
    [`{"persona": "${'x'.repeat(2001)}"}`, 'at most 2000'],
  ])('is refused with its line: %s', (text, message) => {
    expect(() => readPersonas(fileOf(text))).toThrow(message)
  })
})

describe('JSON in a reply', () => {
  it.each([
    ['{"a": [1, {"b": "}"}]}', { a: [1, { b: '}' }] }],
    ['Here it is:\n```json\n[{"turn": 1}]\n```\nIs {this} what you want?', [{ turn: 1 }]],
    ['A small one [] and then {"large": "\\"one\\""}', { large: '"one"' }],
  ])('is found in %j', (reply, value) => {
    expect(jsonOf(reply)).toEqual({ value })
  })

  it.each([
    ['prose', 'walk to {place} and [sigh]'],
    ['json', '{"turns": [{"turn": 1}'],
    ['json', '{"a": 1,}'],
    ['json', '{"a": "not closed}'],
  ])('is missing (%s): %s', (rule, reply) => {
    expect(jsonOf(reply)).toMatchObject({ rule })
  })

  it('takes little time for a hostile reply', () => {
    const started = performance.now()
    for (const part of ['{"', '[{', '{"a":1}']) jsonOf(part.repeat(500_000))
    expect(performance.now() - started).toBeLessThan(20_000)
  })
})

describe('a finder of near duplicates', () => {
  it('compares forms without slot names, things at any depth, and the words of the goal', () => {
    const script = (slot: string, more: object) => ({
      Environment: { kitchen: { Shelf: { is: ['dusty'], ...more } }, cellar: {} },
      Goal: 'Put the mug on it.',
      'Available Actions': { [`take {${slot}}`]: {} },
    })
    const twinOf = createDuplicateFinder()
    expect(twinOf('a', script('obj', { mug: {} }))).toBeUndefined()
    expect(twinOf('b', script('thing', { mug: {} }))).toBe('a')
    expect(twinOf('c', script('thing', { cup: {}, jar: {} }))).toBeUndefined()
  })

  it('finds what a comparison with all finds', () => {
    const random = createRandom('words')
    const twinOf = createDuplicateFinder()
    const kept: { readonly id: string; readonly words: ReadonlySet<string> }[] = []
    let found = 0
    for (let index = 0; index < 400; index++) {
      const words = new Set(Array.from({ length: 1 + random.int(8) }, () => random.pick([...'abcdefghij'])))
      const [twin] = kept
        .map(({ id, words: others }) => {
          const shared = [...words].filter((word) => others.has(word)).length
          return { id, similarity: shared / (words.size + others.size - shared) }
        })
        .filter(({ similarity }) => similarity >= 0.8)
        .sort((one, other) => other.similarity - one.similarity)
      const id = String(index)
      expect(twinOf(id, { Goal: [...words].join(' ') })).toBe(twin?.id)
      if (twin === undefined) kept.push({ id, words })
      else found++
    }
    expect(found).toBeGreaterThan(20)
  })
})
