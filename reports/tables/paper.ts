import { describeSeeds } from '../../src/results/summary/identity.js'
import { type PublishedRow, type StoredRun, ShaketableError, labelWithout, unknownName } from '../../src/define.js'
import type { Aggregate } from '../../src/results/aggregate.js'
import { isAveraged } from '../../src/results/conditions.js'
import { type Mismatch, describeMismatches } from '../../src/results/published/mismatches.js'
import { tableReports } from './index.js'
import { latexPaperOf } from '../../src/tables/latex-paper.js'
import { markdownOf } from '../../src/tables/markdown.js'
import { type Table, columnsOf, describeMarks, withColumns } from '../../src/tables/table.js'
import { grouped, listFirst, listWords, sentences } from '../../src/tables/words.js'
import { describeExperiment, titleTable } from './captions.js'
import { aggregateOf } from './define-report.js'
import { paperTitleOf } from './robustness.js'
import { cleanLabel } from './rows.js'

/** What a table of a paper shows; all of it where nothing is chosen. */
interface PaperChoice {
  /** The name of the table. Absent: `robustness`, or `main` in a run without a perturbed condition. */
  readonly table?: string
  /** Which part of it, where it has several. Absent: the first. */
  readonly by?: string
  readonly environments?: readonly string[]
  /** Names of models, of the run or published, in the order of the rows. */
  readonly rows?: readonly string[]
  /**
   * Labels of conditions, in the order of the columns; `P1` means `agentrefine-1`, and a family all its draws. Absent:
   * those that are neither controls nor adversarial.
   */
  readonly columns?: readonly string[]
  /** Only columns of these figures, by their metric or its beginning: `success` includes `success-change`. */
  readonly figures?: readonly string[]
  /** Whether those that may be the best of a column are bold. */
  readonly bold?: boolean
  /** The command that prints it, for the comment on top. */
  readonly command?: string
}

/**
 * One table of a run for a paper: a caption of one sentence, few notes, and in LaTeX the rest as comments.
 * @throws ShaketableError `usage` for an unknown name, and a choice without figures
 */
export function printPaper(run: StoredRun, format: 'latex' | 'markdown', choice: PaperChoice = {}): string {
  const whole = aggregateOf(run)
  const published = choosePublished(whole, run.published, choice.rows)
  const isDefault = choice.columns === undefined
  const name = choice.table ?? (whole.conditions.some((condition) => !condition.clean) ? 'robustness' : 'main')
  const chosen = chooseFrom(whole, name, choice)
  const shown = findTables(chosen, published, name, choice.by).map((table) => onlyFigures(table, choice.figures))
  const caption = captionOf(chosen, shown, describeMismatches(run.plan, published), choice.figures)
  const { notes, appendix } = notesOf(chosen, shown)
  if (format === 'markdown') {
    return markdownOf(
      shown.map((table, place) => ({
        ...table,
        title: place === 0 ? caption : (table.environment ?? ''),
        notes: place === shown.length - 1 ? notes : [],
        origin: [],
      })),
      chosen.notices,
    )
  }
  const only = chosen.environments.length === 1 ? chosen.environments[0] : undefined
  const identity = chosen.environments.flatMap((environment) => describeExperiment(whole, environment.name))
  const left = whole.conditions.filter(({ label }) => !chosen.conditions.some((condition) => condition.label === label))
  return latexPaperOf(shown, {
    caption,
    label: `tab:${[name, only?.name ?? []]
      .flat()
      .join('-')
      .replace(/[^A-Za-z0-9]+/g, '-')}`,
    notes,
    header: sentences([
      choice.command !== undefined && `Made by: ${choice.command}`,
      ...identity,
      isDefault &&
        left.length > 0 &&
        `Left out (name them with --columns): ${left.map(({ label }) => label).join(', ')}.`,
    ]),
    appendix: appendix.filter((sentence) => !identity.includes(sentence)),
    notices: chosen.notices,
  })
}

/**
 * The published rows that are shown: those that are named, or all of them where none is.
 * @throws ShaketableError `usage` for a row that is neither measured nor published
 */
function choosePublished(
  { models }: Aggregate,
  published: readonly PublishedRow[] = [],
  rows: readonly string[] | undefined,
): readonly PublishedRow[] {
  const measured = models.map(({ name }) => name)
  pick('--rows', rows, [...measured, ...new Set(published.map(({ model }) => model))])
  const named = published.filter(({ model }) => rows?.includes(model) && !measured.includes(model))
  return named.length === 0 ? published : named
}

