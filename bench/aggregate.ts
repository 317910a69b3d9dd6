import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createRandom } from '../src/core/random.js'
import type { EpisodeRow } from '../src/results/episode-row.js'
import type { Cell } from '../src/run/cells.js'
import { cells, rowOf } from '../src/run/cells.js'
import { makePlan, makeRow } from '../test/reports/fixture.js'
import { appendRows, writeRun } from '../test/run/_written-run.js'
import { size, thousands } from './_measure.js'

/** Reads and aggregates a run in a process of its own, so that its peak memory is that of this work alone. */
const script = `
const { readRun } = await import('../src/run/store/read-run.js')
const { aggregate } = await import('../src/results/aggregate.js')
aggregate(readRun(process.argv[1]))
const { user, system } = process.cpuUsage()
console.log(JSON.stringify([(user + system) / 1e6, process.resourceUsage().maxRSS / 1024]))
`

/** Measures simulated runs of 300,000 and of a million episodes, the most that a plan holds. */
export function aggregateRuns(): void {
  for (const episodes of [size(300_000, 2000), size(1_000_000, 6000)]) {
    const folder = mkdtempSync(join(tmpdir(), 'shaketable-bench-'))
    try {
      const written = writeManyRows(folder, episodes)
      const output = execFileSync(process.execPath, ['--input-type=module', '-e', script, folder], {
        cwd: fileURLToPath(new URL('.', import.meta.url)),
        encoding: 'utf8',
      })
      const [seconds, megabytes] = JSON.parse(output) as [number, number]
      console.log(
        `aggregate: ${thousands(written)} episodes: ${seconds.toFixed(1)} s of processor time, at most ${thousands(megabytes)} MB`,
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  }
}

/**
 * Writes a run folder: 5 environments, 10 conditions, 10 models, 2 temperatures, 10 seeds, and as many tasks as the
 * episodes need. Models differ in skill and conditions in difficulty; one episode in a thousand is broken.
 * @returns the number of episodes
 */
function writeManyRows(folder: string, episodes: number): number {
  const numbered = (name: string, count: number): string[] =>
    Array.from({ length: count }, (_, at) => `${name}-${String(at)}`)
  const [environments, conditions, models, seeds] = [size(5, 1), size(10, 2), size(10, 2), 10]
  const tasks = Math.max(1, Math.round(episodes / (environments * conditions * models * 2 * seeds)))
  const plan = makePlan({
    environments: numbered('environment', environments).map((name) => ({ name, tasks })),
    conditions: ['none', ...numbered('reworded', conditions - 1)],
    models: numbered('model', models),
    temperatures: [0, 1],
    seeds: Array.from({ length: seeds }, (_, seed) => seed),
  })
  const random = createRandom('many rows')
  const play = (cell: Cell): EpisodeRow => {
    const [skill, difficulty] = [plan.models.indexOf(cell.model), plan.conditions.indexOf(cell.condition)]
    const isSolved = random.next() < 0.3 + skill / 20 - difficulty / 40
    const outcome = random.int(1000) === 0 ? 'model-error' : isSolved ? 'success' : 'step-limit'
    const steps = isSolved ? 4 + random.int(20) : 30
    return { ...makeRow(rowOf(cell), outcome, isSolved ? 1 : random.int(4) / 4, { steps }), key: cell.key }
  }
  const all = cells(plan)
  writeRun(folder, plan, [])
  // Concurrent episodes end in any order.
  for (let at = 0; at < all.length; at += 1000) appendRows(folder, random.shuffle(all.slice(at, at + 1000)).map(play))
  return all.length
}
