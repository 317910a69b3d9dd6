import type { Report } from 'shaketable'
import behaviour from './behaviour.js'
import bestOfN from './best-of-n.js'
import charts from './charts.js'
import differences from './differences.js'
import html from './html/html.js'
import json from './json.js'
import robustness from './robustness.js'

export { formats, printReport, terminalReport } from './printed.js'
export type { Format } from './printed.js'

/** Every report that ships with the package, in the order in which they are listed. */
export const reports: readonly Report[] = [robustness, differences, behaviour, bestOfN, charts, html, json]