/** An aggregate of some models, conditions and environments only, in the order in which they are named. */
function chooseFrom(whole: Aggregate, table: string, choice: PaperChoice): Aggregate {
  const played = whole.environments.map(({ name }) => name)
  const environments = pick('--env', choice.environments, played)
  const names = whole.models.map(({ name }) => name)
  const models = choice.rows?.filter((name) => names.includes(name)) ?? names
  const labels = whole.conditions.map(({ label }) => label)
  const named = choice.columns?.flatMap((column) => labelsOf(column, labels))
  const clean = cleanLabel(whole)
  const conditions =
    (named && (table === 'main' || clean === undefined || named.includes(clean) ? named : [clean, ...named])) ??
    (table === 'robustness'
      ? whole.conditions.filter((condition) => condition.clean || isAveraged(condition)).map(({ label }) => label)
      : labels)
  type Placed = { readonly environment: string; readonly model: string }
  const placed = <One extends Placed>(all: readonly One[]): One[] =>
    inOrder(environments, inOrder(models, all, 'model'), 'environment')
  return {
    ...whole,
    environments: inOrder(environments, whole.environments, 'name'),
    rankings: choice.bold ? whole.rankings : [],
    models: inOrder(models, whole.models, 'name'),
    conditions: inOrder(conditions, whole.conditions, 'label'),
    groups: placed(inOrder(conditions, whole.groups, 'condition')),
    profiles: placed(whole.profiles).map((profile) => ({
      ...profile,
      families: profile.families.filter((family) => family.conditions.some((label) => conditions.includes(label))),
    })),
    draws: placed(whole.draws),
    doseResponses: placed(whole.doseResponses),
    ...(whole.trainingCurves && {
      trainingCurves: whole.trainingCurves.filter(({ environment }) => environments.includes(environment)),
    }),
    variants: placed(inOrder(conditions, whole.variants, 'condition')),
    notices: whole.notices.filter(({ environment }) => environment === undefined || environments.includes(environment)),
  }
}

/** Those of a list that have one of some names, in the order of the names. */
function inOrder<Field extends string, One extends Readonly<Record<Field, string>>>(
  names: readonly string[],
  all: readonly One[],
  field: Field,
): One[] {
  return names.flatMap((name) => all.filter((row) => row[field] === name))
}

/** The names that are given, or all of them. @throws ShaketableError `usage` for one that is unknown */
function pick(flag: string, wanted: readonly string[] | undefined, known: readonly string[]): readonly string[] {
  for (const name of wanted ?? []) {
    if (!known.includes(name)) throw new ShaketableError('usage', `${flag}: ${unknownName('name', name, known)}`)
  }
  return wanted ?? known
}

/** The labels that a name of `--columns` means: one, or all draws of a family. */
function labelsOf(wanted: string, labels: readonly string[]): readonly string[] {
  const name = wanted === 'None' ? 'none' : wanted.replace(/^P([1-4])$/, 'agentrefine-$1')
  const draws = labels.filter((label) => labelWithout(label, 'draw') === name)
  if (draws.length > 0) return draws
  return pick('--columns', [wanted], [...new Set(labels.flatMap((label) => [labelWithout(label, 'draw'), label]))])
}

/**
 * The tables of one part, the first where none is named.
 * @throws ShaketableError `usage` for a part that the tables do not have
 */
export function choosePart(tables: readonly Table[], by: string | undefined): readonly Table[] {
  const parts = [...new Set(tables.map((table) => table.by ?? 'rate'))]
  if (by !== undefined && parts.length > 0) pick('--by', [by], parts)
  return tables.filter((table) => (table.by ?? 'rate') === (by ?? parts[0]))
}

/** The table of that name of each environment. @throws ShaketableError `usage` where there is none */
function findTables(
  chosen: Aggregate,
  published: readonly PublishedRow[],
  name: string,
  by: string | undefined,
): readonly Table[] {
  const names = tableReports.map((report) => report.name)
  pick('--table', [name], names)
  const tables = choosePart(tableReports[names.indexOf(name)]!.tables(chosen, 'paper', published), by)
  if (tables.length > 0) return tables
  throw new ShaketableError(
    'usage',
    `Expected figures for the table '${name}', got none under the chosen rows and columns. Choose others with --rows and --columns.`,
  )
}

/** @throws ShaketableError `usage` for a figure that the table does not have */
function onlyFigures(table: Table, figures: readonly string[] | undefined): Table {
  if (figures === undefined) return table
  const isOf = (metric: string, name: string): boolean => metric === name || metric.startsWith(`${name}-`)
  const metrics = [...new Set(columnsOf(table).map(({ metric }) => metric))]
  for (const name of figures) {
    if (!metrics.some((metric) => isOf(metric, name))) pick('--figures', [name], metrics)
  }
  return withColumns(table, ({ metric }) => figures.some((name) => isOf(metric, name)))
}

