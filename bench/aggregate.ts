import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeManyRows } from './_many-rows.js'
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
