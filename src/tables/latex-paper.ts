import { figuresOf } from './figures.js'
import { isCodePoint, latexLine, latexNumber, latexText, withLetterNote } from './_latex-text.js'
import { plainText } from './plain.js'
import type { Cell, Figure, Table, TableNotice } from './table.js'
import { columnsOf, shownHeads } from './table.js'

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

/** A float in LaTeX, and about how many lines of its own size it is high. */
interface PaperText {
  readonly text: string
  readonly lines: number
}

/**
 * One float (booktabs, threeparttable) of a table, or of the same table of several environments, for an article of one
 * or two columns. Nothing is scaled. It takes the first layout that fits: all columns side by side, their groups below
 * each other, rows and columns exchanged, or the columns divided; in one column of the page, or across it (`table*`).
 * Widths are estimated for Computer Modern at 10 to 12 points, whose letters are wider than those of Times.
 */
export function latexPaperOf(tables: readonly Table[], about: PaperFloat): PaperText {
  const alike = tables.every((table) => titlesOf(table) === titlesOf(tables[0]!))
    ? [tables]
    : tables.map((one) => [one])
  const several = tables.length > 1
  const grids = alike.flatMap((some) => layOut(some, several))
  const width = Math.max(...grids.map(widthOfGrid))
  const style = styles.find(({ room, gap }) => width + gap * gapsOf(grids) <= room) ?? styles.at(-1)!
  const notes = about.notes.map(latexLine).join(' ')
  const perLine = style.room * 2.1
  const lines =
    3 +
    Math.ceil(about.caption.length / perLine) +
    Math.ceil(about.notes.join(' ').length / perLine) +
    grids.reduce((sum, grid) => sum + linesOfGrid(grid), 0)
  return {
    text: withLetterNote(
      [
        ...about.notices.map(({ text }) => `NOTICE: ${text}`).map(comment),
        ...['Needs \\usepackage{booktabs,threeparttable}', ...about.header].map(comment),
        `\\begin{${style.float}}[t]`,
        '\\centering',
        // A name without a place to break leaves a loose line, which is no fault of the table.
        ...(/\S{20}/.test(about.caption) ? ['\\hbadness=10000'] : []),
        `\\caption{${latexLine(about.caption)}}`,
        `\\label{${about.label}}`,
        '\\vspace{0.3em}',
        style.size,
        `\\setlength{\\tabcolsep}{${String(style.gap / 2)}em}`,
        '\\begin{threeparttable}',
        ...grids.map((grid, place) => `${place === 0 ? '' : '\\par\\medskip\n'}${tabular(grid)}`),
        ...(notes === ''
          ? []
          : ['\\begin{tablenotes}[flushleft]', '\\scriptsize\\raggedright', `\\item\\hspace*{-\\labelsep}${notes}`]),
        ...(notes === '' ? [] : ['\\end{tablenotes}']),
        '\\end{threeparttable}',
        `\\end{${style.float}}`,
        ...(about.appendix.length === 0 ? [] : [comment('For an appendix, without the percent signs:')]),
        ...about.appendix.map((text) => comment(latexLine(text))),
        '',
      ].join('\n'),
    ),
    lines,
  }
}

/**
 * Sizes of letters with the room that they leave: the narrowest of common classes, in em of that size. A column is that
 * of two-column ACL proceedings (219 pt at 11 points), a page that of `article` at 10 to 12 points (345 to 390 pt).
 */
const styles = [
  { float: 'table', size: '\\small', room: 21.3, gap: 0.8 },
  { float: 'table', size: '\\footnotesize', room: 23.1, gap: 0.6 },
  { float: 'table*', size: '\\small', room: 35, gap: 0.8 },
  { float: 'table*', size: '\\footnotesize', room: 38.2, gap: 0.6 },
] as const
const widest = styles[3]

/** Text in LaTeX and its width in em. */
interface Box {
  readonly text: string
  readonly width: number
  readonly lines: number
}

/** A figure, and what follows it in a box of one width a column: its spread and signs. */
interface Shown {
  readonly main: Box
  readonly rest: string
  readonly restWidth: number
  readonly isText: boolean
}

interface Line {
  readonly heads: readonly Box[]
  readonly cells: readonly Shown[]
  readonly isPublished: boolean
}

/** Lines under a common title, such as an environment. */
interface Block {
  readonly title: string
  readonly lines: readonly Line[]
}

/** One tabular. */
interface Grid {
  readonly heads: readonly Box[]
  readonly groups: readonly { readonly title: string; readonly columns: readonly Box[] }[]
  readonly blocks: readonly Block[]
}

