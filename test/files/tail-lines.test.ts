import { appendFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withChecksum } from '../../src/files/checksum.js'
import { tailLines } from '../../src/files/tail-lines.js'
import { scratchFolder } from '../scratch.js'

const path = join(scratchFolder(), 'rows.jsonl')
const line = (value: unknown): string => `${withChecksum(JSON.stringify({ value }))}\n`

it('reads each line once, whatever happens to the file between two readings', () => {
  const tail = tailLines(path)
  const read = (isOver?: () => boolean) => {
    const seen: string[] = []
    const state = tail.read((text, state) => seen.push(`${state} ${text}`), isOver)
    return { seen, ...state }
  }
  const sound = (...values: readonly unknown[]) => values.map((value) => `sound {"value":${JSON.stringify(value)}}`)

  expect(read()).toEqual({ seen: [], restarted: false, behind: 0 })
  writeFileSync(path, line(1) + line(2).slice(0, 5))
  expect(read().seen).toEqual(sound(1))
  expect(read().seen).toEqual([])
  appendFileSync(path, line(2).slice(5))
  expect(read().seen).toEqual(sound(2))

  // A resumed run cuts an unfinished line, and writes spaces in the place of a damaged one.
  appendFileSync(path, '{"value"')
  expect(read().seen).toEqual([])
  truncateSync(path, (line(1) + line(2)).length)
  appendFileSync(path, `     \n${line(3).replace('3', '4')}{"value":5}\n`)
  expect(read().seen).toEqual([
    'damaged {"value":4,"crc":"' + /"crc":"(\w+)/.exec(line(3))![1]! + '"}',
    'unchecked {"value":5}',
  ])

  writeFileSync(`${path}.new`, line('new file') + line('of another run'))
  renameSync(`${path}.new`, path)
  expect(read()).toEqual({ seen: [], restarted: true, behind: 0 })
  expect(read().seen).toEqual(sound('new file', 'of another run'))

  truncateSync(path, line('new file').length)
  expect(read().restarted).toBe(true)
  expect(read().seen).toEqual(sound('new file'))

  rmSync(path)
  expect(read().restarted).toBe(true)
  expect(read()).toEqual({ seen: [], restarted: false, behind: 0 })

  const [long, short] = ['x'.repeat(600_000), 'y'.repeat(300_000)]
  writeFileSync(path, line(long) + line(short).repeat(3))
  const parts = [1, 2, 3].map(() => read(() => true))
  expect(parts.flatMap(({ seen }) => seen)).toEqual(sound(long, short, short, short))
  expect(parts[0]).toMatchObject({ seen: sound(long, short), behind: 2 * line(short).length })
  expect(parts[2]!.behind).toBe(0)
})
