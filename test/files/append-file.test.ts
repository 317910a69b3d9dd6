import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { AppendFile } from '../../src/files/append-file.js'
import { scratchFolder } from '../scratch.js'

const scratch = scratchFolder()

it('writes lines that are split into several pieces completely and in order', async () => {
  const path = join(scratch, 'lines.jsonl')
  const file = await AppendFile.open(path)
  const lines = [3, 2, 5, 1].map((millions) => JSON.stringify({ key: millions, text: 'é'.repeat(millions * 1e6) }))
  await file.write(lines)
  await file.check()
  await file.write(['{}'])
  await file.check()
  await file.close()
  expect(readFileSync(path, 'utf8') === [...lines, '{}'].map((line) => `${line}\n`).join('')).toBe(true)
})
