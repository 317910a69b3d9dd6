import { figuresOf } from './figures.js'
import { type Cell, type Figure, type Table, type TableNotice, describeMarks, figureText } from './table.js'
import { plainText } from './plain.js'

/**
 * Tables as GitHub's Markdown, which has no column groups. Where no column title occurs twice, all columns stand side
 * by side. Otherwise small groups are joined with the group's title before each column's, and large groups are tables
 * of their own. Notices stand above all tables; what neighbouring tables of an environment say of the experiment, below
 * the last of them.
 */
export function markdownOf(tables: readonly Table[], notices: readonly TableNotice[] = []): string {
  const first = notices.map(({ text }) => `> - ${markdownText(text)}\n`).join('')
  return `${first === '' ? '' : `> **Read this first**\n>\n${first}\n`}${tables.map((table, place) => oneTable(table, tables[place + 1])).join('\n')}`
}

const maxColumnsOfSmallGroup = 3

/** What the next table of an environment says of the experiment too is left to it. */
function oneTable(table: Table, next: Table | undefined): string {
  const marked = describeMarks(table, { best: 'Bold', heldIn: 'Underlined' })
  const shared = next !== undefined && next.environment === table.environment ? next.origin : []
  const origin = table.origin.filter((sentence) => !shared.includes(sentence))
  const notes = [...table.notes, ...marked, ...origin].map((note) => `- ${markdownText(note)}\n`).join('')
  return `## ${markdownText(table.title)}\n\n${grids(table)}\n${notes}`
}

function grids(table: Table): string {
  const titles = table.groups.flatMap(({ columns }) => columns.map(({ title }) => title))
  if (new Set(titles).size === titles.length) return grid(table, titles, 0)
  if (table.groups.every(({ columns }) => columns.length <= maxColumnsOfSmallGroup)) {
    const whole = table.groups.flatMap((group) => group.columns.map(({ title }) => `${group.title}: ${title}`))
    return grid(table, whole, 0)
  }
  let from = 0
  const parts = table.groups.map(({ title, columns }) => {
    const part = grid(
      table,
      columns.map((column) => column.title),
      from,
    )
    from += columns.length
    return `**${markdownText(title)}**\n\n${part}`
  })
  return parts.join('\n')
}

/** A grid of the columns from `from` on, as many as there are titles. */
function grid(table: Table, titles: readonly string[], from: number): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`
  const figures = figuresOf(table)
  return [
    line([...table.heads, ...titles].map(markdownText)),
    line([...table.heads.map(() => '---'), ...titles.map(() => '---:')]),
    ...table.rows.map((row, place) =>
      line([
        ...row.heads.map((name) => (row.published === undefined ? markdownText(name) : italic(name))),
        ...titles.map((_, index) => markdownFigure(figures[place]![from + index]!, row.cells[from + index]!)),
      ]),
    ),
  ].join('')
}

function italic(name: string): string {
  const text = markdownText(name).trim()
  return text === '' ? '' : `_${text}_`
}

/** GitHub underlines `<ins>`. */
function markdownFigure(figure: Figure, { best, heldIn }: Cell): string {
  const main = markdownText(figure.main)
  const bold = best ? `**${main}**` : main
  return figureText({ ...figure, main: heldIn ? `<ins>${bold}</ins>` : bold })
}

/** Text that Markdown shows literally, on one line, within a table too. */
export function markdownText(text: string): string {
  return plainText(text)
    .replace(/[\\`*_[\]|~#$]/g, '\\$&')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
}
