import { figuresOf } from './figures.js'
import type { Cell, Column, Figure, Table, TableNotice } from './table.js'
import { describeMarks, figureText, shownHeads } from './table.js'
import type { Page } from './_latex-pages.js'
import { paginate } from './_latex-pages.js'
import { latexLine, latexNumber, latexText, withLetterNote } from './_latex-text.js'
import { plainText } from './plain.js'

/**
 * Tables as LaTeX (booktabs, graphicx) for `\input`. Column groups that are too wide side by side stand under each
 * other; a group that is still wider than the line is scaled down to it. Notices are comments on top, and lines above
 * the tables of their environment.
 */
export function latexOf(tables: readonly Table[], notices: readonly TableNotice[] = []): string {
  const comments = notices.map(({ text }) => `% NOTICE: ${plainText(text)}\n`).join('')
  const text = tables.map((table) => oneTable(table, notices)).join('\n')
  return withLetterNote(`% \\usepackage{booktabs,graphicx}\n${comments}${text}`)
}

/** A column with its place in a row, and its formatted figures. */
interface Placed {
  readonly column: Column
  readonly place: number
  readonly figures: readonly Figure[]
  /** Whether it is set as two columns: what precedes the brackets flush right, the rest flush left. */
  readonly isPair: boolean
  /** Maximum decimals of a figure. */
  readonly decimals: number
}

/** Columns under a common title. */
interface PlacedGroup {
  readonly title: string
  readonly columns: readonly Placed[]
}

function oneTable(table: Table, notices: readonly TableNotice[]): string {
  const about = notices
    .filter(
      ({ environment }) => [undefined, table.environment].includes(environment) || table.environment === undefined,
    )
    .map(({ text }) => text)
  const marked = describeMarks(table, { best: 'Bold', heldIn: 'Underlined' })
  const notes = [...table.notes, ...marked, ...table.origin].join(' ')
  const label = `tab:${[table.name, ...(table.environment === undefined ? [] : [table.environment])].map(slug).join('-')}`
  const blocks = divide(table)
  const pages = paginate(
    table,
    blocks.map(({ characters }) => characters),
    notes.length + about.join(' ').length,
  )
  return pages
    .map((page, index) => {
      const part = pages.length === 1 ? '' : ` (${String(index + 1)} of ${String(pages.length)})`
      const title = latexLine(`${table.title}${part}`)
      const caption = index === 0 ? latexLine(notes) : `The caption of table~\\ref{${label}} describes the figures.`
      return [
        '\\begin{table}[t]',
        '\\centering',
        `\\caption[{${title}}]{${title}. {\\footnotesize ${caption}}}`,
        `\\label{${label}${index === 0 ? '' : `-${String(index + 1)}`}}`,
        '\\footnotesize',
        ...(index === 0 ? about.map((text) => `\\par\\textbf{Notice:} ${latexLine(text)}`) : []),
        ...blocks.map(({ groups }) => `\\par\\medskip\n${tabular(table, groups, page)}`),
        '\\end{table}',
        '',
      ].join('\n')
    })
    .join('\n')
}

/** Groups that stand beside each other, and their width in characters. */
interface Block {
  readonly groups: PlacedGroup[]
  characters: number
}

/** A wider block would have to be scaled down too far. A column counts two more than its longest text. */
const maxCharacters = 130

function divide(table: Table): Block[] {
  const cost = (texts: readonly string[]): number => 2 + Math.max(...texts.map(({ length }) => length))
  const heads = table.heads.reduce(
    (sum, head, place) => sum + cost([head, ...table.rows.map((row) => row.heads[place]!)]),
    0,
  )
  const blocks: Block[] = []
  for (const group of placeColumns(table)) {
    const width = group.columns.reduce(
      (sum, { column, figures }) => sum + cost([column.title, ...figures.map(figureText)]),
      0,
    )
    const last = blocks.at(-1)
    if (last !== undefined && last.characters + width <= maxCharacters) {
      last.groups.push(group)
      last.characters += width
    } else {
      blocks.push({ groups: [group], characters: heads + width })
    }
  }
  return blocks
}

