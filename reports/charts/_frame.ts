import type { Aggregate } from '../aggregate/aggregate.js'
import { describeOrigin, titleTable } from '../tables/captions.js'
import type { Drawing } from './chart.js'
import { chartWidth } from './chart.js'
import { chartClass, chartStyle } from './palette.js'
import { element, escapeText } from './_svg.js'
import { fontFamily, label, wrapText } from './_text.js'

const titleSize = 13
const captionSize = 10

/** Title and caption of a drawing: what it shows where, what its marks are, what was run and how much of it was measured. */
export function wordsOf(
  aggregate: Aggregate,
  { what, environment, notes }: Drawing,
): { readonly title: string; readonly caption: readonly string[] } {
  return {
    title: titleTable(what, aggregate, environment),
    caption: [...notes, ...describeOrigin(aggregate, environment)],
  }
}

/** The SVG of a drawing under its title and over its caption. Without its style it is for a page that has {@link chartStyle} already. */
export function frame(
  { marks, height }: Drawing,
  { title, caption }: ReturnType<typeof wordsOf>,
  prefix: string,
  withStyle: boolean,
): string {
  const titles = wrapText(title, chartWidth, titleSize * 1.08, 3)
  const sentences = caption.flatMap((sentence) => wrapText(sentence, chartWidth, captionSize, 6))
  const top = 6 + titles.length * 16 + 6
  const captionTop = top + height + 14
  const total = captionTop + sentences.length * 13
  return `${element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      class: chartClass,
      role: 'img',
      'aria-labelledby': `${prefix}-title ${prefix}-desc`,
      viewBox: `-8 0 ${String(chartWidth + 16)} ${String(Math.ceil(total))}`,
      width: chartWidth + 16,
      height: Math.ceil(total),
      'font-family': fontFamily,
    },
    `\n${element('title', { id: `${prefix}-title` }, escapeText(title))}`,
    `\n${element('desc', { id: `${prefix}-desc` }, escapeText(caption.join(' ')))}\n`,
    withStyle ? `${element('style', {}, `\n${chartStyle}`)}\n` : '',
    element('rect', { x: -8, y: 0, width: chartWidth + 16, height: Math.ceil(total), fill: 'paper' }),
    '\n',
    ...titles.map((line, index) => label(line, { x: 0, y: 18 + index * 16, size: titleSize, 'font-weight': 'bold' })),
    `\n${element('g', { transform: `translate(0 ${String(top)})` }, `\n${marks}`)}\n`,
    ...sentences.map((line, index) =>
      label(line, { x: 0, y: captionTop + index * 13, size: captionSize, fill: 'muted' }),
    ),
    '\n',
  )}\n`
}
