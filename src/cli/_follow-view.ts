import type { FollowedGroup, FollowedRun } from '../run/follow-run.js'
import { progressLine } from '../run/progress.js'
import type { coloursOf } from '../tables/colours.js'
import { fitTo } from '../tables/plain.js'
import { count as counted } from '../tables/words.js'
import type { Grid } from './_grid.js'
import { layOutGrid } from './_grid.js'
import { number, oneLine } from './_lines.js'

/** How a followed run is shown. */
interface FollowView {
  readonly folder: string
  readonly width: number
  /** Lines at most. */
  readonly height: number
  /** Rows per second. */
  readonly rate: number
  readonly colours: ReturnType<typeof coloursOf>
}

const gap = '  '
const maxFailures = 10
const maxErrors = 4

/** A run in lines: state, progress, success of each group under each condition, newest failures, and errors. */
export function describeFollowed(run: FollowedRun, { folder, width, height, rate, colours }: FollowView): string[] {
  const { tally, spent } = run
  const top = [colours.bold(fitTo(describeState(run, folder), width)), progressLine(tally, { rate, width, spent })]
  const failures = run.failures
    .slice(0, maxFailures)
    .map(({ key, outcome, model, column, task }) =>
      fitTo([key.slice(0, 10), outcome, ...[model, column, task].map(oneLine)].join(gap), width),
    )
  const errors = [...tally.messages]
    .sort(([, one], [, other]) => other - one)
    .slice(0, maxErrors)
    .map(([message, times]) => fitTo(`${number(times)} × ${oneLine(message)}`, width))
  const left = Math.max(0, height - top.length)
  const grid = gridOf(run.groups)
  const shownErrors = section('errors', errors, Math.max(2, Math.floor(left / 5)))
  const minFailures = section('newest failures', failures, Math.max(2, Math.floor((left - shownErrors.length) / 3)))
  const room = left - shownErrors.length - minFailures.length
  const rows = grid && room > 1 ? layOutGrid(grid, { width, maxRows: room - 1, colours }) : []
  const shownFailures = section('newest failures', failures, left - shownErrors.length - rows.length)
  return [
    ...top,
    ...rows,
    ...[shownFailures, shownErrors].flatMap(([title, ...lines]) => (title ? [colours.dim(title), ...lines] : [])),
  ].slice(0, height)
}

function describeState({ state, why, leftOut }: FollowedRun, folder: string): string {
  const words = [
    state,
    oneLine(folder),
    ...(why === undefined ? [] : [oneLine(why)]),
    ...(leftOut > 0 ? [`${counted(leftOut, 'line')} left out`] : []),
  ]
  return words.join(' · ')
}

/** A heading and lines; nothing where not even one line fits. */
function section(title: string, lines: readonly string[], height: number): string[] {
  return lines.length === 0 || height < 2 ? [] : [title, ...lines.slice(0, height - 1)]
}

/** Success with its interval: the longer of subjects and conditions in rows, the other in columns. */
function gridOf(groups: readonly FollowedGroup[]): Grid | undefined {
  if (groups.length === 0) return undefined
  const fields = (['environment', 'agent'] as const).filter(
    (field) => new Set(groups.map((group) => group[field])).size > 1,
  )
  const subjectOf = (group: FollowedGroup): string =>
    [group.model, ...fields.map((field) => group[field])].map(oneLine).join(' · ')
  const rates = new Map(groups.map((group) => [JSON.stringify([subjectOf(group), group.column]), describeRate(group)]))
  const subjects = [...new Set(groups.map(subjectOf))]
  const conditions = [...new Set(groups.map(({ column }) => column))]
  const isWide = subjects.length > conditions.length
  const [names, heads] = isWide ? [subjects, conditions] : [conditions, subjects]
  return {
    heads: ['success in % [95 %]', ...heads],
    rows: names.map((name) => [
      { text: name },
      ...heads.map((head) => ({ text: rates.get(JSON.stringify(isWide ? [name, head] : [head, name])) ?? '–' })),
    ]),
    kinds: ['row', 'column'],
  }
}

/** `92 [85, 97]`, in percent. */
function describeRate({ success, interval }: FollowedGroup): string {
  const percent = (share: number): string => String(Math.round(100 * share))
  const between = interval === undefined ? '' : ` [${percent(interval.low)}, ${percent(interval.high)}]`
  return `${percent(success)}${between}`
}
