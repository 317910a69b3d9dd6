import { aggregate } from '../src/results/aggregate.js'
import { readRun } from '../src/run/store/read-run.js'

/**
 * Reads a run, aggregates it and prints the cost. This is a process of its own, so that its peak memory is that of this
 * work alone.
 */
const started = performance.now()
const run = readRun(process.argv[2]!)
const { groups } = aggregate(run)
const ended = performance.now()
const { user, system } = process.cpuUsage()
console.log(
  JSON.stringify({
    episodes: run.stored,
    groups: groups.length,
    seconds: (ended - started) / 1000,
    cpuSeconds: (user + system) / 1e6,
    megabytes: process.resourceUsage().maxRSS / 1024,
  }),
)
