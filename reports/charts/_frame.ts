import type { Aggregate } from '../../src/results/aggregate.js'
import { describeNotices, describeOrigin, titleTable } from '../tables/captions.js'
import type { Chart, Drawing } from './chart.js'
import { chartWidth } from './chart.js'
import { chartClass, chartStyle } from './palette.js'
import { element, escapeText, number } from './_svg.js'
import { boldness, fontFamily, label, wrapText } from './_text.js'

const titleSize = 13
const margin = 8

/** Title and caption. */
type Words = Pick<Chart, 'title' | 'caption'>

/** Title and caption of a drawing: the caption explains the marks and names the experiment and its coverage. */
export function wordsOf(aggregate: Aggregate, { what, environment, notes }: Drawing): Words {
  return {
    title: titleTable(what, aggregate, environment),
    caption: [...describeNotices(aggregate, environment), ...notes, ...describeOrigin(aggregate, environment)],
  }
}

/** A drawing with title, style and background. Its caption is for the text around it. */
export function frame(drawing: Drawing, words: Words, prefix: string): string {
  const titles = wrapText(words.title, chartWidth, titleSize * boldness, 3)
  const top = 12 + titles.length * 16
  const height = Math.ceil(top + drawing.height + margin)
  return root(
    words,
    prefix,
    height,
    element('style', {}, `\n${chartStyle}`),
    element('rect', { x: -margin, y: 0, width: chartWidth + 2 * margin, height, fill: 'paper' }),
    ...titles.map((line, index) => label(line, { x: 0, y: 18 + index * 16, size: titleSize, 'font-weight': 'bold' })),
    element('g', { transform: `translate(0 ${number(top)})` }, `\n${drawing.marks}\n`),
  )
}

/** A drawing alone, for a page that includes {@link chartStyle} and writes title and caption itself. */
export function embed(drawing: Drawing, words: Words, prefix: string): string {
  return root(words, prefix, Math.ceil(drawing.height), drawing.marks)
}

function root({ title, caption }: Words, prefix: string, height: number, ...children: readonly string[]): string {
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    class: chartClass,
    role: 'img',
    'aria-labelledby': `${prefix}-title ${prefix}-desc`,
    viewBox: `${String(-margin)} 0 ${String(chartWidth + 2 * margin)} ${String(height)}`,
    width: chartWidth + 2 * margin,
    height,
    'font-family': fontFamily,
  }
  const words = [
    element('title', { id: `${prefix}-title` }, escapeText(title)),
    element('desc', { id: `${prefix}-desc` }, escapeText(caption.join(' '))),
  ]
  return `${element('svg', attributes, `\n${[...words, element('g', { fill: 'ink' }, `\n${children.join('\n')}\n`)].join('\n')}\n`)}\n`
}