function placeColumns(table: Table): PlacedGroup[] {
  const figures = figuresOf(table)
  let next = 0
  return table.groups.map(({ title, columns }) => ({
    title,
    columns: columns.map((column) => {
      const place = next++
      const own = figures.map((row) => row[place]!)
      return {
        column,
        place,
        figures: own,
        isPair: own.some(({ spread, short }) => spread !== '' || short),
        decimals: Math.max(0, ...own.map(({ main }) => decimalsOf(main))),
      }
    }),
  }))
}

function tabular(table: Table, groups: readonly PlacedGroup[], { from, to }: Page): string {
  const shown = { ...table, rows: table.rows.slice(from, to) }
  const heads = shownHeads(shown)
  const hasBlocks = table.rows.some((row, index) => index > 0 && table.rows[index - 1]!.heads[0] === row.heads[0])
  const columns = groups.flatMap((group) => group.columns)
  const kinds = columns.map(({ column, isPair }) => (isPair ? 'r@{}l' : column.shows === 'text' ? 'l' : 'r'))
  const titles = groups.map((group) => over(widthOf(group), latexText(group.title)))
  const rows = shown.rows.map((row, index) => {
    const names = heads[index]!.map((name) => latexName(name, row.published !== undefined))
    const cells = columns.map((column) => latexCell(column, from + index, row.cells[column.place]!))
    return `${ruleAbove(shown, index, hasBlocks)}${line([...names, ...cells])}`
  })
  return [
    '\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%',
    `\\begin{tabular}{${'l'.repeat(table.heads.length)}${kinds.join('')}}`,
    '\\toprule',
    line([...table.heads.map(() => ''), ...titles]),
    rules(table.heads.length + 1, groups),
    line([
      ...table.heads.map(latexText),
      ...columns.map((column) => over(column.isPair ? 2 : 1, latexText(column.column.title))),
    ]),
    '\\midrule',
    ...rows,
    '\\bottomrule',
    '\\end{tabular}}',
  ].join('\n')
}

/** A rule above the published rows, and room between models that have several rows. */
function ruleAbove({ rows }: Table, index: number, hasBlocks: boolean): string {
  const [above, row] = [rows[index - 1], rows[index]!]
  if (above === undefined) return ''
  if (row.published !== undefined) return above.published === undefined ? '\\midrule\n' : ''
  return hasBlocks && above.heads[0] !== row.heads[0] ? '\\addlinespace\n' : ''
}

function over(columns: number, text: string): string {
  return `\\multicolumn{${String(columns)}}{c}{${text}}`
}

/** Width in columns of LaTeX. */
function widthOf({ columns }: PlacedGroup): number {
  return columns.reduce((sum, { isPair }) => sum + (isPair ? 2 : 1), 0)
}

/** `{}` first, since LaTeX reads a bracket or star at the beginning of a row as an option of the row before. */
function line(cells: readonly string[]): string {
  return `{}${cells.join(' & ')} \\\\`
}

function rules(first: number, groups: readonly PlacedGroup[]): string {
  let from = first
  return groups
    .map((group) => {
      const to = from + widthOf(group) - 1
      const rule = `\\cmidrule(lr){${String(from)}-${String(to)}}`
      from = to + 1
      return rule
    })
    .join(' ')
}

function latexName(name: string, isPublished: boolean): string {
  const text = latexText(name)
  return isPublished && text !== '' ? `\\textit{${text}}` : text
}

function latexCell({ column, figures, isPair, decimals }: Placed, row: number, { best, heldIn }: Cell): string {
  const { main, spread, short } = figures[row]!
  const text = column.shows === 'text' ? latexText(main) : latexNumber(main)
  const bold = best ? `\\textbf{${text}}` : text
  const shown = heldIn ? `\\underline{${bold}}` : bold
  const number = `${shown}${/\d/.test(main) ? missingDecimals(decimalsOf(main), decimals) : ''}`
  if (!isPair) return number
  return `${number} & ${spread === '' ? '' : `~${latexNumber(spread)}`}${short ? '$^{\\dagger}$' : ''}`
}

/** Room for the decimals that other figures of the column have, so that the decimal points are aligned. */
function missingDecimals(own: number, max: number): string {
  if (own >= max) return ''
  return `\\phantom{${own === 0 ? '.' : ''}${'0'.repeat(max - own)}}`
}

function decimalsOf(main: string): number {
  return /^[<-]?\d+\.(\d+)$/.exec(main)?.[1]!.length ?? 0
}

function slug(name: string): string {
  return name.replace(/[^A-Za-z0-9]+/g, '-')
}
