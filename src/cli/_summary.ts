import type { Aggregate } from '../results/aggregate.js'
import { interval as describeInterval, points } from '../results/summary/figures.js'
import { describeSpent } from '../results/summary/identity.js'
import { judge } from '../results/summary/verdict.js'
import { describePartial } from '../../reports/tables/captions.js'
import type { coloursOf } from '../tables/colours.js'
import { fitTo, widthOf } from '../tables/plain.js'
import { count as counted } from '../tables/words.js'
import type { Cell, Grid } from './_grid.js'
import { layOutGrid } from './_grid.js'
import { escapeLine, wrap } from './_lines.js'

/** The most lines and columns that the end of `shaketable run` takes. */
const maxLines = 25
const maxColumns = 100
const minColumns = 40
const maxHeadlines = 8
const minHeadlines = 3
const maxNotices = 3
const minRows = 4

type Profile = Aggregate['profiles'][number]
type Family = Profile['families'][number]

/** One model, agent and environment, with what its families did to it. */
interface Subject {
  readonly environment: string
  readonly model: string
  readonly agent: string
  /** Success of the clean episodes; absent if none is stored. */
  readonly clean?: number
  /** Without those that promise identity, the most harmful first. */
  readonly families: readonly Family[]
}

/** What to show besides the figures. */
interface SummaryView {
  /** Columns of the terminal. */
  readonly width: number
  readonly colours: ReturnType<typeof coloursOf>
  /** The page to open. */
  readonly page: string
  /** Names of the control models among those of the run. */
  readonly controls: readonly string[]
  /** Lines that are printed after it. */
  readonly following: number
}

/** A run in the few lines with which `shaketable run` ends: headlines, one table, notices, and the page to open. */
export function describeSummary(aggregate: Aggregate, view: SummaryView): string {
  const { colours, page, controls } = view
  // What is no terminal is read by programs and in logs, where nothing is cut.
  const width = view.width === Infinity ? Infinity : Math.max(minColumns, Math.min(maxColumns, view.width))
  const subjects = subjectsOf(aggregate)
  const [severe, other] = [true, false].map((isSevere) =>
    aggregate.notices.filter(({ severity }) => (severity === 'error') === isSevere).map(({ text }) => text),
  ) as [string[], string[]]
  const why = describePartial(aggregate)
  const first = [
    ...(why === undefined ? [] : [colours.bold(`${why}.`)]),
    ...severe.slice(0, maxNotices).map((text) => colours.bold(colours.red(foldNotice(text, width)))),
  ]
  const rest = [...severe.slice(maxNotices), ...other]
  const shown = rest
    .slice(0, Math.max(0, maxNotices - severe.length))
    .map((text) => colours.yellow(foldNotice(text, width)))
  const more = rest.length - shown.length
  const notices = [...shown, ...(more > 0 ? [colours.yellow(`! and ${counted(more, 'more notice')} in the page`)] : [])]
  const played = describePlayed(aggregate)
  const instruments = describeControls(controls, aggregate.models.length, width)
  const open = `open ${escapeLine(page)}`
  // A single session is told by itself.
  const spent = (aggregate.spent?.sessions ?? 0) > 1 ? describeSpent(aggregate) : undefined
  const use = spent === undefined ? [] : [fitTo(`Spent in all: ${spent}.`, width)]
  const grid = gridOf(subjects)
  // Two lines are blank; a table has a title and heads.
  const fixed = [first, [played], instruments, use, notices, [open]].reduce((sum, lines) => sum + lines.length, 2)
  const room = maxLines - view.following - fixed
  const headlines = describeHeadlines(
    aggregate,
    width,
    Math.min(maxHeadlines, Math.max(minHeadlines, room - minRows - 2)),
  )
  const table = grid
    ? [
        fitTo(escapeLine(grid.title), width),
        ...layOutGrid(grid, { width, maxRows: Math.max(minRows, room - headlines.length - 2), colours }),
      ]
    : []
  const hasRoom = headlines.length + table.length < room
  const identity = played === '' ? [] : hasRoom ? twoLines(played, width) : [fitTo(played, width)]
  return [
    ...first,
    ...headlines,
    ...(table.length > 0 ? ['', ...table] : []),
    '',
    ...[...identity, ...instruments, ...use].map((line) => colours.dim(line)),
    ...notices,
    colours.bold(open),
  ].join('\n')
}

/** The same for programs: what `run --json` prints of the figures. */
export function summaryJson(aggregate: Aggregate, controls: readonly string[]) {
  return {
    identity: aggregate.identity,
    headlines: aggregate.headlines,
    notices: aggregate.notices,
    ...(aggregate.spent && { spentInAll: aggregate.spent }),
    results: subjectsOf(aggregate).map(({ families, ...subject }) => ({
      ...subject,
      control: controls.includes(subject.model),
      families: families.map(({ family, columns, pairs, success, tests }) => ({
        family,
        conditions: columns,
        pairs,
        ...(success.clean !== undefined && { clean: success.clean }),
        ...(success.perturbed !== undefined && { perturbed: success.perturbed }),
        ...(success.mean !== undefined && { change: success.mean }),
        ...(success.interval && { interval: success.interval }),
        ...(tests && tests.success),
      })),
    })),
  }
}

