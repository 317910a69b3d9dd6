import { canonicalJson, defineReport } from '../src/define.js'
import { aggregateOf } from './tables/define-report.js'

/** All figures of the tables and more, for programs. Numbers are unrounded shares of 1; keys are sorted. */
export default defineReport({
  name: 'json',
  summary: 'all figures of a run in one file for programs',
  source: 'shaketable',
  render: (run) => [{ file: 'report.json', text: `${canonicalJson(aggregateOf(run))}\n` }],
})
