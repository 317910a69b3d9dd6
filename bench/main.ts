import { cpus } from 'node:os'
import { aggregateRuns } from './aggregate.js'
import { simulateFigures } from './figures.js'
import { gateLevel } from './gate-level.js'
import { live } from './live.js'
import { simulateUnchanged } from './pass-unchanged.js'

/** By name, in the order in which `npm run bench` measures them; `npm run bench -- gate figures` chooses some. */
const benches: Readonly<Record<string, () => unknown>> = {
  gate: gateLevel,
  unchanged: simulateUnchanged,
  figures: simulateFigures,
  aggregate: aggregateRuns,
  live,
}

console.log(
  `node ${process.version}, ${process.platform} ${process.arch}, ${cpus()[0]?.model.trim() ?? 'unknown processor'}`,
)
const chosen = process.argv.slice(2).filter((name) => name in benches)
for (const [name, measure] of Object.entries(benches)) if (chosen.length === 0 || chosen.includes(name)) await measure()