/** `Success and progress rate (%) on household: 134 tasks of ALFWorld, agent react, 5 seeds, temperature 0.` */
function captionOf(
  aggregate: Aggregate,
  tables: readonly Table[],
  mismatches: readonly Mismatch[],
  figures: PaperChoice['figures'],
): string {
  const { environments, experiment, agents } = aggregate
  const [{ name, by, title, environment }] = tables as readonly [Table]
  const one = environments.length === 1 ? environments[0]!.name : undefined
  const rate = `${name === 'main' ? 'unperturbed ' : ''}${figures?.join(' and ') ?? 'success and progress'}`
  const isRates = (name === 'robustness' || name === 'main') && by === undefined
  const what = isRates
    ? titleTable(`${rate[0]!.toUpperCase()}${rate.slice(1)} rate (%)`, aggregate, one)
    : one === undefined && environment !== undefined
      ? title.replace(` on ${environment}`, '')
      : title
  const data = environments.map((environment) => {
    const { kind, from } = experiment.environments.find((each) => each.name === environment.name)!
    const whose = kind === 'generated' ? 'generated ' : kind === 'benchmark' && from !== undefined ? `${from} ` : ''
    const tasks = `${grouped(environment.tasks)} ${whose}${environment.tasks === 1 ? 'task' : 'tasks'}`
    return one === undefined ? `${environment.name} (${tasks})` : tasks
  })
  const setting = [
    listFirst(data, 6),
    `${agents.length === 1 ? 'agent' : 'agents'} ${listWords(agents.map((agent) => agent.name))}`,
    describeSeeds(experiment),
  ].join(', ')
  const hasPublished = tables.some(({ rows }) => rows.some((row) => row.published !== undefined))
  const differing = mismatches.filter(
    (each) => hasPublished && environments.some((environment) => environment.name === each.environment),
  )
  const beside = differing.map((each) => `${each.environment}: ${each.text}`).join('; ')
  return `${what}: ${setting}.${beside === '' ? '' : ` Rows in italics were published for other games or prompts (here ${beside}).`}`
}

/** Characters of notes below a table; more go into the comment for an appendix. */
const maxNotes = 900

/** The notes below a table, and those for an appendix. */
function notesOf(aggregate: Aggregate, tables: readonly Table[]): { notes: string[]; appendix: string[] } {
  const rates = tables.flatMap((table) =>
    table.rows
      .filter(({ published }) => published === undefined)
      .flatMap(({ cells }) => cells.filter((_, place) => columnsOf(table)[place]!.shows === 'percent')),
  )
  const isOver =
    aggregate.temperatures.length === 1
      ? ''
      : ' within a temperature; figures are means of the means at each temperature'
  const signs = sentences([
    rates.some(({ deviation }) => deviation !== undefined) &&
      `In brackets: sample standard deviation over seeds${isOver}.`,
    rates.some(({ changed }) => changed) &&
      '*: differs from None (p < 0.05, paired by task, seed and temperature, the task as the cluster; Holm-adjusted over all models and families).',
    rates.some(({ valid = 0, planned = 0 }) => valid < planned) &&
      '†: planned episodes are missing under the figure; they enter no mean.',
    ...new Set(tables.flatMap((table) => describeMarks(table, { best: 'Bold', heldIn: 'Underlined' }))),
  ])
  const notes = [...new Set(tables.flatMap((table) => table.notes))]
  const rewordings = describeRewordings(aggregate, tables)
  const origin = [...new Set(tables.flatMap((table) => table.origin))]
  const areShort = [...signs, ...notes, ...rewordings].join(' ').length <= maxNotes
  if (areShort) return { notes: [...signs, ...notes, ...rewordings], appendix: origin }
  const pointer = rewordings.length === 0 ? [] : ['The rewordings are in the appendix.']
  const isRobustness = tables.every((table) => table.name === 'robustness' && table.by === undefined)
  return isRobustness
    ? { notes: [...signs, ...notes, ...pointer], appendix: [...rewordings, ...origin] }
    : { notes: [...signs, ...pointer], appendix: [...notes, ...rewordings, ...origin] }
}

/** What each shown condition changes, before → after: `P2 (agentrefine-2): go to {recep} → move to {recep}.` */
function describeRewordings({ conditions, experiment, environments }: Aggregate, tables: readonly Table[]): string[] {
  const shown = new Set(tables.flatMap((table) => [...columnsOf(table), ...table.rows].map(({ label }) => label)))
  const familyOf = (label: string): string => labelWithout(label, 'draw')
  const perturbed = conditions.filter(({ label, clean }) => !clean && (shown.has(label) || shown.has(familyOf(label))))
  return [...new Set(perturbed.map(({ label }) => familyOf(label)))].flatMap((family) => {
    const draws = perturbed.filter(({ label }) => familyOf(label) === family)
    const words = draws.map(({ label }) => {
      const { changes = [] } = experiment.conditions.find((condition) => condition.label === label) ?? {}
      const here = changes.filter(({ environment }) => environments.some(({ name }) => name === environment))
      return [...new Set(here.map(({ summary }) => summary))].filter(Boolean).join(' + ')
    })
    const title = paperTitleOf(family)
    const text = [...new Set(words)].filter(Boolean).join('; ')
    return text === '' ? [] : `${title === undefined ? family : `${title} (${family})`}: ${text}.`
  })
}
