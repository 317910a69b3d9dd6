import { aggregate } from '../reports/aggregate/aggregate.js'
import { readRun } from '../src/run/store/read-run.js'

/**
 * A process of its own, so that the peak of its memory is that of this work alone: reads a run and sums it up, and
 * prints what that took.
 */
const started = performance.now()
const run = readRun(process.argv[2]!)
const { groups } = aggregate(run)
const ended = performance.now()
console.log(
  JSON.stringify({
    episodes: run.stored,
    groups: groups.length,
    seconds: (ended - started) / 1000,
    megabytes: process.resourceUsage().maxRSS / 1024,
  }),
)
