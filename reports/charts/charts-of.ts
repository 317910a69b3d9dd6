import type { Aggregate } from '../../src/results/aggregate.js'
import { describeNotices, describeOrigin, titleTable } from '../tables/captions.js'
import type { Chart, Drawing } from './chart.js'
import { chartWidth } from './chart.js'
import { intensityDrawings, stepsDrawings, trainingDrawings } from './curves.js'
import { dumbbellDrawings } from './dumbbell.js'
import { heatMapDrawings } from './heat-map.js'
import { chartClass, chartStyle } from './palette.js'
import { element, escapeText, label, number } from './_svg.js'

/** The charts by name, in the order of the page. */
const drawings: Readonly<Record<string, (aggregate: Aggregate) => readonly Drawing[]>> = {
  'training-curve': trainingDrawings,
  'robustness-profile': dumbbellDrawings,
  'heat-map': heatMapDrawings,
  steps: stepsDrawings,
  intensity: intensityDrawings,
}

/** Whether a file has the name of a chart, of all environments or of one. */
export function isChartFile(file: string): boolean {
  return new RegExp(`^charts/(${Object.keys(drawings).join('|')})(-[a-z0-9-]+)?\\.svg$`).test(file)
}

/** Every chart for which a run has figures, in a fixed order. Each is a file of its own, with its style. */
export function chartsOf(aggregate: Aggregate): readonly Chart[] {
  const slugs = slugsOf(aggregate.environments.map(({ name }) => name))
  return Object.entries(drawings).flatMap(([name, draw]) =>
    draw(aggregate).map((drawing) => {
      const { what, environment, notes } = drawing
      const file = environment === undefined || slugs.size === 1 ? name : `${name}-${slugs.get(environment)!}`
      const title = titleTable(what, aggregate, environment)
      const origin = describeOrigin(aggregate, environment)
      const caption = [...describeNotices(aggregate, environment), ...notes, ...origin]
      return { name, file, title, caption, notes, svg: frame(drawing, title, caption, file) }
    }),
  )
}

const margin = 8
const top = 28

/** A drawing with title, style and background. Its caption is a description, and for the text around it. */
function frame(drawing: Drawing, title: string, caption: readonly string[], prefix: string): string {
  const height = Math.ceil(top + drawing.height + margin)
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    class: chartClass,
    role: 'img',
    'aria-labelledby': `${prefix}-title ${prefix}-desc`,
    viewBox: `${String(-margin)} 0 ${String(chartWidth + 2 * margin)} ${String(height)}`,
    width: chartWidth + 2 * margin,
    height,
    'font-family': "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif",
  }
  const children = [
    element('title', { id: `${prefix}-title` }, escapeText(title)),
    element('desc', { id: `${prefix}-desc` }, escapeText(caption.join(' '))),
    element('style', {}, `\n${chartStyle}`),
    element('rect', { x: -margin, y: 0, width: chartWidth + 2 * margin, height, fill: 'paper' }),
    label(title, { x: 0, y: 18, size: 13, width: chartWidth, fill: 'ink', 'font-weight': 'bold' }),
    element('g', { fill: 'ink', transform: `translate(0 ${number(top)})` }, `\n${drawing.marks}\n`),
  ]
  return `${element('svg', attributes, `\n${children.join('\n')}\n`)}\n`
}

/** A unique name for each environment that is safe in files and ids. */
function slugsOf(names: readonly string[]): ReadonlyMap<string, string> {
  const slugs = new Map<string, string>()
  const taken = new Set<string>()
  for (const name of names) {
    const words = name.toLowerCase().match(/[a-z0-9]+/g) ?? ['environment']
    const plain = words.join('-').slice(0, 40).replace(/-$/, '')
    let slug = plain
    for (let number = 2; taken.has(slug); number++) slug = `${plain}-${String(number)}`
    taken.add(slug)
    slugs.set(name, slug)
  }
  return slugs
}
