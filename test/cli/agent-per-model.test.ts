import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Aggregate } from '../../src/results/aggregate.js'
import { scratchFolder } from '../scratch.js'
import { reportOf, rowsOf, succeed } from './_command.js'

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
const pairOf = ({ model, agent }: { readonly model: string; readonly agent: string }): string => `${model} ${agent}`

it('models with their own agents are played with these only, in every figure, and not again when resumed', async () => {
  writeFileSync(join(scratch, 'grid.yaml'), grid)
  await succeed('run grid.yaml --out run', scratch)
  const rows = rowsOf(join(scratch, 'run'))
  expect(rows).toHaveLength(planned)
  expect(new Set(rows.map(pairOf))).toEqual(new Set(pairs))
  const { stderr } = await succeed('run grid.yaml --out run', scratch)
  expect(stderr).toContain(`run has all ${String(planned)} episodes already; nothing is played again.`)

  const report = JSON.parse(reportOf(join(scratch, 'run'))['report.json']!) as Aggregate
  const { groups, omitted, notices, strays, primary, variants, rankings } = report
  expect(groups.map(pairOf)).toEqual([...Array<string[]>(2)].flatMap(() => pairs.flatMap((pair) => [pair, pair])))
  for (const { pooled } of groups) expect(pooled.coverage).toEqual({ valid: 18, planned: 18 })
  expect(omitted.join(' ')).not.toMatch(/Nothing was measured|not played|unplanned episodes|lack a measurement/)
  expect([notices.filter(({ kind }) => kind === 'coverage'), strays]).toEqual([[], 0])
  expect(primary!.comparisons.map(pairOf)).toEqual([...pairs, ...pairs])
  expect(new Set(variants.map(pairOf))).toEqual(new Set(['parrot:new tools']))
  for (const { entries } of rankings) expect(entries.map(pairOf).sort()).toEqual([...pairs].sort())
}, 120_000)
