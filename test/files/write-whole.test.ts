import { execFileSync } from 'node:child_process'
import { lstatSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRowWriter } from '../../src/data/formats/create-row-writer.js'
import { writeWhole } from '../../src/files/write-whole.js'
import { scratchFolder } from '../scratch.js'

const scratch = scratchFolder()

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
