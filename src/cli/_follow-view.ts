import type { FollowedGroup, FollowedRun } from '../run/follow-run.js'
import { progressLines } from '../run/progress.js'
import type { coloursOf } from '../tables/colours.js'
import { fitTo, widthOf } from '../tables/plain.js'
import { count as counted } from '../tables/words.js'
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

const maxName = 24
const cellWidth = 13
const gap = '  '
const maxFailures = 10
const maxErrors = 4

/** A run in lines: state, progress, success of each group under each condition, newest failures, and errors. */
export function describeFollowed(run: FollowedRun, { folder, width, height, rate, colours }: FollowView): string[] {
  const { tally, spent } = run
  const top = [
    colours.bold(fitTo(describeState(run, folder), width)),
    ...progressLines(tally, { rate, width, height: 3, spent }),
  ]
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
  const table = createTable(run.groups, width)
  const shownErrors = section('errors', errors, Math.max(2, Math.floor(left / 5)))
  const minFailures = section('newest failures', failures, Math.max(2, Math.floor((left - shownErrors.length) / 3)))
  const rows = table.lines(left - shownErrors.length - minFailures.length)
  const shownFailures = section('newest failures', failures, left - shownErrors.length - rows.length)
  const [head, ...body] = rows
  return [
    ...top,
    ...(head === undefined ? [] : [colours.dim(head), ...body]),
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
function createTable(groups: readonly FollowedGroup[], width: number) {
  const fields = (['environment', 'agent'] as const).filter(
    (field) => new Set(groups.map((group) => group[field])).size > 1,
  )
  const subjects = new Map<string, Map<string, FollowedGroup>>()
  const conditions = new Set<string>()
  for (const group of groups) {
    const name = [group.model, ...fields.map((field) => group[field])].map(oneLine).join(' · ')
    const label = oneLine(group.column)
    const own = subjects.get(name) ?? new Map<string, FollowedGroup>()
    subjects.set(name, own.set(label, group))
    conditions.add(label)
  }
  const isWide = subjects.size > conditions.size
  const names = isWide ? [...subjects.keys()] : [...conditions]
  const heads = isWide ? [...conditions] : [...subjects.keys()]
  const groupAt = (name: string, head: string): FollowedGroup | undefined =>
    isWide ? subjects.get(name)!.get(head) : subjects.get(head)!.get(name)
  const title = 'success in % [95 %]'
  const first = Math.min(
    Math.max(widthOf(title), ...names.map(widthOf)),
    Math.max(maxName, widthOf(title)),
    width - cellWidth - gap.length,
  )
  const widths = heads.map((head) => Math.min(maxName, Math.max(cellWidth, widthOf(head))))
  let columns = 0
  for (let used = first; columns < heads.length && (used += gap.length + widths[columns]!) <= width; columns++);
  const pad = (text: string, room: number, side: 'left' | 'right'): string => {
    const fitted = fitTo(text, room)
    const space = ' '.repeat(room - widthOf(fitted))
    return side === 'left' ? fitted + space : space + fitted
  }
  const line = (name: string, cells: readonly string[]): string =>
    [pad(name, first, 'left'), ...cells.map((cell, column) => pad(cell, widths[column]!, 'right'))].join(gap).trimEnd()
  return {
    lines(height: number): string[] {
      if (names.length === 0 || height < 2) return []
      const hidden = heads.length - columns
      const room = height - 1
      const isCut = names.length > room || hidden > 0
      const shown = isCut && room > 1 ? names.slice(0, room - 1) : names.slice(0, room)
      const more = [
        ...(names.length > shown.length ? [`${number(names.length - shown.length)} more rows`] : []),
        ...(hidden > 0 ? [`${number(hidden)} more columns`] : []),
      ]
      return [
        line(title, heads.slice(0, columns)),
        ...shown.map((name) =>
          line(
            name,
            heads.slice(0, columns).map((head) => describeRate(groupAt(name, head))),
          ),
        ),
        ...(more.length > 0 && room > 1 ? [fitTo(`and ${more.join(', ')}`, width)] : []),
      ]
    },
  }
}

/** `92 [85, 97]`, in percent. */
function describeRate(group: FollowedGroup | undefined): string {
  if (group === undefined) return '–'
  const percent = (share: number): string => String(Math.round(100 * share))
  const { success, interval } = group
  const between = interval === undefined ? '' : ` [${percent(interval.low)}, ${percent(interval.high)}]`
  return `${percent(success)}${between}`
}
