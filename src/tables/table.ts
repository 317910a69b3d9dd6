/**
 * A table before it is formatted: the one way in which reports, comparisons, gates and audits make tables. All text in
 * it is plain; each format escapes it. `terminalOf`, `markdownOf`, `latexOf` and `csvOf` print it.
 */
export interface Table {
  readonly name: string
  /**
   * What its rows are, where several tables have one name: they are parts of one table, such as changes `by` family.
   */
  readonly by?: string
  /** The environment of all its figures. Absent where it spans several; its columns then name theirs. */
  readonly environment?: string
  readonly title: string
  /** The caption after the title, one sentence each: what the figures are. */
  readonly notes: readonly string[]
  /** What the marks on figures mean: the end of a sentence that each format begins with how it shows the mark. */
  readonly marks?: Readonly<Partial<Record<Mark, string>>>
  /**
   * The rest of the caption, the same for all tables of an environment: what was run, its coverage, where it comes
   * from.
   */
  readonly origin: readonly string[]
  /** Titles of the leading columns that name a row. */
  readonly heads: readonly string[]
  readonly groups: readonly ColumnGroup[]
  readonly rows: readonly Row[]
}

/** Marks on a figure: it may be the best of its column; the model was trained on the environment. */
export const marks = ['best', 'heldIn'] as const
/** One of {@link marks}. */
export type Mark = (typeof marks)[number]

/** Columns under a common title. */
export interface ColumnGroup {
  readonly title: string
  readonly columns: readonly Column[]
}

/** One column: how its cells are shown, and what they are in a file of figures. */
export interface Column {
  readonly title: string
  /**
   * `percent`: a share as `60.1 (2.6)`, the deviation in brackets. `change`: a difference of shares in points with its
   * interval, `-12.3 [-18.0, -6.6]`. `share`: a share in percent with its interval, `45.3 [30.1, 60.2]`. `error`: a
   * standard error of a share, in points; where only `high` is known of it `<7.7`.
   * `number`: one decimal, with the interval where there is one. `ratio`: two. `nats`: two, with the interval. `count`:
   * none. `p`: a probability, `0.012`. `coverage`: `134/134`. `text`: words.
   */
  readonly shows:
    'percent' | 'change' | 'share' | 'error' | 'number' | 'ratio' | 'nats' | 'count' | 'p' | 'coverage' | 'text'
  readonly metric: string
  /** Label of its perturbation column, where the row does not have it. */
  readonly label?: string
  /** Its environment, in a table that spans several. */
  readonly environment?: string
}

/** One row. `cells` run through the columns of all groups. */
export interface Row {
  /** One text for each of the table's heads. */
  readonly heads: readonly string[]
  readonly model: string
  readonly agent: string
  /** Absent for a row over all temperatures. */
  readonly temperature?: number
  /** Label of its perturbation column, where it has one. */
  readonly label?: string
  /** In a table by kinds, the kind of task, or a name for several kinds. */
  readonly kind?: string
  /** The source of a row that was published and not measured here. */
  readonly published?: string
  readonly cells: readonly Cell[]
}

/** One figure with its spread and coverage, unrounded, as shares of 1. An absent value is shown as a dash. */
export interface Cell extends Readonly<Partial<Record<Mark, true>>> {
  readonly value?: number
  readonly deviation?: number
  /** Passes that the deviation is over. */
  readonly runs?: number
  readonly low?: number
  readonly high?: number
  readonly valid?: number
  readonly planned?: number
  /** Decimals with which a published figure was printed. */
  readonly decimals?: number
  /** Text in place of a figure. */
  readonly text?: string
  /** Whether it differs significantly from the unperturbed figure. Only in the tables of papers, which say how. */
  readonly changed?: true
}

/** A figure without a spread as a cell. */
export function figure(value: number | undefined): Cell {
  return value === undefined ? {} : { value }
}

/** All columns of a table, in the order of a row's cells. */
export function columnsOf(table: Table): readonly Column[] {
  return table.groups.flatMap((group) => group.columns)
}

