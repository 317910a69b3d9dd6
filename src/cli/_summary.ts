import { describePartial } from '../../reports/tables/captions.js'
import type { Aggregate } from '../results/aggregate.js'
import { points } from '../results/summary/figures.js'
import { judge } from '../results/summary/verdict.js'
import type { coloursOf } from '../tables/colours.js'
import { fitTo, widthOf } from '../tables/plain.js'
import { count as counted } from '../tables/words.js'
import { escapeLine, oneLine, wrap } from './_lines.js'

/** The most lines of a summary, and the columns that it takes of a terminal. */
const maxLines = 30
const [minColumns, maxColumns] = [40, 100]
const maxHeadlines = 5
const maxNotices = 3
const minRows = 4
const maxName = 32

type Family = Aggregate['profiles'][number]['families'][number]
type Profile = Aggregate['profiles'][number]

/** What to show besides the figures. */
interface SummaryView {
  /** Columns of the terminal; what is no terminal is read by programs and in logs, where nothing is cut. */
  readonly width: number
  readonly colours: ReturnType<typeof coloursOf>
  /** The page to open. */
  readonly page: string
  /** Names of the control models among those of the run. */
  readonly controls: readonly string[]
}

/** A run in the few lines with which `shaketable run` ends: headlines, one table, notices, and the page to open. */
export function describeSummary(aggregate: Aggregate, view: SummaryView): string {
  const { colours, page, controls } = view
  const width = view.width === Infinity ? Infinity : Math.max(minColumns, Math.min(maxColumns, view.width))
  const noticesOf = (isSevere: boolean): string[] =>
    aggregate.notices
      .filter(({ severity }) => (severity === 'error') === isSevere)
      .map(({ text }) => fitTo(escapeLine(`! ${text}`), width))
  const severe = noticesOf(true)
  const rest = [...severe.splice(maxNotices), ...noticesOf(false)]
  const shown = rest.splice(0, maxNotices - severe.length)
  const why = describePartial(aggregate)
  const facts = [
    describePlayed(aggregate),
    ...(controls.length === 0
      ? []
      : [`Control models are instruments, not language models: ${controls.map(escapeLine).join(', ')}.`]),
  ]
  const first = [
    ...(why === undefined ? [] : [colours.bold(`${why}.`)]),
    ...severe.map((text) => colours.bold(colours.red(text))),
    ...describeHeadlines(aggregate, width),
  ]
  const last = [
    '',
    ...facts.map((fact) => colours.dim(fitTo(fact, width))),
    ...shown.map((text) => colours.yellow(text)),
    ...(rest.length > 0 ? [colours.yellow(`! and ${counted(rest.length, 'more notice')} in the page`)] : []),
    colours.bold(`open ${escapeLine(page)}`),
  ]
  const maxRows = Math.max(minRows, maxLines - first.length - last.length - 3)
  return [...first, ...describeChanges(aggregate, { width, maxRows, colours }), ...last].join('\n')
}

/** What `run --json` prints of a run; its figures are in report.json. */
export function summaryJson({ identity, headlines, notices }: Aggregate) {
  return { identity, headlines, notices }
}

/** The first headlines, each in at most two lines. */
function describeHeadlines({ headlines }: Aggregate, width: number): string[] {
  const shown = headlines.slice(0, maxHeadlines).flatMap(({ text }) => {
    const [first = '', ...rest] = wrap(escapeLine(text), width, '  ')
    return [first, ...(rest.length > 0 ? [fitTo(`  ${rest.map((line) => line.trim()).join(' ')}`, width)] : [])]
  })
  const left = headlines.length - maxHeadlines
  return left > 0 ? [...shown, `and ${counted(left, 'more sentence')} in the page`] : shown
}

/** What was played: `household, version 1: 40 tasks; agent act; prompt shaketable's own; 1 seed (1), …`. */
function describePlayed({ identity }: Aggregate): string {
  const facts = ['Tasks', 'Agent', 'Agents', 'Prompt', 'Prompts', 'Runs'].flatMap((wanted) =>
    identity
      .filter(({ name }) => name === wanted)
      .map(({ value }) => (/^[AP]/.test(wanted) ? `${wanted.toLowerCase()} ${value}` : value)),
  )
  return escapeLine(facts.join('; ').replace(/ \(panel \w+\)|; panel \w+/g, ''))
}

