import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeManyRows } from './_many-rows.js'
import { size } from './_size.js'

/** Cost of aggregating a stored run, from its folder to the figures of all reports. */
export interface AggregateFigures {
  readonly episodes: number
  readonly groups: number
  readonly seconds: number
  /** Processor time of the process, which differs less than the seconds where the machine has other work. */
  readonly cpuSeconds: number
  /** Peak resident memory of the process. */
  readonly megabytes: number
}

/** Measures simulated runs of one and of three million episodes, and prints how time and memory grow. */
export function aggregateRuns(): void {
  const [one, three] = [aggregateRun(size(1_000_000, 2000)), aggregateRun(size(3_000_000, 6000))]
  const perMillion = (part: 'cpuSeconds' | 'megabytes'): string =>
    ((1e6 * (three[part] - one[part])) / (three.episodes - one.episodes)).toFixed(1)
  console.log(
    `aggregate: each further million takes ${perMillion('cpuSeconds')} s of processor time and ${perMillion('megabytes')} MB`,
  )
}

/** Writes a simulated run, and measures it in a process of its own. */
function aggregateRun(episodes: number): AggregateFigures {
  const folder = mkdtempSync(join(tmpdir(), 'shaketable-bench-'))
  try {
    writeManyRows(folder, episodes)
    const figures = measureAggregate(folder)
    console.log(
      `aggregate: ${figures.episodes.toLocaleString('en')} episodes in ${String(figures.groups)} groups: ` +
        `${figures.seconds.toFixed(1)} s (${figures.cpuSeconds.toFixed(1)} s of processor time), ` +
        `${figures.megabytes.toFixed(0)} MB resident at most`,
    )
    return figures
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Measures an existing run folder in a process of its own. */
export function measureAggregate(folder: string): AggregateFigures {
  const script = fileURLToPath(new URL('_aggregate-process.js', import.meta.url))
  return JSON.parse(execFileSync(process.execPath, [script, folder], { encoding: 'utf8' })) as AggregateFigures
}
