import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import agentrefine5 from '../../perturbations/agentrefine-5.js'
import type { DataFilter, TrainingTurn } from '../../src/training/data-filter.js'
import { defineDataFilter } from '../../src/training/data-filter.js'
import type { FilterJob, FilterOutcome } from '../../src/training/filter-files.js'
import { filterFiles } from '../../src/training/filter-files.js'
import { planFiles } from '../../src/training/plan-files.js'
import { createRowWriter } from '../../src/training/create-row-writer.js'
import { readRows } from '../../src/training/read-rows.js'
import { scratchFolder } from '../scratch.js'
import { inDomainRows, otherRows, rewrittenRows } from './sample-rows.js'

const scratch = scratchFolder()
let folder: string
const at = (name: string): string => join(folder, name)
beforeEach(() => void (folder = mkdtempSync(join(scratch, 'x'))))

interface Wish extends Partial<Omit<FilterJob, 'plan'>> {
  readonly data: readonly string[]
  readonly out?: string
  readonly manifest?: string
}

function filter({ data, out, manifest, ...rest }: Wish): Promise<FilterOutcome> {
  const plan = planFiles(data.map(at), out && at(out), manifest && at(manifest))
  const filters = [agentrefine5]
  const environments = ['alfworld', 'babyai', 'scienceworld']
  return filterFiles({ plan, filters, environments, evaluation: [], samples: 2, force: false, version: '0', ...rest })
}

/** Writes the given number of rows of each kind. */
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

const { alfworld, babyai, scienceworld } = inDomainRows as Record<string, readonly TrainingTurn[]>
const { webshop, maze, wordle, textcraft, weather, movie, todo, bird, os, db, kg, mind2web, tools } =
  otherRows as Record<string, readonly TrainingTurn[]>

describe('filtering the data sets of the paper', () => {
  // AgentTraj-L's rows per environment, from AgentGym's README; with AgentRefine's 5350 of 14485.
  it('drops 5,350 of 14,485 rows of a file that is composed like AgentTraj', async () => {
    write('agenttraj.json', 'agenttraj', [
      [3930, webshop!, 'webshop'],
      [215, maze!, 'lmrlgym_maze'],
      [955, wordle!, 'lmrlgym_wordle'],
      [2420, alfworld!, 'alfworld'],
      [2120, scienceworld!, 'sciworld'],
      [810, babyai!, 'babyai'],
      [374, textcraft!, 'textcraft'],
      [311, weather!, 'weather'],
      [215, movie!, 'movie'],
      [135, todo!, 'todo'],
      [3000, bird!, 'bird'],
    ])
    const { manifest } = await filter({ data: ['agenttraj.json'], out: 'clean.json' })
    expect([manifest.rows, manifest.dropped, manifest.kept, manifest.unreadable]).toEqual([14485, 5350, 9135, 0])
    expect(manifest.counts.map(({ environment, rows }) => [environment, rows])).toEqual([
      ['alfworld', 2420],
      ['babyai', 810],
      ['scienceworld', 2120],
    ])
    expect([...readRows(at('clean.json'))]).toHaveLength(9135)
  }, 240_000)

  // 672 = 2 × 336: AgentInstruct's 336 rows of ALFWorld are in two of Agent-FLAN's seven splits, rewritten in one of
  // them. The rest is invented.
  it('drops 672 of 34,440 rows of files that are composed like Agent-FLAN', async () => {
    mkdirSync(at('flan'))
    const instruct = [
      [195, os!, 'os'],
      [538, db!, 'db'],
      [351, webshop!, 'webshop'],
      [324, kg!, 'kg'],
      [122, mind2web!, 'mind2web'],
    ] as const
    write('flan/agent_instruct_react.jsonl', 'agent-flan', [...instruct, [336, alfworld!, 'alfworld']])
    write('flan/agent_instruct_tflan.jsonl', 'agent-flan', [...instruct, [336, rewrittenRows['alfworld']!]])
    const toolbench = { instruct_3k: 7000, react_10p: 3708, tflan_60p: 14000, tflan_cot_30p: 6000 }
    for (const [name, count] of Object.entries(toolbench)) {
      write(`flan/toolbench_${name}.jsonl`, 'agent-flan', [[count, tools!, 'tool']])
    }
    const { manifest } = await filter({ data: ['flan'], out: 'clean', environments: ['alfworld'] })
    expect([manifest.rows, manifest.dropped]).toEqual([34440, 672])
    expect(manifest.files.map(({ dropped }) => dropped)).toEqual([336, 336, 0, 0, 0, 0])
    expect(manifest.counts[0]!.rules.map(({ rule, rows, alone }) => [rule, rows, alone])).toEqual([
      ['id', 336, 0],
      ['file', 0, 0],
      ['fingerprint', 672, 336],
      ['overlap', 0, 0],
    ])
    expect(readdirSync(at('clean')).sort()).toEqual([...readdirSync(at('flan')), 'filter-manifest.json'].sort())
  }, 240_000)
})

describe('filtering', () => {
  const kept =
    '{"extra" : [1.0, 12345678901234567890], "id":"webshop_1","conversations":[{"from":"human","value":"x","mood":null}]}'
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
    expect(JSON.parse(readFileSync(at('clean/filter-manifest.json'), 'utf8'))).toEqual(manifest)
    expect([manifest.rows, manifest.kept, manifest.unreadable]).toEqual([5, 3, 1])
    expect(manifest.problems).toMatchObject({ count: 1, first: [{ file: 'b.jsonl', line: 3, record: 3 }] })
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
    expect(() => planFiles([at('a.json'), at('a.json')], at('out'), undefined)).toThrow(/a\.json twice/)
  })

  it('leaves no partial file when it is stopped', async () => {
    write('a.json', 'agenttraj', [[5000, webshop!, 'webshop']])
    const stop = new AbortController()
    let rows = 0
    const stopping = defineDataFilter({
      name: 'stopping',
      summary: '',
      source: '',
      open: () => () => {
        if (++rows === 1000) setImmediate(() => stop.abort())
        return undefined
      },
    })
    await expect(
      filter({ data: ['a.json'], out: 'clean.json', filters: [stopping], signal: stop.signal }),
    ).rejects.toThrow()
    expect(rows).toBeLessThan(5000)
    expect(readdirSync(folder)).toEqual(['a.json'])
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
