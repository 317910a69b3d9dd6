import type { Report } from 'shaketable'
import ablation from './ablation.js'
import behaviour from './behaviour.js'
import bestOfN from './best-of-n.js'
import byKind from './by-kind.js'
import charts from './charts.js'
import differences from './differences.js'
import difficulty from './difficulty.js'
import flips from './flips.js'
import heldOut from './held-out.js'
import html from './html/html.js'
import json from './json.js'
import main from './main.js'
import preference from './preference.js'
import primary from './primary.js'
import robustness from './robustness.js'
import uncertainty from './uncertainty.js'

export type { Aggregate } from './aggregate/aggregate.js'
export { readAggregate } from './aggregate/read-aggregate.js'
export { formats, printReport, terminalReport } from './printed.js'
export type { Format } from './printed.js'
export { describeTasks } from './tables/captions.js'

/** Every report that ships with the package, in the order in which they are listed. */
export const reports: readonly Report[] = [
  main,
  primary,
  robustness,
  heldOut,
  ablation,
  differences,
  byKind,
  flips,
  difficulty,
  behaviour,
  preference,
  uncertainty,
  bestOfN,
  charts,
  html,
  json,
]
