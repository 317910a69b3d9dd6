import { figuresOf } from './figures.js'
import type { Cell, Figure, Table, TableNotice } from './table.js'
import { describeMarks, figureText, shownHeads } from './table.js'
import { plainText, widthOf } from './plain.js'

/** One column with its title first; every line is padded to one width. */
interface Strip {
  readonly lines: readonly string[]
  readonly width: number
}

/** Strips under a common title. */
interface Segment {
  readonly title: string
  readonly strips: Strip[]
}

const gap = '  '
/** Some terminals report a width of 0. */
const minWidth = 40
/** Of what is no terminal. */
const usualWidth = 120

/**
 * Tables for a terminal of a width in characters. Without one it is no terminal, and no name is shortened. Columns that
 * do not fit beside the row names go into a block below. The origin of neighbouring tables of an environment is printed
 * once. Notices stand above all tables.
 */
export function terminalOf(
  tables: readonly Table[],
  given: number | undefined,
  colours = false,
  notices: readonly TableNotice[] = [],
): string {
  const width = Math.max(given ?? usualWidth, minWidth)
  const first = colours ? '\u001b[1mREAD THIS FIRST\u001b[22m' : 'READ THIS FIRST'
  const texts = notices.map(({ text }) => wrap(`! ${plainText(text)}`, width))
  const shown = tables.map((table, index) => {
    const isLast = tables[index + 1]?.environment !== table.environment || index === tables.length - 1
    const marked = describeMarks(table, { best: bestSign, heldIn: heldInSign })
    return oneTable(table, [...table.notes, ...marked, ...(isLast ? table.origin : [])], width, given !== undefined)
  })
  return `${notices.length === 0 ? '' : `${[first, ...texts].join('\n')}\n\n`}${shown.join('\n\n')}\n`
}

function oneTable(table: Table, notes: readonly string[], width: number, isCut: boolean): string {
  const names = shownHeads(table)
  const figures = figuresOf(table)
  const heads = {
    title: '',
    strips: table.heads.map((head, place) =>
      strip([head, ...names.map((row) => (isCut ? shorten(row[place]!) : row[place]!))], 'left'),
    ),
  }
  let first = 0
  const segments = table.groups.map(({ title, columns }) => {
    const from = first
    first += columns.length
    return {
      title: plainText(title),
      strips: columns.map((column, index) => {
        const cells = table.rows.map(({ cells }) => cells[from + index]!)
        const shown = figures.map((row) => row[from + index]!)
        return figureStrip(column.title, shown, cells)
      }),
    }
  })
  const firstPublished = table.rows.findIndex(({ published }) => published !== undefined)
  const blocks = divide(segments, width - widthOfAll(heads.strips) - gap.length)
  return [
    `${plainText(table.title)}\n`,
    ...blocks.map((block) => layOut([heads, ...block], firstPublished)),
    ...notes.map((note) => wrap(plainText(note), width)),
  ].join('\n')
}

const bestSign = '°'
const heldInSign = '‡'

/** Figures under a title: what precedes the brackets is aligned right, the rest left. */
function figureStrip(title: string, figures: readonly Figure[], cells: readonly Cell[]): Strip {
  const mains = strip(
    figures.map(({ main }) => main),
    'right',
  )
  const rests = strip(
    figures.map((figure, row) => {
      const { best, heldIn } = cells[row]!
      return `${figureText({ ...figure, main: '' })}${best ? bestSign : ''}${heldIn ? heldInSign : ''}`
    }),
    'left',
  )
  return strip([title, ...mains.lines.map((main, row) => main + rests.lines[row]!)], 'right')
}

/** Fills blocks with whole groups while they fit; divides a group only where it is wider than a block. */
function divide(segments: readonly Segment[], room: number): Segment[][] {
  const blocks: Segment[][] = []
  let used = Infinity
  for (const { title, strips } of segments) {
    const whole = widthOfAll(strips)
    if (used + gap.length + whole > room) {
      blocks.push([])
      used = -gap.length
    }
    let segment: Segment = { title, strips: [] }
    blocks.at(-1)!.push(segment)
    for (const strip of strips) {
      if (used >= 0 && used + gap.length + strip.width > room) {
        segment = { title, strips: [] }
        blocks.push([segment])
        used = -gap.length
      }
      segment.strips.push(strip)
      used += gap.length + strip.width
    }
  }
  return blocks
}

/** Segments side by side, with a rule below the titles and one above the row at `ruled`, if there is one. */
function layOut(segments: readonly Segment[], ruled: number): string {
  const columns = segments.map(({ title, strips }) => {
    const inner = widthOfAll(strips)
    const width = Math.max(widthOf(title), inner)
    const lines = strips[0]!.lines.map((_, index) => strips.map(({ lines }) => lines[index]!).join(gap))
    return {
      lines: [title, ...lines].map((line, index) => line + ' '.repeat(width - (index === 0 ? widthOf(title) : inner))),
      width,
    }
  })
  const lines = columns[0]!.lines.map((_, index) => columns.map(({ lines }) => lines[index]!).join(gap))
  const rule = '─'.repeat(widthOfAll(columns))
  const rows = lines.slice(2).flatMap((line, row) => (row === ruled && row > 0 ? [rule, line] : [line]))
  return [...lines.slice(0, 2), rule, ...rows].map((line) => `${line.trimEnd()}\n`).join('')
}

function strip(texts: readonly string[], side: 'left' | 'right'): Strip {
  const plain = texts.map(plainText)
  const width = Math.max(...plain.map(widthOf))
  const lines = plain.map((text) => {
    const space = ' '.repeat(width - widthOf(text))
    return side === 'left' ? text + space : space + text
  })
  return { lines, width }
}

function widthOfAll(strips: readonly Strip[]): number {
  return strips.reduce((sum, { width }) => sum + width, gap.length * (strips.length - 1))
}

const maxName = 48

/** Leaves out the middle of a long name, since the names of models differ at their ends. */
function shorten(name: string): string {
  const letters = [...name]
  if (letters.length <= maxName) return name
  return [...letters.slice(0, maxName / 2), '…', ...letters.slice(1 - maxName / 2)].join('')
}

function wrap(text: string, width: number): string {
  const lines = ['']
  for (const word of text.split(/ +/)) {
    const line = lines.at(-1)!
    if (line !== '' && widthOf(line) + 1 + widthOf(word) > width) lines.push(word)
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`
  }
  return lines.join('\n')
}