/** Every subject, the one with the largest drop first. */
function subjectsOf({ profiles, groups, columns }: Aggregate): Subject[] {
  const cleanLabel = columns.find(({ clean }) => clean)?.label
  const subjects = profiles.map(({ environment, model, agent, families: all }): Subject => {
    const families = all.filter(({ identity }) => !identity)
    const clean = groups.find(
      (group) =>
        group.environment === environment &&
        group.model === model &&
        group.agent === agent &&
        group.column === cleanLabel,
    )?.pooled.success.mean
    return { environment, model, agent, families, ...(clean !== undefined && { clean }) }
  })
  const largestDrop = ({ families }: Subject): number =>
    Math.min(0, ...families.map(({ success }) => success.mean ?? 0))
  return subjects.sort((one, other) => largestDrop(one) - largestDrop(other))
}

/** Whether a pair of a clean and a perturbed episode is stored. */
function isCompared({ families }: Subject): boolean {
  return families.some(({ pairs }) => pairs > 0)
}

/** As many headlines as fit in these lines, of at most two lines each. */
function describeHeadlines({ headlines }: Aggregate, width: number, lines: number): string[] {
  const told = headlines.map(({ text }) => twoLines(escapeLine(text), width))
  const shown: string[] = []
  let count = 0
  for (const next of told) {
    if (shown.length + next.length > (count === told.length - 1 ? lines : lines - 1)) break
    shown.push(...next)
    count++
  }
  const left = told.length - count
  return [...shown, ...(left > 0 ? [`and ${counted(left, 'more sentence')} in the page`] : [])]
}

/** A text in at most two lines; the second is cut where it is too long. */
function twoLines(text: string, width: number): string[] {
  const [first = '', ...rest] = wrap(text, width, '  ')
  return rest.length > 1 ? [first, fitTo(`  ${rest.map((line) => line.trim()).join(' ')}`, width)] : [first, ...rest]
}

/** A notice in a line: the sentences of it that fit, and of a longer first one the beginning. */
function foldNotice(text: string, width: number): string {
  const [first = '', ...sentences] = `! ${text}`.split(/(?<=\.) (?=[A-Z])/)
  let folded = first
  for (const sentence of sentences) {
    if (widthOf(folded) + 1 + widthOf(sentence) > width) break
    folded += ` ${sentence}`
  }
  return fitTo(escapeLine(folded), width)
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

function describeControls(controls: readonly string[], models: number, width: number): string[] {
  if (controls.length === 0) return []
  const names = controls.map(escapeLine).join(', ')
  return controls.length === models && models > 1
    ? [`All ${String(models)} models are control models: instruments, not language models.`]
    : twoLines(`Control models are instruments, not language models: ${names}.`, width)
}

const significance = '* significant'

/**
 * Clean success and its change under each family; with three models or more a row each, and otherwise a row a family.
 * Families that changed nothing are left out.
 */
function gridOf(subjects: readonly Subject[]): (Grid & { readonly title: string }) | undefined {
  const compared = subjects.filter(isCompared)
  const [only] = compared
  if (only === undefined) return undefined
  const names = nameAll(subjects, compared)
  if (compared.length === 1) {
    return {
      title: `Success of ${names[0]!} in percent, and its change in points (95 % interval; ${significance})`,
      heads: ['family', 'clean', 'perturbed', 'change'],
      rows: only.families
        .filter(({ pairs }) => pairs > 0)
        .map((family) => [
          { text: family.family },
          ...[family.success.clean, family.success.perturbed].map(percentCell),
          changeCell(family, true),
        ]),
      kinds: ['family', 'column'],
    }
  }
  const families = familiesOf(compared)
  const heads = ['clean', ...families]
  const cells = compared.map(({ clean, families: own }) => [
    percentCell(clean),
    ...families.map((name) => changeCell(own.find(({ family }) => family === name))),
  ])
  const title = `Success: clean in percent, then its change in points under each family (${significance})`
  return compared.length > 2
    ? {
        title,
        heads: ['model', ...heads],
        rows: cells.map((row, index) => [{ text: names[index]! }, ...row]),
        kinds: ['model', 'family'],
      }
    : {
        title,
        heads: ['family', ...names],
        rows: heads.map((head, index) => [{ text: head }, ...cells.map((row) => row[index]!)]),
        kinds: ['family', 'model'],
      }
}

/** Names of subjects; with agent and environment where the run has several. */
function nameAll(all: readonly Subject[], shown: readonly Subject[]): string[] {
  const fields = (['agent', 'environment'] as const).filter((field) => new Set(all.map((one) => one[field])).size > 1)
  return shown.map((subject) => [subject.model, ...fields.map((field) => subject[field])].join(' · '))
}

/** Families of any subject that changed something, the largest drop of any subject first. */
function familiesOf(subjects: readonly Subject[]): string[] {
  const drops = new Map<string, number>()
  for (const { family, pairs, touched, success } of subjects.flatMap(({ families }) => families))
    if (pairs > 0 && touched?.tasks !== 0) drops.set(family, Math.min(drops.get(family) ?? Infinity, success.mean ?? 0))
  return [...drops].sort(([, one], [, other]) => one - other).map(([family]) => family)
}

function percentCell(share: number | undefined): Cell {
  return { text: share === undefined ? '–' : (100 * share).toFixed(1) }
}

/** A change, marked if it is significant. */
function changeCell(family: Family | undefined, withInterval = false): Cell {
  const { mean, interval, clean } = family?.success ?? {}
  if (family === undefined || family.pairs === 0 || family.touched?.tasks === 0 || mean === undefined)
    return { text: '–' }
  const { kind } = judge(family, clean)
  const isWorse = kind === 'worse'
  const between = withInterval && interval ? ` ${describeInterval(interval)}` : ''
  return { text: `${points(mean)}${between}${isWorse || kind === 'better' ? '*' : ' '}`, isWorse }
}
