import { describePartial } from '../../reports/tables/captions.js'
import type { Aggregate } from '../results/aggregate.js'
import { interval as describeInterval, points } from '../results/summary/figures.js'
import { judge } from '../results/summary/verdict.js'
import type { coloursOf } from '../tables/colours.js'
import { fitTo } from '../tables/plain.js'
import { count as counted } from '../tables/words.js'
import type { Cell, Grid } from './_grid.js'
import { layOutGrid } from './_grid.js'
import { escapeLine, wrap } from './_lines.js'

/** The most lines of a summary, and the columns that it takes of a terminal. */
const maxLines = 30
const [minColumns, maxColumns] = [40, 100]
const maxHeadlines = 5
const maxNotices = 3
const minRows = 4

type Family = Aggregate['profiles'][number]['families'][number]

/** One model, agent and environment, with what its families did to it. */
interface Subject {
  readonly environment: string
  readonly model: string
  readonly agent: string
  /** Success of the clean episodes; absent if none is stored. */
  readonly clean?: number
  /** Without those that promise identity. */
  readonly families: readonly Family[]
}

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
  const facts = [describePlayed(aggregate), describeControls(controls, aggregate.models.length)]
  const first = [
    ...(why === undefined ? [] : [colours.bold(`${why}.`)]),
    ...severe.map((text) => colours.bold(colours.red(text))),
    ...describeHeadlines(aggregate, width),
  ]
  const last = [
    '',
    ...facts.filter((fact) => fact !== '').map((fact) => colours.dim(fitTo(fact, width))),
    ...shown.map((text) => colours.yellow(text)),
    ...(rest.length > 0 ? [colours.yellow(`! and ${counted(rest.length, 'more notice')} in the page`)] : []),
    colours.bold(`open ${escapeLine(page)}`),
  ]
  const grid = gridOf(subjectsOf(aggregate))
  const maxRows = Math.max(minRows, maxLines - first.length - last.length - 3)
  const table = grid ? ['', fitTo(grid.title, width), ...layOutGrid(grid, { width, maxRows, colours })] : []
  return [...first, ...table, ...last].join('\n')
}

/** The same for programs: what `run --json` prints of the figures. */
export function summaryJson(aggregate: Aggregate, controls: readonly string[]) {
  return {
    identity: aggregate.identity,
    headlines: aggregate.headlines,
    notices: aggregate.notices,
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
  const subjects = profiles.map(({ families, ...who }): Subject => {
    const isClean = (group: (typeof groups)[number]): boolean =>
      group.column === cleanLabel &&
      (['environment', 'model', 'agent'] as const).every((field) => group[field] === who[field])
    const clean = groups.find(isClean)?.pooled.success.mean
    const { environment, model, agent } = who
    const changing = families.filter(({ identity }) => !identity)
    return { environment, model, agent, families: changing, ...(clean !== undefined && { clean }) }
  })
  return subjects.sort((one, other) => largestDrop(one.families) - largestDrop(other.families))
}

function largestDrop(families: readonly Family[]): number {
  return Math.min(0, ...families.map(({ success }) => success.mean ?? 0))
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

function describeControls(controls: readonly string[], models: number): string {
  if (controls.length === 0) return ''
  return controls.length === models && models > 1
    ? `All ${String(models)} models are control models: instruments, not language models.`
    : `Control models are instruments, not language models: ${controls.map(escapeLine).join(', ')}.`
}

/**
 * Clean success and its change under each family: of one model a row a family, of several a row a model. Families that
 * changed nothing are left out.
 */
function gridOf(all: readonly Subject[]): (Grid & { readonly title: string }) | undefined {
  const subjects = all.filter(({ families }) => families.some(({ pairs }) => pairs > 0))
  const fields = (['agent', 'environment'] as const).filter((field) => new Set(all.map((one) => one[field])).size > 1)
  const nameOf = (subject: Subject): string =>
    [subject.model, ...fields.map((field) => subject[field])].map(escapeLine).join(' · ')
  const [only, ...others] = subjects
  if (only === undefined) return undefined
  if (others.length === 0) {
    return {
      title: `Success of ${nameOf(only)} in percent, and its change in points (95 % interval; * significant)`,
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
  const changed = subjects.flatMap(({ families }) => families).filter(isChanged)
  const families = [...new Set(changed.map(({ family }) => family))]
  const dropOf = (name: string): number => largestDrop(changed.filter(({ family }) => family === name))
  families.sort((one, other) => dropOf(one) - dropOf(other))
  return {
    title: 'Success: clean in percent, then its change in points under each family (* significant)',
    heads: ['model', 'clean', ...families],
    rows: subjects.map((subject) => [
      { text: nameOf(subject) },
      percentCell(subject.clean),
      ...families.map((name) => changeCell(subject.families.find(({ family }) => family === name))),
    ]),
    kinds: ['model', 'family'],
  }
}

function isChanged({ pairs, touched }: Family): boolean {
  return pairs > 0 && touched?.tasks !== 0
}

function percentCell(share: number | undefined): Cell {
  return { text: share === undefined ? '–' : (100 * share).toFixed(1) }
}

/** A change, marked if it is significant. */
function changeCell(family: Family | undefined, withInterval = false): Cell {
  const { mean, interval, clean } = family?.success ?? {}
  if (family === undefined || !isChanged(family) || mean === undefined) return { text: '–' }
  const { kind } = judge(family, clean)
  const isWorse = kind === 'worse'
  const between = withInterval && interval ? ` ${describeInterval(interval)}` : ''
  return { text: `${points(mean)}${between}${isWorse || kind === 'better' ? '*' : ' '}`, isWorse }
}
