import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Aggregate } from '../../src/results/aggregate.js'
import { readRun } from '../../src/run/store/read-run.js'
import { scratchFolder } from '../scratch.js'
import type { Ended } from './_command.js'
import { reportOf, rowsOf, shaketable } from './_command.js'

const scratch = scratchFolder()

/** Two environments of 3 and 3 tasks, 2 conditions, 2 temperatures, 3 seeds. */
const grid = `environments: [household, babyai]
tasks: 3
perturbations: [agentrefine-1]
agents: [act]
seeds: 3
models:
  - reader
  - { name: parrot, agent: tools }
  - { name: "parrot:new", agent: tools, variantOf: parrot, heldIn: [household] }
  - { name: random, agent: "best-of-n:n=2:agent=act" }
`
const pairs = ['reader act', 'parrot tools', 'parrot:new tools', 'random best-of-n:n=2']
const planned = (3 + 3) * 2 * 2 * 3 * pairs.length
let whole: Ended
let report: Readonly<Record<string, string>>

const pairOf = ({ model, agent }: { readonly model: string; readonly agent: string }): string => `${model} ${agent}`

beforeAll(async () => {
  writeFileSync(join(scratch, 'grid.yaml'), grid)
  whole = await shaketable(['run', 'grid.yaml', '--out', 'run'], scratch)
  report = reportOf(join(scratch, 'run'))
}, 120_000)

describe('a run whose models have their own agents', () => {
  it('plays each model with its agents only, and nothing when it is resumed', async () => {
    expect(whole.code, whole.stderr).toBe(0)
    const rows = rowsOf(join(scratch, 'run'))
    expect(rows).toHaveLength(planned)
    expect(new Set(rows.map(pairOf))).toEqual(new Set(pairs))
    expect(readRun(join(scratch, 'run'))).toMatchObject({ planned, stored: planned, notes: [] })
    const { stderr } = await shaketable(['run', 'grid.yaml', '--out', 'run'], scratch)
    expect(stderr).toContain(`run has all ${String(planned)} episodes already; nothing is played again.`)
  })

  it('has exactly these pairs in every table, chart and export, all of them measured', () => {
    const { groups, omitted, notices, strays, primary, variants, rankings } = JSON.parse(
      report['report.json']!,
    ) as Aggregate
    expect(groups.map(pairOf)).toEqual([...Array<string[]>(2)].flatMap(() => pairs.flatMap((pair) => [pair, pair])))
    for (const { pooled } of groups) expect(pooled.coverage).toEqual({ valid: 18, planned: 18 })
    expect(omitted.join(' ')).not.toMatch(/Nothing was measured|not played|unplanned episodes|lack a measurement/)
    expect([notices.filter(({ kind }) => kind === 'coverage'), strays]).toEqual([[], 0])
    expect(primary!.comparisons.map(pairOf)).toEqual([...pairs, ...pairs])
    expect(new Set(variants.map(pairOf))).toEqual(new Set(['parrot:new tools']))
    for (const { entries } of rankings) expect(entries.map(pairOf).sort()).toEqual([...pairs].sort())
  })
})
