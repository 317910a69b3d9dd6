import { latexLine, latexNumber, latexText } from './_latex-text.js'
import { figuresOf } from './figures.js'
import { plainText } from './plain.js'
import { type Cell, type Figure, type Table, type TableNotice, columnsOf, shownHeads } from './table.js'

/** What stands around the figures of a table in a paper. All text is plain; it is escaped here. */
interface PaperFloat {
  /** One sentence: what the figures are, and of what. */
  readonly caption: string
  readonly label: string
  /** Sentences below the table: signs, brackets, rewordings. */
  readonly notes: readonly string[]
  /** Comments above the table: what made it, and of which run. */
  readonly header: readonly string[]
  /** Further conventions, as a comment below the table that an appendix can take over. */
  readonly appendix: readonly string[]
  readonly notices: readonly TableNotice[]
}

/** With more columns of figures than this, a table is across both columns of a page. */
const maxNarrow = 5

/**
 * One float (booktabs) of a table, or of the same table of several environments, for an article of one or two columns.
 * Tables wider than their place are scaled down to it. Figures are right-aligned, with their spread beside them.
 */
export function latexPaperOf(tables: readonly Table[], about: PaperFloat): string {
  const isAlike = tables.every((table) => titlesOf(table) === titlesOf(tables[0]!))
  const grids = isAlike ? [tables] : tables.map((table) => [table])
  const notes = `\\scriptsize\\raggedright\n${about.notes.map(latexLine).join(' ')}`
  const float = tables.some((table) => columnsOf(table).length > maxNarrow) ? 'table*' : 'table'
  return [
    ...about.notices.map(({ text }) => `NOTICE: ${text}`).map(comment),
    ...['Needs \\usepackage{booktabs,graphicx}', ...about.header].map(comment),
    `\\begin{${float}}[t]`,
    '\\centering',
    // A name without a place to break leaves a loose line, which is no fault of the table.
    '\\hbadness=10000',
    `\\caption{${latexLine(about.caption)}}`,
    `\\label{${about.label}}`,
    '\\vspace{0.3em}',
    '\\small',
    grids.map((some) => tabular(some, tables.length > 1)).join('\n\\par\\medskip\n'),
    ...(about.notes.length === 0
      ? []
      : ['\\par\\smallskip', '\\begin{minipage}{\\linewidth}', notes, '\\end{minipage}']),
    `\\end{${float}}`,
    ...(about.appendix.length === 0 ? [] : [comment('For an appendix, without the percent signs:')]),
    ...about.appendix.map((text) => comment(latexLine(text))),
    '',
  ].join('\n')
}

function titlesOf({ heads, groups }: Table): string {
  return JSON.stringify([heads, groups.map(({ title, columns }) => [title, columns.map((column) => column.title)])])
}

/** Tables of the same columns as one, each under the name of its environment where there are several. */
function tabular(tables: readonly Table[], areNamed: boolean): string {
  const { heads, groups } = tables[0]!
  const columns = columnsOf(tables[0]!)
  const width = heads.length + 2 * columns.length
  return [
    '\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{%',
    `\\begin{tabular}{@{}${'l'.repeat(heads.length)}${'r@{}l'.repeat(columns.length)}@{}}`,
    '\\toprule',
    ...(groups.some(({ title }) => title !== '') ? groupTitles(heads.length, groups) : []),
    row([
      ...heads.map((head) => latexText(head)),
      ...columns.map(({ title, shows }) => over(2, shows === 'text' ? 'l' : 'c', stacked(title, maxTitle, 'c'))),
    ]),
    ...tables.map((table, place) =>
      [
        place === 0 ? '\\midrule' : '\\addlinespace',
        ...(areNamed ? [row([over(width, '@{}l', `\\textit{${latexText(table.environment ?? '')}}`)])] : []),
        ...rowsOf(table),
      ].join('\n'),
    ),
    '\\bottomrule',
    '\\end{tabular}}',
  ].join('\n')
}

function groupTitles(first: number, groups: Table['groups']): string[] {
  let from = first + 1
  const rules = groups.map(({ columns }) => {
    const to = from + 2 * columns.length - 1
    const rule = `\\cmidrule(lr){${String(from)}-${String(to)}}`
    from = to + 1
    return rule
  })
  const titles = groups.map(({ title, columns: { length } }) =>
    over(2 * length, 'c', stacked(title, maxTitle * length, 'c')),
  )
  return [row([...Array.from({ length: first }, () => ''), ...titles]), rules.join(' ')]
}

function rowsOf(table: Table): string[] {
  const figures = figuresOf(table)
  const columns = columnsOf(table)
  return shownHeads(table).map((heads, place) => {
    const { published, cells } = table.rows[place]!
    const isFirstPublished = place > 0 && published !== undefined && table.rows[place - 1]!.published === undefined
    const names = heads.map((head) => stacked(head, maxName, 'l'))
    const line = row([
      ...names.map((name) => (published === undefined || name === '' ? name : `\\textit{${name}}`)),
      ...columns.map(({ shows }, at) =>
        shows === 'text'
          ? over(2, 'l', stacked(figures[place]![at]!.main, maxName, 'l'))
          : figureOf(figures[place]![at]!, cells[at]!),
      ),
    ])
    return isFirstPublished ? `\\midrule\n${line}` : line
  })
}

/** A figure, and in a column of its own its spread and signs. */
function figureOf({ main, spread, short, changed }: Figure, { best, heldIn }: Cell): string {
  const bold = best ? `\\textbf{${latexNumber(main)}}` : latexNumber(main)
  const signs = `${changed ? '*' : ''}${short ? '\\dagger' : ''}`
  return [
    heldIn ? `\\underline{${bold}}` : bold,
    `${spread === '' ? '' : `\\,{\\scriptsize ${latexNumber(spread)}}`}${signs === '' ? '' : `$^{${signs}}$`}`,
  ].join(' & ')
}

/** Characters of a line of a title, and of a name. */
const maxTitle = 10
const maxName = 30

/** Text in lines of about `max` characters, broken after a space or sign, or anywhere where there is none. */
function stacked(text: string, max: number, side: 'l' | 'c'): string {
  const pieces = plainText(text)
    .split(/(?<=[^\p{L}\p{M}\p{N}.^@%])/u)
    .flatMap((piece) =>
      piece.length > max + 4 ? (piece.match(new RegExp(`.{1,${String(max)}}`, 'gsu')) ?? []) : [piece],
    )
  const lines = ['']
  for (const piece of pieces) {
    const last = lines.at(-1)!
    if (last === '' || (last + piece.trimEnd()).length <= max) lines[lines.length - 1] = last + piece
    else lines.push(piece)
  }
  const texts = lines.map((line) => latexText(line.trim()))
  return texts.length === 1 ? texts[0]! : `\\shortstack[${side}]{${texts.join('\\\\{}')}}`
}

function over(columns: number, side: string, text: string): string {
  return `\\multicolumn{${String(columns)}}{${side}}{${text}}`
}

/** `{}` first, since LaTeX reads a bracket or star at the beginning of a row as an option of the row before. */
function row(cells: readonly string[]): string {
  const text = cells.join(' & ')
  return `${text.startsWith('\\multicolumn') ? '' : '{}'}${text} \\\\`
}

/** A comment of lines of at most about 110 characters. */
function comment(text: string): string {
  return plainText(text)
    .replace(/(.{90,110}?)(?: +|$)/gu, '$1\n')
    .trimEnd()
    .replace(/^ */gmu, '% ')
}
