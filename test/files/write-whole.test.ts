import { execFileSync } from 'node:child_process'
import { lstatSync, readFileSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRowWriter } from '../../src/training/create-row-writer.js'
import { writeWhole } from '../../src/files/write-whole.js'
import { scratchFolder } from '../scratch.js'

const [scratch, made] = [scratchFolder(), scratchFolder()]

it('a file of a path that was given makes the missing folders, unless a part of it is a file', () => {
  const path = join(made, 'models', 'small', 'm.json')
  writeWhole(path, 'x', 'Give --out another path')
  expect(readFileSync(path, 'utf8')).toBe('x')
  expect(() => writeWhole(join(path, 'n.json'), 'x', 'Give --out another path')).toThrow(/Give --out another path\.$/)
})

describe.skipIf(process.platform === 'win32')('a file that is written atomically', () => {
  it('does not replace a FIFO, and leaves no draft', () => {
    const fifo = join(scratch, 'fifo')
    execFileSync('mkfifo', [fifo])
    symlinkSync(fifo, join(scratch, 'link'))
    for (const path of [fifo, join(scratch, 'link')]) {
      expect(() => writeWhole(path, 'x')).toThrow('it is a FIFO, not a regular file')
      expect(() => createRowWriter(path, 'lines')).toThrow(
        /^Cannot write to \S+ \(it is a FIFO, not a regular file\)\./,
      )
    }
    expect(lstatSync(fifo).isFIFO()).toBe(true)
    expect(readdirSync(scratch).sort()).toEqual(['fifo', 'link'])
  })
})
