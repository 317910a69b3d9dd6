import { describePartial } from '../../reports/tables/captions.js'
import type { Aggregate } from '../results/aggregate.js'
import { points } from '../results/summary/figures.js'
import { judge } from '../results/summary/verdict.js'
import type { coloursOf } from '../tables/colours.js'
import { fitTo, widthOf, wrap } from '../tables/plain.js'
import { count as counted } from '../tables/words.js'
import { escapeLine, layOut, oneLine } from './_lines.js'

/** The most lines of a summary, and the columns that it takes of a terminal. */
const maxLines = 30
const [minColumns, maxColumns] = [40, 100]
const maxHeadlines = 5
const maxNotices = 3
const maxName = 32

type Profile = Aggregate['profiles'][number]
type Family = Profile['families'][number]

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
export function describeSummary(aggregate: Aggregate, { colours, page, controls, ...view }: SummaryView): string {
  const width = view.width === Infinity ? Infinity : Math.max(minColumns, Math.min(maxColumns, view.width))
  const fit = (text: string): string => fitTo(escapeLine(text), width)
  const isError = ({ severity }: Aggregate['notices'][number]): boolean => severity === 'error'
  const notices = [...aggregate.notices].sort((one, other) => Number(isError(other)) - Number(isError(one)))
  const shown = notices.slice(0, maxNotices)
  const left = notices.length - shown.length
  const why = describePartial(aggregate)
  const first = [
    ...(why === undefined ? [] : [colours.bold(`${why}.`)]),
    ...shown.filter(isError).map(({ text }) => colours.bold(colours.red(fit(`! ${text}`)))),
    ...describeHeadlines(aggregate, width),
  ]
  const instruments = `Control models are instruments, not language models: ${controls.join(', ')}.`
  const last = [
    '',
    colours.dim(fit(describePlayed(aggregate))),
    ...(controls.length === 0 ? [] : [colours.dim(fit(instruments))]),
    ...shown.filter((notice) => !isError(notice)).map(({ text }) => colours.yellow(fit(`! ${text}`))),
    ...(left > 0 ? [colours.yellow(`! and ${counted(left, 'more notice')} in the page`)] : []),
    colours.bold(`open ${escapeLine(page)}`),
  ]
  const maxRows = maxLines - first.length - last.length - 4
  return [...first, ...describeChanges(aggregate, width, maxRows, colours), ...last].join('\n')
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

/**
 * Clean success and its change under each family, the largest drops first: a row a model, or of one model a row a
 * family. Families that changed nothing are left out, and what does not fit is counted in a last line.
 */
function describeChanges(
  { profiles, groups, conditions }: Aggregate,
  width: number,
  maxRows: number,
  colours: SummaryView['colours'],
): string[] {
  const dropOf = (families: readonly Family[]): number =>
    Math.min(0, ...families.map((family) => family.success.mean ?? 0))
  const subjects = profiles
    .map((profile) => ({
      ...profile,
      families: profile.families.filter(
        ({ identity, pairs, touched }) => !identity && pairs > 0 && touched?.tasks !== 0,
      ),
    }))
    .filter(({ families }) => families.length > 0)
    .sort((one, other) => dropOf(one.families) - dropOf(other.families))
  if (subjects.length === 0) return []
  const all = subjects.flatMap(({ families }) => families)
  const dropUnder = (name: string): number => dropOf(all.filter(({ family }) => family === name))
  const families = [...new Set(all.map(({ family }) => family))].sort((a, b) => dropUnder(a) - dropUnder(b))
  const fields = (['agent', 'environment'] as const).filter(
    (name) => new Set(subjects.map((subject) => subject[name])).size > 1,
  )
  const cleanLabel = conditions.find(({ clean }) => clean)?.label
  const cleanOf = (who: Profile): string => {
    const group = groups.find(
      ({ condition, environment, model, agent }) =>
        condition === cleanLabel && environment === who.environment && model === who.model && agent === who.agent,
    )
    const mean = group?.pooled.success.mean
    return mean === undefined ? '–' : (100 * mean).toFixed(1)
  }
  const rows = [
    ['model', 'clean', ...families],
    ...subjects.map((who) => [
      [who.model, ...fields.map((field) => who[field])].join(' · '),
      cleanOf(who),
      ...families.map((name) => changeText(who.families.find(({ family }) => family === name))),
    ]),
  ].map((row) => row.map((text) => fitTo(oneLine(text), width === Infinity ? Infinity : maxName)))
  const grid = subjects.length === 1 ? rows[0]!.map((_, column) => rows.map((row) => row[column]!)) : rows
  const widths = grid[0]!.map((_, column) => Math.max(...grid.map((row) => widthOf(row[column]!))))
  let columns = 1
  for (let used = widths[0]!; columns < widths.length && (used += 2 + widths[columns]!) <= width; columns++);
  const shown = grid.slice(0, 1 + maxRows).map((row) => row.slice(0, columns))
  const lines = layOut(shown, true).split('\n')
  const left = [counted(grid.length - lines.length, 'row'), counted(widths.length - columns, 'column')]
  return [
    ...['', fitTo('Success: clean in percent, then its change in points under each family (* significant)', width)],
    ...[colours.bold(lines[0]!), ...lines.slice(1)],
    ...(grid.length > lines.length || widths.length > columns ? [`and ${left.join(', ')} more`] : []),
  ]
}

/** A change, marked if it is significant. */
function changeText(family: Family | undefined): string {
  const { mean, clean } = family?.success ?? {}
  if (family === undefined || mean === undefined) return '–'
  return `${points(mean)}${['worse', 'better'].includes(judge(family, clean).kind) ? '*' : ' '}`
}
