import type { Table } from './table.js'

/** Rows of one float; `to` is exclusive. */
export interface Page {
  readonly from: number
  readonly to: number
}

/** What fits a page of an article at 10 points: its height in points, and the characters of a footnote line. */
const pageHeight = 520
const lineWidth = 84

/**
 * Divides rows into floats that fit a page, by estimated heights, and keeps rows of one name together where it can.
 * `blocks` are the widths in characters of the tabulars that stand under each other; wider ones are scaled down to the
 * line.
 */
export function paginate({ rows }: Table, blocks: readonly number[], captionLength: number): Page[] {
  const scales = blocks.map((characters) => Math.min(1, lineWidth / characters))
  const scale = scales.reduce((sum, one) => sum + one, 0)
  const overhead = 40 + 8 * blocks.length + 40 * scale
  const first = pageHeight - overhead - 12 * Math.ceil(captionLength / lineWidth)
  const units = unitsOf(rows)
  const pages: Page[] = []
  let [from, left] = [0, first]
  for (const unit of units) {
    const height = (unit.to - unit.from) * 9.5 * scale + (unit.to - unit.from > 1 ? 5 * scale : 0)
    if (height > left && unit.from > from) {
      pages.push({ from, to: unit.from })
      from = unit.from
      left = pageHeight - overhead
    }
    left -= height
  }
  return [...pages, { from, to: rows.length }]
}

/** Rows of one name, or single rows where a name has more than 20. */
function unitsOf(rows: Table['rows']): Page[] {
  const starts = rows.map((_, index) => index).filter((index) => rows[index - 1]?.heads[0] !== rows[index]!.heads[0])
  const units = starts.map((from, place) => ({ from, to: starts[place + 1] ?? rows.length }))
  return units.some(({ from, to }) => to - from > 20) ? rows.map((_, from) => ({ from, to: from + 1 })) : units
}
