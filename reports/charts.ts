import { defineReport } from 'shaketable'
import { chartsOf } from './charts/charts-of.js'
import { aggregateOf } from './tables/define-report.js'

/** Charts for papers and pages: each a self-contained SVG, light and dark, with its figures as CSV. */
export default defineReport({
  name: 'charts',
  summary:
    'robustness profile, drop, slope, heat map, kinds of tasks, progress profile, progress over steps, pass^k and dose as SVG with their figures',
  source: 'Performance profiles: rliable (arXiv 2108.13264); progress over steps: AgentBoard (arXiv 2401.13178)',
  render: (run) =>
    chartsOf(aggregateOf(run)).flatMap(({ file, svg, csv }) => [
      { file: `${file}.svg`, text: svg },
      { file: `${file}.csv`, text: csv },
    ]),
})
