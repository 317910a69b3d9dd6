import { execFileSync } from 'node:child_process'
import { lstatSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readText } from '../../src/files/read-text.js'
import { writeWhole } from '../../src/files/write-whole.js'
import { createRowWriter } from '../../src/training/create-row-writer.js'
import { scratchFolder } from '../scratch.js'

const [scratch, fifos, removed] = [scratchFolder(), scratchFolder(), scratchFolder()]

function read(bytes: string | Buffer): string {
  const path = join(scratch, 'text')
  writeFileSync(path, bytes)
  return said(path)
}

/** The text, or why it cannot be read. */
function said(path: string): string {
  try {
    return readText('The problem', path, 'Check it.')
  } catch (thrown) {
    return (thrown as Error).message.replaceAll(scratch, 'FOLDER')
  }
}

it('reads UTF-8 to the byte, without a byte order mark', () => {
  for (const text of ['', 'é\r\n\ufffd\u{1f600}', 'a'.repeat(3_000_000)]) {
    expect(read(text) === text).toBe(true)
    expect(read(`\ufeff${text}`) === text).toBe(true)
  }
})

it('reports the position where a text is not UTF-8', () => {
  expect(read(Buffer.from('one\ntwé', 'latin1'))).toBe(
    'The problem FOLDER/text, line 2: expected text in UTF-8, got other bytes. Check it.',
  )
  expect(read(Buffer.from('\ufeff(define)', 'utf16le'))).toContain('line 1: expected text in UTF-8')
})

it('reports what cannot be read', () => {
  expect(said(scratch)).toBe('The problem FOLDER cannot be read: it is a folder, not a regular file. Check it.')
  expect(said(join(scratch, 'none'))).toBe('The problem FOLDER/none cannot be read: there is no such file. Check it.')
  expect(read(Buffer.alloc((64 << 20) + 1, 32))).toBe(
    'The problem FOLDER/text cannot be read: it has more than 67,108,864 bytes. Check it.',
  )
})

it.skipIf(process.platform === 'win32')('does not open a device or a FIFO', () => {
  expect(said('/dev/zero')).toContain('it is a device, not a regular file')
  execFileSync('mkfifo', [join(scratch, 'fifo')])
  expect(said(join(scratch, 'fifo'))).toContain('it is a FIFO, not a regular file')
})

it('a file of a path that was given makes the missing folders, unless a part of it is a file', () => {
  const path = join(scratch, 'models', 'small', 'm.json')
  writeWhole(path, 'x', 'Give --out another path')
  expect(readFileSync(path, 'utf8')).toBe('x')
  expect(() => writeWhole(join(path, 'n.json'), 'x', 'Give --out another path')).toThrow(/Give --out another path\.$/)
})

it.skipIf(process.platform === 'win32')('a FIFO is not replaced, and no draft is left', () => {
  const [fifo, link] = [join(fifos, 'fifo'), join(fifos, 'link')]
  execFileSync('mkfifo', [fifo])
  symlinkSync(fifo, link)
  for (const path of [fifo, link]) {
    expect(() => writeWhole(path, 'x')).toThrow('it is a FIFO, not a regular file')
    expect(() => createRowWriter(path, 'lines')).toThrow(/^Cannot write to \S+ \(it is a FIFO, not a regular file\)\./)
  }
  expect(lstatSync(fifo).isFIFO()).toBe(true)
  expect(readdirSync(fifos).sort()).toEqual(['fifo', 'link'])
})

it('a folder is not made for ever where the working folder was removed', () => {
  const module = new URL('../../dist/src/files/make-folder.js', import.meta.url).href
  const script = `const { makeFolder } = await import('${module}')
    ;(await import('node:fs')).rmdirSync('${removed}')
    try { makeFolder('runs/a') } catch (thrown) { process.stdout.write(thrown.code) }`
  const work = () =>
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { cwd: removed, timeout: 20_000 })
  expect(work).not.toThrow()
}, 30_000)
