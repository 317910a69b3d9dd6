import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeManyRows } from './_many-rows.js'

/** What it takes to sum a stored run up, from its folder to the figures that all reports are made of. */
export interface AggregateFigures {
  readonly episodes: number
  readonly groups: number
  readonly seconds: number
  /** The most that the process had resident. */
  readonly megabytes: number
}

/** Measures it in a process of its own on a run of a million episodes that is made up first. */
export function aggregateRun(episodes = 1_000_000): AggregateFigures {
  const folder = mkdtempSync(join(tmpdir(), 'shaketable-bench-'))
  try {
    writeManyRows(folder, episodes)
    const figures = measureAggregate(folder)
    console.log(
      `aggregate: ${figures.episodes.toLocaleString('en')} episodes in ${String(figures.groups)} groups, ${figures.seconds.toFixed(1)} s, ` +
        `${figures.megabytes.toFixed(0)} MB resident at most`,
    )
    return figures
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The same for a run folder that is there. */
export function measureAggregate(folder: string): AggregateFigures {
  const process_ = fileURLToPath(new URL('_aggregate-process.js', import.meta.url))
  return JSON.parse(execFileSync(process.execPath, [process_, folder], { encoding: 'utf8' })) as AggregateFigures
}
