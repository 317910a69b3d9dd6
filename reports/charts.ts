import { defineReport } from '../src/define.js'
import type { Chart } from './charts/chart.js'
import { chartsOf, isChartFile } from './charts/charts-of.js'
import { markdownText } from '../src/tables/markdown.js'
import { aggregateOf } from './tables/define-report.js'

/**
 * Charts for papers and pages: each a self-contained SVG, light and dark; `charts/captions.md` shows all of them with
 * their captions. Their figures are in the tables and in `report.json`.
 */
export default defineReport({
  name: 'charts',
  summary:
    'heat map, change of each family with its interval, progress over steps, and rates over intensity and checkpoints, as SVG',
  source: 'Progress over steps: AgentBoard (arXiv 2401.13178)',
  // A chart that a partial run had may have no figures once the run is complete.
  isLeftover: (file) => file === 'charts/captions.md' || isChartFile(file),
  render(run) {
    const charts = chartsOf(aggregateOf(run))
    if (charts.length === 0) return []
    return [
      ...charts.map(({ file, svg }) => ({ file: `charts/${file}.svg`, text: svg })),
      { file: 'charts/captions.md', text: charts.map(captioned).join('\n') },
    ]
  },
})

function captioned({ title, file, caption }: Chart): string {
  const notes = caption.map((sentence) => `- ${markdownText(sentence)}\n`).join('')
  return `## ${markdownText(title)}\n\n![${markdownText(title)}](${file}.svg)\n\n${notes}`
}
