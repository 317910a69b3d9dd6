import { figuresOf } from './figures.js'
import { type ColumnGroup, type Table, type TableNotice, describeMarks, figureText, shownHeads } from './table.js'
import { plainText, widthOf, withoutMiddle, wrap } from './plain.js'

/** One column of a group, or of names, with its title first; every line is padded to one width. */
interface Strip {
  readonly group?: ColumnGroup
  readonly lines: readonly string[]
  readonly width: number
}

const gap = '  '
/** Some terminals report a width of 0. */
const minWidth = 40
/** Of what is no terminal. */
const defaultWidth = 120

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
  const width = Math.max(given ?? defaultWidth, minWidth)
  const first = colours ? '\u001b[1mREAD THIS FIRST\u001b[22m' : 'READ THIS FIRST'
  const texts = notices.flatMap(({ text }) => wrap(`! ${plainText(text)}`, width))
  const shown = tables.map((table, index) => {
    const isLast = tables[index + 1]?.environment !== table.environment || index === tables.length - 1
    const marked = describeMarks(table, { best: bestSign, heldIn: heldInSign })
    return oneTable(table, [...table.notes, ...marked, ...(isLast ? table.origin : [])], width, given !== undefined)
  })
  return `${notices.length === 0 ? '' : `${[first, ...texts].join('\n')}\n\n`}${shown.join('\n\n')}\n`
}

function oneTable(table: Table, notes: readonly string[], width: number, isCut: boolean): string {
  const names = shownHeads(table)
  const heads = table.heads.map((head, place) =>
    strip('left', [head, ...names.map((row) => withoutMiddle(row[place]!, isCut ? maxName : Infinity))]),
  )
  const figures = figuresOf(table)
  const columns = table.groups.flatMap((group) => group.columns.map(({ title }) => ({ group, title })))
  const strips = columns.map(({ group, title }, at) => {
    // What precedes the brackets is aligned right, the rest left.
    const mains = figures.map((row) => row[at]!.main)
    const rests = table.rows.map(({ cells }, row) => {
      const { best, heldIn } = cells[at]!
      return `${figureText({ ...figures[row]![at]!, main: '' })}${best ? bestSign : ''}${heldIn ? heldInSign : ''}`
    })
    const { lines } = strip('left', rests)
    return { group, ...strip('right', [title, ...strip('right', mains).lines.map((main, row) => main + lines[row]!)]) }
  })
  const firstPublished = table.rows.findIndex(({ published }) => published !== undefined)
  const blocks = divide(strips, width - widthOfAll(heads) - gap.length)
  return [
    `${plainText(table.title)}\n`,
    ...blocks.map((block) => layOut(heads, block, firstPublished)),
    ...notes.flatMap((note) => wrap(plainText(note), width)),
  ].join('\n')
}

const bestSign = '°'
const heldInSign = '‡'
const maxName = 48

/** Fills blocks with whole groups while they fit; divides a group only where it is wider than a block. */
function divide(strips: readonly Strip[], room: number): Strip[][] {
  const blocks: Strip[][] = []
  let used = Infinity
  strips.forEach((one, place) => {
    const isFirst = one.group !== strips[place - 1]?.group
    const needed = widthOfAll(isFirst ? strips.filter(({ group }) => group === one.group) : [one])
    if (used >= 0 && used + gap.length + needed > room) {
      blocks.push([])
      used = -gap.length
    }
    blocks.at(-1)!.push(one)
    used += gap.length + one.width
  })
  return blocks
}

/** Groups side by side, with a rule below the titles and one above the row at `ruled`, if there is one. */
function layOut(heads: readonly Strip[], block: readonly Strip[], ruled: number): string {
  const groups = [...new Set(block.map(({ group }) => group))]
  const segments = [heads, ...groups.map((group) => block.filter((strip) => strip.group === group))].map((strips) => {
    const title = plainText(strips[0]!.group?.title ?? '')
    const lines = strips[0]!.lines.map((_, index) => strips.map(({ lines }) => lines[index]!).join(gap))
    const width = Math.max(widthOf(title), widthOfAll(strips))
    return { width, lines: [title, ...lines].map((line) => line + ' '.repeat(width - widthOf(line))) }
  })
  const [titles = '', names = '', ...rows] = segments[0]!.lines.map((_, index) =>
    segments.map(({ lines }) => lines[index]!).join(gap),
  )
  const rule = '─'.repeat(widthOfAll(segments))
  const ruledRows = rows.flatMap((line, row) => (row === ruled && row > 0 ? [rule, line] : [line]))
  return [titles, names, rule, ...ruledRows].map((line) => `${line.trimEnd()}\n`).join('')
}

function strip(side: 'left' | 'right', texts: readonly string[]): Strip {
  const plain = texts.map(plainText)
  const width = Math.max(...plain.map(widthOf))
  const lines = plain.map((text) => {
    const space = ' '.repeat(width - widthOf(text))
    return side === 'left' ? text + space : space + text
  })
  return { lines, width }
}

function widthOfAll(strips: readonly Pick<Strip, 'width'>[]): number {
  return strips.reduce((sum, { width }) => sum + width, gap.length * (strips.length - 1))
}