interface Cell {
  readonly text: string
  readonly isWorse?: boolean
}

interface Layout {
  readonly width: number
  readonly maxRows: number
  readonly colours: ReturnType<typeof coloursOf>
}

/**
 * Clean success and its change under each family, the largest drops first: a row a model, or of one model a row a
 * family. Families that changed nothing are left out, and what does not fit is counted in a last line.
 */
function describeChanges({ profiles, groups, conditions }: Aggregate, layout: Layout): string[] {
  const dropOf = (families: readonly Family[]): number => Math.min(0, ...families.map((one) => one.success.mean ?? 0))
  const subjects = profiles
    .map((one) => ({ ...one, families: one.families.filter((family) => !family.identity && isChanged(family)) }))
    .filter(({ families }) => families.length > 0)
    .sort((one, other) => dropOf(one.families) - dropOf(other.families))
  if (subjects.length === 0) return []
  const all = subjects.flatMap(({ families }) => families)
  const dropUnder = (name: string): number => dropOf(all.filter(({ family }) => family === name))
  const families = [...new Set(all.map(({ family }) => family))].sort((a, b) => dropUnder(a) - dropUnder(b))
  const fields = (['agent', 'environment'] as const).filter(
    (name) => new Set(subjects.map((one) => one[name])).size > 1,
  )
  const cleanLabel = conditions.find(({ clean }) => clean)?.label
  const cleanOf = (who: Profile): Cell => {
    const group = groups.find(
      (one) =>
        one.condition === cleanLabel &&
        (['environment', 'model', 'agent'] as const).every((field) => one[field] === who[field]),
    )
    const mean = group?.pooled.success.mean
    return { text: mean === undefined ? '–' : (100 * mean).toFixed(1) }
  }
  const rows: Cell[][] = [
    ['model', 'clean', ...families].map((text) => ({ text })),
    ...subjects.map((who) => [
      { text: [who.model, ...fields.map((field) => who[field])].join(' · ') },
      cleanOf(who),
      ...families.map((name) => changeCell(who.families.find(({ family }) => family === name))),
    ]),
  ]
  const isOne = subjects.length === 1
  const grid = isOne ? rows[0]!.map((_, column) => rows.map((row) => row[column]!)) : rows
  const title = 'Success: clean in percent, then its change in points under each family (* significant)'
  const kinds = isOne ? (['family', 'condition'] as const) : (['model', 'family'] as const)
  return ['', fitTo(title, layout.width), ...layOutGrid(grid, kinds, layout)]
}

function layOutGrid(
  rows: readonly (readonly Cell[])[],
  kinds: readonly [row: string, column: string],
  { width, maxRows, colours }: Layout,
): string[] {
  const widest = width === Infinity ? Infinity : maxName
  const lines = rows.map((row) => row.map((cell) => ({ ...cell, text: fitTo(oneLine(cell.text), widest) })))
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((row) => widthOf(row[column]!.text))))
  let columns = 1
  for (let used = widths[0]!; columns < widths.length && (used += 2 + widths[columns]!) <= width; columns++);
  const isCut = columns < widths.length || lines.length - 1 > maxRows
  const shown = Math.min(lines.length - 1, isCut ? maxRows - 1 : maxRows)
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
  const left = [lines.length - 1 - shown, widths.length - columns].flatMap((count, index) =>
    count > 0 ? [counted(count, `more ${kinds[index]!}`).replace(/ys$/, 'ies')] : [],
  )
  return [colours.bold(head!), ...body, ...(left.length > 0 ? [`and ${left.join(', ')}`] : [])]
}

function isChanged({ pairs, touched }: Family): boolean {
  return pairs > 0 && touched?.tasks !== 0
}

/** A change, marked if it is significant. */
function changeCell(family: Family | undefined): Cell {
  const { mean, clean } = family?.success ?? {}
  if (family === undefined || mean === undefined) return { text: '–' }
  const { kind } = judge(family, clean)
  const isWorse = kind === 'worse'
  return { text: `${points(mean)}${isWorse || kind === 'better' ? '*' : ' '}`, isWorse }
}
