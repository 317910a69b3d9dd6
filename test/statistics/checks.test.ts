import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }

const root = fileURLToPath(new URL('..', import.meta.url))
const blocks = Object.keys(checks).filter((name) => name !== 'source')

/** Blocks of the fixture that a test's text reads, as `checks.name` or `checks['name']`. */
function blocksRead(text: string): string[] {
  if (!text.includes('statistics-checks.json')) return []
  return [...text.matchAll(/(?<![\w-])checks(?:\.(\w+)|\['([^']+)'\])/g)].map((match) => match[1] ?? match[2]!)
}

const tests = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && !file.endsWith('checks.test.ts'))
  .map((file) => readFileSync(`${root}/${file}`, 'utf8'))
const read = new Set(tests.flatMap(blocksRead))

describe('the figures to check against', () => {
  it.each(blocks)('are read by a test: %s', (block) => {
    expect(read).toContain(block)
  })

  it('are found missing where no test reads them', () => {
    const text =
      "import checks from '../fixtures/statistics-checks.json'\nchecks.paired; checks['mcnemar'].cases; mychecks.power"
    expect(blocksRead(text)).toEqual(['paired', 'mcnemar'])
    expect(blocksRead('checks.paired')).toEqual([])
    expect(blocks.length).toBeGreaterThan(30)
  })
})
