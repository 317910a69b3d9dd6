import { defineReport } from '../../src/define.js'
import type { Aggregate } from '../../src/results/aggregate.js'
import { markdownText } from '../../src/tables/markdown.js'
import { describeNotices, describeOrigin, titleTable } from '../tables/captions.js'
import { aggregateOf } from '../tables/define-report.js'
import { intensityDrawings, stepsDrawings, trainingDrawings } from './curves.js'
import { dumbbellDrawings } from './dumbbell.js'
import { heatMapDrawings } from './heat-map.js'
import { chartClass, chartStyle, light } from './palette.js'
import { type Drawing, chartWidth, drawPlots, escapeText, lineOfText } from './_plot.js'

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
  isLeftover: (file) => file === 'charts/captions.md' || chartFile.test(file),
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

/** An SVG chart. All text in it is escaped, and the same aggregate gives the same bytes. */
export interface Chart {
  /**
   * The name of its files without an extension, in lower-case letters, digits and hyphens; unique in the run. Every id
   * in the SVG begins with it.
   */
  readonly file: string
  readonly title: string
  /** The sentences for the text around the chart: what the marks are, the experiment and its coverage. */
  readonly caption: readonly string[]
  /** Those that explain the marks. */
  readonly notes: readonly string[]
  readonly svg: string
}

/** The charts by name, in the order of the page. */
const drawings: Readonly<Record<string, (aggregate: Aggregate) => readonly Drawing[]>> = {
  'training-curve': trainingDrawings,
  'robustness-profile': dumbbellDrawings,
  'heat-map': heatMapDrawings,
  steps: stepsDrawings,
  intensity: intensityDrawings,
}

/** The files of charts, of all environments or of one. */
const chartFile = new RegExp(`^charts/(${Object.keys(drawings).join('|')})(-[a-z0-9-]+)?\\.svg$`)

const drawn = new WeakMap<Aggregate, readonly Chart[]>()

/** Every chart for which a run has figures, in a fixed order. Each is a file of its own, with its style. */
export function chartsOf(aggregate: Aggregate): readonly Chart[] {
  const charts = drawn.get(aggregate) ?? drawCharts(aggregate)
  drawn.set(aggregate, charts)
  return charts
}

function drawCharts(aggregate: Aggregate): Chart[] {
  const slugs = slugsOf(aggregate.environments.map(({ name }) => name))
  return Object.entries(drawings).flatMap(([name, draw]) =>
    draw(aggregate).map((drawing) => {
      const { what, environment, notes } = drawing
      const file = environment === undefined || slugs.size === 1 ? name : `${name}-${slugs.get(environment)!}`
      const title = titleTable(what, aggregate, environment)
      const origin = describeOrigin(aggregate, environment)
      const caption = [...describeNotices(aggregate, environment), ...notes, ...origin]
      return { file, title, caption, notes, svg: frame(drawing, title, caption, file) }
    }),
  )
}

const margin = 8

/** A drawing with title, style and background. Its caption is a description, and for the text around it. */
function frame({ plots }: Drawing, title: string, caption: readonly string[], prefix: string): string {
  const { marks, height } = drawPlots([lineOfText(title, 28, { fontSize: 13, fontWeight: 'bold' }), ...plots])
  const box = `width="${String(chartWidth + 2 * margin)}" height="${String(height + margin)}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" class="${chartClass}" ${box} role="img"
  viewBox="${String(-margin)} 0 ${String(chartWidth + 2 * margin)} ${String(height + margin)}"
  aria-labelledby="${prefix}-title ${prefix}-desc"
  font-family="Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif">
<title id="${prefix}-title">${escapeText(title)}</title>
<desc id="${prefix}-desc">${escapeText(caption.join(' '))}</desc>
<style>
${chartStyle}</style>
<rect x="${String(-margin)}" ${box} fill="${light.paper}"/>
<g text-anchor="middle" font-size="10" fill="${light.ink}">
${marks}
</g>
</svg>
`
}

/** A unique name for each environment that is safe in files and ids. */
function slugsOf(names: readonly string[]): ReadonlyMap<string, string> {
  const slugs = new Map<string, string>()
  for (const name of names) {
    const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? ['environment']
    const plain = words.join('-').slice(0, 40).replace(/-$/, '')
    const taken = [...slugs.values()]
    const candidates = [plain, ...names.map((_, place) => `${plain}-${String(place + 2)}`)]
    slugs.set(
      name,
      candidates.find((slug) => !taken.includes(slug))!,
    )
  }
  return slugs
}