function titlesOf({ heads, groups }: Table): string {
  return JSON.stringify([heads, groups.map(({ title, columns }) => [title, columns.map((column) => column.title)])])
}

/** The first layout that fits a page; the last one is divided into as many parts as it takes. */
function layOut(tables: readonly Table[], several: boolean): Grid[] {
  const fits = (grids: readonly Grid[]): boolean =>
    grids.every((grid) => widthOfGrid(grid) + widest.gap * gapsOf([grid]) <= widest.room)
  const { groups, rows } = tables[0]!
  const namesOf = (group: Table['groups'][number]): string => JSON.stringify(group.columns.map(({ title }) => title))
  const isStackable = groups.length > 1 && groups.every((group) => namesOf(group) === namesOf(groups[0]!))
  const isTransposable = tables.every(
    (table) => JSON.stringify(table.rows.map((row) => row.heads)) === JSON.stringify(rows.map((row) => row.heads)),
  )
  const beside = sideBySide(tables, several)
  const below = isStackable ? stacked(tables, several) : beside
  const layouts = [[beside], [below], ...(isTransposable ? [[transposed(tables, several)]] : [])]
  const fitting = layouts.find(fits)
  if (fitting !== undefined) return fitting
  const columns = below.groups.reduce((sum, group) => sum + group.columns.length, 0)
  for (let parts = 2; parts < columns; parts++) {
    const divided = divide(below, parts)
    if (fits(divided)) return divided
  }
  return divide(below, columns)
}

function sideBySide(tables: readonly Table[], several: boolean): Grid {
  return {
    heads: headsOf(tables[0]!),
    groups: tables[0]!.groups.map(({ title, columns }) => ({
      title,
      columns: columns.map((column) => broken(column.title, maxTitle)),
    })),
    blocks: tables.map((table) => ({ title: several ? (table.environment ?? '') : '', lines: linesOf(table) })),
  }
}

function stacked(tables: readonly Table[], several: boolean): Grid {
  const { groups } = tables[0]!
  return {
    heads: headsOf(tables[0]!),
    groups: [{ title: '', columns: groups[0]!.columns.map(({ title }) => broken(title, maxTitle)) }],
    blocks: tables.flatMap((table) => {
      const lines = linesOf(table)
      return groups.map(({ title, columns }, place) => {
        const from = groups.slice(0, place).reduce((sum, group) => sum + group.columns.length, 0)
        return {
          title: several ? `${table.environment ?? ''}: ${title}` : title,
          lines: lines.map((line) => ({ ...line, cells: line.cells.slice(from, from + columns.length) })),
        }
      })
    }),
  }
}

function transposed(tables: readonly Table[], several: boolean): Grid {
  const { rows, groups } = tables[0]!
  return {
    heads: [broken(columnsOf(tables[0]!).some(({ label }) => label !== undefined) ? 'Condition' : '', maxHead)],
    groups: [{ title: '', columns: rows.map(({ heads }) => broken(heads.join(' '), maxTitle)) }],
    blocks: tables.flatMap((table) => {
      const lines = linesOf(table)
      let next = 0
      return table.groups.map(({ title, columns }) => ({
        title: [several ? (table.environment ?? '') : '', groups.length > 1 ? title : ''].filter(Boolean).join(': '),
        lines: columns.map((column) => {
          const place = next++
          return {
            heads: [named(column.title, maxHead)],
            cells: lines.map(({ cells }) => cells[place]!),
            isPublished: false,
          }
        }),
      }))
    }),
  }
}

/** Parts of about equally many columns, which stand below each other. */
function divide({ heads, groups, blocks }: Grid, parts: number): Grid[] {
  const columns = groups.flatMap(({ title, columns }) => columns.map((column) => ({ title, column })))
  const size = Math.ceil(columns.length / parts)
  return Array.from({ length: Math.ceil(columns.length / size) }, (_, part) => {
    const shown = columns.slice(part * size, (part + 1) * size)
    const titles = [...new Set(shown.map(({ title }) => title))]
    return {
      heads,
      groups: titles.map((title) => ({
        title,
        columns: shown.filter((one) => one.title === title).map(({ column }) => column),
      })),
      blocks: blocks.map(({ title, lines }) => ({
        title,
        lines: lines.map((line) => ({ ...line, cells: line.cells.slice(part * size, (part + 1) * size) })),
      })),
    }
  })
}

const maxTitle = 4
const maxHead = 11

function headsOf({ heads }: Table): Box[] {
  return heads.map((head) => broken(head, maxTitle))
}

