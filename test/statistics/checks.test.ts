import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import checks from '../fixtures/statistics-checks.json' with { type: 'json' }

const root = fileURLToPath(new URL('..', import.meta.url))
const blocks = Object.keys(checks).filter((name) => name !== 'source')

/** Blocks of the fixture that a test reads, as `checks.name`, `checks['name']` or `const { name } = checks`. */
function blocksRead(text: string): string[] {
  if (!text.includes('statistics-checks.json')) return []
  const reads = [...text.matchAll(/(?<![\w-])checks(?:\.(\w+)|\['([^']+)'\])/g)].map((match) => match[1] ?? match[2]!)
  const taken = [...text.matchAll(/const \{([^{}]*)\} = checks\s/g)].flatMap((match) =>
    match[1]!.split(',').map((name) => name.split(':')[0]!.trim()),
  )
  return [...reads, ...taken]
}

const tests = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.test.ts') && !file.endsWith('checks.test.ts'))
  .map((file) => readFileSync(`${root}/${file}`, 'utf8'))
const read = new Set(tests.flatMap(blocksRead))

describe('the reference figures', () => {
  it.each(blocks)('are read by a test: %s', (block) => {
    expect(read).toContain(block)
  })
})
