import type { coloursOf } from '../tables/colours.js'
import { fitTo, widthOf } from '../tables/plain.js'
import { count as counted } from '../tables/words.js'
import { oneLine } from './_lines.js'

/** A cell of a table on a terminal. */
export interface Cell {
  readonly text: string
  readonly isWorse?: boolean
}

/** Rows of cells under their heads; the first cell of a row names it. */
export interface Grid {
  readonly heads: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  /** What rows and columns are, in the singular. */
  readonly kinds: readonly [row: string, column: string]
}

const maxName = 32
const minName = 16

/** Lays a grid out under its heads; rows and columns that do not fit are counted in a last line. */
export function layOutGrid(
  { heads, rows, kinds }: Grid,
  {
    width,
    maxRows,
    colours,
  }: { readonly width: number; readonly maxRows: number; readonly colours: ReturnType<typeof coloursOf> },
): string[] {
  const name = Math.min(maxName, Math.max(minName, Math.floor(width / 2)))
  const cell = Math.min(maxName, Math.max(minName, width - name - 2))
  const widest = (column: number): number => (width === Infinity ? Infinity : column === 0 ? name : cell)
  const lines = [heads.map((text): Cell => ({ text })), ...rows].map((row) =>
    row.map((cell, column) => ({ ...cell, text: fitTo(oneLine(cell.text), widest(column)) })),
  )
  const widths = heads.map((_, column) => Math.max(...lines.map((row) => widthOf(row[column]!.text))))
  let columns = 1
  for (let used = widths[0]!; columns < heads.length && (used += 2 + widths[columns]!) <= width; columns++);
  const isCut = columns < heads.length || rows.length > maxRows
  const shown = Math.min(rows.length, isCut ? maxRows - 1 : maxRows)
  const [head, ...body] = lines.slice(0, 1 + shown).map((row) =>
    row
      .slice(0, columns)
      .map(({ text, isWorse }, column) => {
        const space = ' '.repeat(widths[column]! - widthOf(text))
        return column === 0 ? text + space : space + (isWorse === true ? colours.red(text) : text)
      })
      .join('  ')
      .trimEnd(),
  )
  const left = [rows.length - shown, heads.length - columns].flatMap((count, index) =>
    count > 0 ? [counted(count, `more ${kinds[index]!}`).replace(/ys$/, 'ies')] : [],
  )
  return [colours.bold(head!), ...body, ...(left.length > 0 ? [`and ${left.join(', ')}`] : [])]
}