function linesOf(table: Table): Line[] {
  const figures = figuresOf(table)
  const columns = columnsOf(table)
  const width = maxHead / Math.sqrt(table.heads.length)
  return shownHeads(table).map((heads, row) => {
    const { published, cells } = table.rows[row]!
    return {
      heads: heads.map((head) => named(head, width, published !== undefined)),
      cells: columns.map(({ shows }, place) => shownFigure(figures[row]![place]!, cells[place]!, shows === 'text')),
      isPublished: published !== undefined,
    }
  })
}

function shownFigure({ main, spread, short, changed }: Figure, { best, heldIn }: Cell, isText: boolean): Shown {
  const box = isText ? named(main, maxHead) : { text: latexNumber(main), width: emOf(main), lines: 1 }
  const bold = best ? `\\textbf{${box.text}}` : box.text
  const signs = `${changed ? '*' : ''}${short ? '\\dagger' : ''}`
  return {
    main: { ...box, text: heldIn ? `\\underline{${bold}}` : bold, width: box.width * (best ? 1.15 : 1) },
    rest: `${spread === '' ? '' : `\\,{\\scriptsize ${latexNumber(spread)}}`}${signs === '' ? '' : `$^{${signs}}$`}`,
    restWidth:
      (spread === '' ? 0 : 0.2 + 0.89 * emOf(spread)) + (changed ? 0.45 : 0) + (short ? 0.4 : 0) + (best ? 0.1 : 0),
    isText,
  }
}

/** A name of a row, on several lines where it is wider than `max` em. */
function named(name: string, max: number, isItalic = false): Box {
  const width = emOf(name)
  const text =
    width <= max
      ? latexText(name)
      : `\\parbox[t]{${max.toFixed(1)}em}{\\raggedright\\hspace{0pt}${latexLine(name)}\\strut}`
  return {
    text: isItalic && name !== '' ? `\\textit{${text}}` : text,
    width: Math.min(width, max),
    lines: Math.ceil((1.2 * width) / max) || 1,
  }
}

/** A title in lines of at most `max` em, broken after a space or sign, or anywhere where there is none. */
function broken(title: string, max: number): Box {
  const pieces = plainText(title)
    .split(/(?<=[^A-Za-z0-9.^@%])/u)
    .flatMap((piece) => (emOf(piece) > max + 1 ? (piece.match(/.{1,9}/gsu) ?? []) : [piece]))
  const lines = ['']
  for (const piece of pieces) {
    const last = lines.at(-1)!
    if (last === '' || emOf(last + piece.trimEnd()) <= max) lines[lines.length - 1] = last + piece
    else lines.push(piece)
  }
  const texts = lines.map((line) => latexText(line.trim()))
  return {
    text: texts.length === 1 ? texts[0]! : `\\shortstack{${texts.join('\\\\{}')}}`,
    width: Math.max(...lines.map((line) => emOf(line.trim()))),
    lines: lines.length,
  }
}

function restOf(blocks: readonly Block[], place: number): number {
  return Math.max(0, ...blocks.flatMap(({ lines }) => lines.map(({ cells }) => cells[place]!.restWidth)))
}

function columnWidth({ groups, blocks }: Grid, place: number): number {
  const title = groups.flatMap(({ columns }) => columns)[place]!
  const mains = blocks.flatMap(({ lines }) => lines.map(({ cells }) => cells[place]!.main.width))
  return Math.max(title.width, Math.max(0, ...mains) + restOf(blocks, place))
}

/** Width in em without the gaps between columns. */
function widthOfGrid(grid: Grid): number {
  const { heads, groups, blocks } = grid
  const names = heads.map(({ width }, place) =>
    Math.max(width, ...blocks.flatMap(({ lines }) => lines.map((line) => line.heads[place]!.width))),
  )
  let next = 0
  const figures = groups.map(({ title, columns }) => {
    const sum = columns.reduce((total) => total + columnWidth(grid, next++), 0)
    return Math.max(sum, Math.min(emOf(title), groupTitle(columns.length)))
  })
  return [...names, ...figures].reduce((sum, one) => sum + one, 0)
}

function gapsOf(grids: readonly Grid[]): number {
  return Math.max(
    ...grids.map(
      ({ heads, groups }) => heads.length - 1 + groups.reduce((sum, { columns }) => sum + columns.length, 0),
    ),
  )
}

function groupTitle(columns: number): number {
  return Math.max(maxTitle + 1, 3 * columns)
}

function linesOfGrid({ heads, groups, blocks }: Grid): number {
  const boxes = [...heads, ...groups.flatMap(({ columns }) => columns)]
  const titles = Math.max(...boxes.map(({ lines }) => lines)) + (groups.some(({ title }) => title !== '') ? 1 : 0)
  const high = ({ heads, cells }: Line): number =>
    Math.max(...heads.map(({ lines }) => lines), ...cells.map(({ main }) => main.lines))
  return blocks.reduce(
    (sum, { title, lines }) => sum + (title === '' ? 0 : 1.5) + lines.reduce((all, line) => all + high(line), 0),
    titles + 1,
  )
}

