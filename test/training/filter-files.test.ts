import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import agentrefine5 from '../../perturbations/agentrefine-5.js'
import { type DataFilter, type TrainingTurn, defineDataFilter } from '../../src/training/data-filter.js'
import { type FilterJob, type FilterOutcome, filterFiles } from '../../src/training/filter-files.js'
import { createRowWriter } from '../../src/training/create-row-writer.js'
import { scratchFolder } from '../scratch.js'
import { inDomainRows, otherRows, rewrittenRows } from './sample-rows.js'

const scratch = scratchFolder()
let folder: string
const at = (name: string): string => join(folder, name)
beforeEach(() => void (folder = mkdtempSync(join(scratch, 'x'))))

type Wish = Partial<FilterJob> & Pick<FilterJob, 'data'>

function filter({ data, out, ...rest }: Wish): Promise<FilterOutcome> {
  return filterFiles({
    ...{ data: data.map(at), out: out && at(out), filters: [agentrefine5], evaluation: [] },
    ...{ environments: ['alfworld', 'babyai', 'scienceworld'], samples: 2, force: false, version: '0', ...rest },
  })
}

function write(
  name: string,
  format: string,
  parts: readonly (readonly [count: number, turns: readonly TrainingTurn[], id?: string])[],
): void {
  const writer = createRowWriter(at(name), format)
  for (const [count, turns, id] of parts) {
    for (let index = 0; index < count; index++) {
      writer.write({ ...(id !== undefined && { id: `${id}_${String(index)}` }), turns })
    }
  }
  writer.close()
}

const { alfworld } = inDomainRows as Record<string, readonly TrainingTurn[]>
const { webshop, os, db, kg, mind2web, tools } = otherRows as Record<string, readonly TrainingTurn[]>

it('filtering a data set composed like Agent-FLAN drops the rows that were rewritten in one of its files', async () => {
  const others = { os, db, webshop, kg, mind2web, tools }
  const parts = Object.entries(others).map(([id, turns]) => [20, turns!, id] as const)
  write('react.jsonl', 'messages', [...parts, [9, alfworld!, 'alfworld']])
  write('tflan.jsonl', 'messages', [...parts, [9, rewrittenRows['alfworld']!]])
  const data = ['react.jsonl', 'tflan.jsonl']
  const { manifest } = await filter({ data, out: 'clean', environments: ['alfworld'] })
  expect(manifest.files).toMatchObject(data.map(() => ({ rows: 129, dropped: 9 })))
  expect(manifest.counts[0]!.rules.map(({ rule, rows, alone }) => [rule, rows, alone])).toEqual([
    ['id', 9, 0],
    ['file', 0, 0],
    ['fingerprint', 18, 9],
    ['overlap', 0, 0],
  ])
  expect(readdirSync(at('clean')).sort()).toEqual(['react.jsonl', 'tflan.jsonl'])
})

describe('filtering', () => {
  const kept = '{"extra":[1,"é"],"id":"webshop_1","conversations":[{"from":"human","value":"x","mood":null}]}'
  const dropped = '{"id":"alfworld_1","conversations":[]}'

  it('keeps the other rows unchanged, unknown keys included, in array and lines', async () => {
    writeFileSync(at('a.json'), `[${[kept, dropped, kept].join(',')}]`)
    writeFileSync(at('b.jsonl'), [dropped, kept, '{"id":'].join('\n'))
    const { manifest } = await filter({ data: ['a.json', 'b.jsonl'], out: 'clean' })
    expect(readFileSync(at('clean/a.json'), 'utf8')).toBe(`[\n${kept},\n${kept}\n]\n`)
    expect(readFileSync(at('clean/b.jsonl'), 'utf8')).toBe(`${kept}\n`)
    const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')
    expect(manifest.files.map((file) => [file.sha256, file.output?.sha256])).toEqual([
      [sha256(at('a.json')), sha256(at('clean/a.json'))],
      [sha256(at('b.jsonl')), sha256(at('clean/b.jsonl'))],
    ])
    expect(JSON.parse(readFileSync(at('clean.manifest.json'), 'utf8'))).toEqual(manifest)
    expect([manifest.rows, manifest.dropped, manifest.kept, manifest.unreadable]).toEqual([5, 2, 3, 1])
    const counted = [['alfworld', 2], ['babyai', 0], ['scienceworld', 0]] // prettier-ignore
    expect(manifest.counts.map(({ environment, rows }) => [environment, rows])).toEqual(counted)
    expect(manifest.problems).toMatchObject({ count: 1, first: [{ file: 'b.jsonl', record: 3 }] })
  })

  it('replaces no file unless requested', async () => {
    writeFileSync(at('a.json'), kept)
    writeFileSync(at('mine.json'), 'mine')
    await expect(filter({ data: ['a.json'], out: 'mine.json' })).rejects.toThrow(/mine\.json exists already/)
    expect(readFileSync(at('mine.json'), 'utf8')).toBe('mine')
    await filter({ data: ['a.json'], out: 'mine.json', force: true })
    expect(readFileSync(at('mine.json'), 'utf8')).toBe(`${kept}\n`)
    expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([])
  })

  it('never writes over its own input', async () => {
    writeFileSync(at('a.json'), kept)
    symlinkSync(at('a.json'), at('link.json'))
    for (const out of ['a.json', 'link.json']) {
      await expect((async () => filter({ data: ['a.json'], out, force: true }))()).rejects.toThrow(
        /would be overwritten/,
      )
    }
    mkdirSync(at('b'))
    writeFileSync(at('b/a.json'), kept)
    await expect(filter({ data: ['a.json', 'b/a.json'], out: 'x' })).rejects.toThrow(/different names/)
  })

  const own = (open: unknown): DataFilter => ({
    ...defineDataFilter({ name: 'own', summary: '', source: '', open: () => () => undefined }),
    open: open as DataFilter['open'],
  })

  it.each([
    [() => 7, /filter 'own' must give a function/],
    [() => () => ({ rule: 1 }), /own' at .*a\.jsonl:1: expected nothing, or reasons .* got \{"rule":1\}/],
    [
      () => () => {
        throw new Error('oops')
      },
      /own' at .*a\.jsonl:1 fails: oops/,
    ],
  ])('reports an invalid filter: %s', async (open, message) => {
    writeFileSync(at('a.jsonl'), kept)
    await expect(filter({ data: ['a.jsonl'], out: 'x.jsonl', filters: [own(open)] })).rejects.toThrow(message)
    expect(readdirSync(folder)).toEqual(['a.jsonl'])
  })
})
