import type { FilterOutcome } from '../data/filter/filter-files.js'
import type { DropSample, FilterManifest } from '../data/filter/manifest.js'
import { harmlessLine } from './_harmless.js'
import { layOut, number } from './_lines.js'

const shownProblems = 10

/** What a person reads of a filtering: how many rows, which rule caught what, samples, and what could not be read. */
export function describeFiltering({ manifest, samples }: FilterOutcome): string {
  const parts = [
    summaryOf(manifest),
    countsOf(manifest),
    comparedOf(manifest),
    samplesOf(samples),
    problemsOf(manifest),
  ]
  return parts.filter((part) => part !== '').join('\n\n')
}

function summaryOf({ filters, files, rows, dropped, kept, unreadable }: FilterManifest): string {
  const names = filters.map(({ name }) => name).join(', ')
  const from = files.length === 1 ? harmlessLine(files[0]!.file) : `${number(files.length)} files`
  const lost = unreadable === 0 ? '' : `; ${number(unreadable)} records could not be read and are left out`
  return `${harmlessLine(names)}: ${number(rows)} rows of ${from}, ${number(dropped)} dropped, ${number(kept)} kept${lost}`
}

/** A table: for each environment its rules, and in how many rows each found something, alone or with others. */
function countsOf({ counts, filters }: FilterManifest): string {
  if (counts.length === 0) return ''
  const lines = counts.flatMap(({ environment = '(any)', rows, rules }) => [
    [environment, 'any rule', number(rows), ''],
    ...rules.map(({ filter, rule, rows: caught, alone }) => [
      '',
      filters.length > 1 ? `${filter}/${rule}` : rule,
      number(caught),
      number(alone),
    ]),
  ])
  return layOut([['environment', 'rule', 'rows', 'it alone'], ...lines.map((cells) => cells.map(harmlessLine))])
}

/** With which evaluation tasks rows were compared; environments that cannot be played here have none. */
function comparedOf({ evaluation, environments }: FilterManifest): string {
  if (environments.length === 0) return ''
  const named = environments.map((name) => {
    const texts = evaluation.find(({ environment }) => environment === name)?.texts ?? 0
    return texts === 0 ? `none of ${name}` : `${number(texts)} of ${name}`
  })
  return harmlessLine(`Texts of evaluation tasks that rows were compared with: ${named.join(', ')}`)
}

function samplesOf(samples: readonly DropSample[]): string {
  if (samples.length === 0) return ''
  const lines = samples.map(({ environment, rule, file, record, line, id, evidence }) => {
    const row = `${file}:${String(line)}, record ${String(record)}${id === undefined ? '' : `, ${id}`}`
    return harmlessLine(`  ${environment === undefined ? '' : `${environment} `}${rule}: ${row}: ${evidence}`)
  })
  return `Samples\n${lines.join('\n')}`
}

function problemsOf({ problems: { count, first } }: FilterManifest): string {
  if (count === 0) return ''
  const lines = first.slice(0, shownProblems).map(({ file, line, record, message, skipped }) => {
    const what = skipped ? 'left out' : 'note'
    return harmlessLine(`  ${file}:${String(line)}, record ${String(record)}, ${what}: ${message}`)
  })
  const more = count > shownProblems ? [`  … and ${number(count - shownProblems)} more`] : []
  return `Problems\n${[...lines, ...more].join('\n')}`
}