/** A table with some of its columns. */
export function withColumns(table: Table, isShown: (column: Column, group: ColumnGroup) => boolean): Table {
  const shown = table.groups.flatMap((group) => group.columns.map((column) => isShown(column, group)))
  return {
    ...table,
    groups: table.groups
      .map((group) => ({ ...group, columns: group.columns.filter((column) => isShown(column, group)) }))
      .filter(({ columns }) => columns.length > 0),
    rows: table.rows.map((row) => ({ ...row, cells: row.cells.filter((_, place) => shown[place]) })),
  }
}

/** The names of each row, empty where they repeat those of the row above. */
export function shownHeads({ rows }: Table): readonly (readonly string[])[] {
  return rows.map(({ heads }, index) => {
    const above = rows[index - 1]?.heads
    const first = heads.findIndex((name, place) => name !== above?.[place])
    return heads.map((name, place) => (place < first ? '' : name))
  })
}

/** What the marks that occur in a table mean; `shown` is how the format shows each. */
export function describeMarks(table: Table, shown: Readonly<Record<Mark, string>>): string[] {
  return marks
    .filter((mark) => table.rows.some(({ cells }) => cells.some((cell) => cell[mark])))
    .map((mark) => `${shown[mark]}: ${table.marks?.[mark] ?? mark}.`)
}

/** A formatted cell: ASCII digits and minus, `–` for no value. */
export interface Figure {
  /** The figure itself. */
  readonly main: string
  /** Its spread, in brackets: `(2.6)`, `[-18.0, 6.6]`. Empty without one. */
  readonly spread: string
  /** Whether episodes are missing under it. */
  readonly short: boolean
  /** See {@link Cell.changed}. */
  readonly changed?: true
}

/** A figure in one piece, with a `†` where episodes are missing under it, and a `*` where it has changed. */
export function figureText({ main, spread, short, changed }: Figure): string {
  return `${main}${spread === '' ? '' : ` ${spread}`}${changed ? '*' : ''}${short ? '†' : ''}`
}

/** Decimals of a figure that is no share; those of shares follow from their spread. */
const decimalsOf = { count: 0, number: 1, ratio: 2, nats: 2, p: 3 } as const

/** Formats a cell; `decimals` applies to shares and changes. */
export function figureOf(cell: Cell, { shows }: Column, decimals = 1): Figure {
  const { value, deviation, low, high, valid = 0, planned = 0, text } = cell
  const points = (share: number): string => fixed(100 * share, cell.decimals ?? decimals)
  const shown = (one: number): string =>
    shows in decimalsOf ? fixed(one, decimalsOf[shows as keyof typeof decimalsOf]) : points(one)
  const figure = (main: string, spread = ''): Figure => {
    const short = text === undefined && shows === 'percent' && valid < planned
    return { main, spread, short, ...(cell.changed && { changed: true }) }
  }
  if (text !== undefined) return figure(text)
  if (shows === 'coverage') return figure(`${String(valid)}/${String(planned)}`)
  if (value === undefined) return figure(shows === 'error' && high !== undefined ? `<${points(high)}` : '–')
  if (shows === 'p' && value < 0.001) return figure('<0.001')
  if (shows === 'percent') return figure(points(value), deviation === undefined ? '' : `(${points(deviation)})`)
  const hasInterval = !['count', 'ratio', 'p', 'error'].includes(shows) && low !== undefined && high !== undefined
  return figure(shown(value), hasInterval ? `[${shown(low)}, ${shown(high)}]` : '')
}

/** A number with a fixed number of decimals, and without a minus before zero. */
function fixed(value: number, decimals: number): string {
  const text = value.toFixed(decimals)
  return Number(text) === 0 ? (0).toFixed(decimals) : text
}

/** A warning on what limits the meaning of the figures. Every format shows it before its tables. */
export interface TableNotice {
  readonly kind: string
  /** `error`: the figures mean nothing; `warning`: they are limited; `note`: worth knowing. */
  readonly severity: 'error' | 'warning' | 'note'
  /** Absent where it applies to every environment. */
  readonly environment?: string
  /** What is wrong, with figures, and what to do. */
  readonly text: string
}