function tabular(grid: Grid): string {
  const { heads, groups, blocks } = grid
  const columns = groups.flatMap((group) => group.columns)
  const rests = columns.map((_, place) => restOf(blocks, place))
  const isText = columns.map((_, place) => blocks[0]?.lines.some(({ cells }) => cells[place]!.isText) ?? false)
  const total = heads.length + columns.length
  const isGrouped = groups.some(({ title }) => title !== '')
  return [
    `\\begin{tabular*}{\\linewidth}{@{\\extracolsep{\\fill}}${'l'.repeat(heads.length)}${isText.map((text) => (text ? 'l' : 'r')).join('')}@{}}`,
    '\\toprule',
    ...(isGrouped ? groupTitles(heads.length, groups) : []),
    row([
      ...heads.map(({ text }, place) => (place === 0 ? text : over(1, 'l', text))),
      ...columns.map(({ text }, place) => over(1, isText[place] ? 'l' : 'c', text)),
    ]),
    ...blocks.map(
      ({ title, lines }, place) =>
        `${place === 0 ? '\\midrule\n' : '\\addlinespace\n'}${
          title === '' ? '' : `${row([over(total, '@{}l', `\\textit{${named(title, widthOfGrid(grid)).text}}`)])}\n`
        }${lines.map((line, index) => `${ruleAbove(lines, index)}${figureRow(line, rests)}`).join('\n')}`,
    ),
    '\\bottomrule',
    '\\end{tabular*}',
  ].join('\n')
}

function groupTitles(first: number, groups: Grid['groups']): string[] {
  let from = first + 1
  const rules = groups.map(({ columns }) => {
    const to = from + columns.length - 1
    const rule = `\\cmidrule(lr){${String(from)}-${String(to)}}`
    from = to + 1
    return rule
  })
  return [
    row([
      ...Array.from({ length: first }, () => ''),
      ...groups.map(({ title, columns }) => over(columns.length, 'c', broken(title, groupTitle(columns.length)).text)),
    ]),
    rules.join(' '),
  ]
}

function ruleAbove(lines: readonly Line[], index: number): string {
  return index > 0 && lines[index]!.isPublished && !lines[index - 1]!.isPublished ? '\\midrule\n' : ''
}

function figureRow({ heads, cells }: Line, rests: readonly number[]): string {
  return row([
    ...heads.map(({ text }) => text),
    ...cells.map(({ main, rest }, place) =>
      rests[place] === 0 ? main.text : `${main.text}\\makebox[${rests[place]!.toFixed(2)}em][l]{${rest}}`,
    ),
  ])
}

function over(columns: number, side: string, text: string): string {
  return `\\multicolumn{${String(columns)}}{${side}}{${text}}`
}

/** `{}` first, since LaTeX reads a bracket or star at the beginning of a row as an option of the row before. */
function row(cells: readonly string[]): string {
  const [first = '', ...others] = cells
  return `${first.startsWith('\\multicolumn') ? '' : '{}'}${[first, ...others].join(' & ')} \\\\`
}

/** A comment of lines of at most about 110 characters. */
function comment(text: string): string {
  return plainText(text)
    .replace(/(.{90,110}?)(?: +|$)/gu, '$1\n')
    .trimEnd()
    .replace(/^ */gmu, '% ')
}

/** Widths in hundredths of an em in Computer Modern Roman; all other ASCII characters have at most 0.5. */
const widths = new Map(
  [
    [28, "il.,:;'|![] "],
    [31, 'fj'],
    [34, '-_'],
    [39, 'rst()'],
    [44, 'cez'],
    [56, 'bdhnpuS'],
    [53, 'kqvxyJ'],
    [36, 'I'],
    [64, 'LFZ'],
    [71, 'BER'],
    [74, 'CTPR'],
    [79, 'ADGHKNOQUVXY+=<>@&~^'],
    [84, 'm%#'],
    [73, 'w'],
    [92, 'M'],
    [103, 'W'],
  ].flatMap(([width, characters]) => [...(characters as string)].map((one) => [one, (width as number) / 100])),
)

/** The width of plain text in em of Computer Modern Roman, from above. */
function emOf(text: string): number {
  let width = 0
  for (const character of plainText(text)) {
    if (character === ' ') width += 0.34
    else if (character <= '~') width += widths.get(character) ?? 0.5
    else width += isCodePoint(latexText(character)) ? 4.2 : 1
  }
  return width
}
