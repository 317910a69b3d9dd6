import { findGroup, findProfile } from '../../src/results/find.js'
import { figure } from '../../src/tables/table.js'
import type { PublishedRow } from '../../src/define.js'
import { labelWithout } from '../../src/define.js'
import type { Aggregate } from '../../src/results/aggregate.js'
import { deviationOfDraws, overflowShare, poolScores, summariseScores } from '../../src/results/combined-scores.js'
import { describeAdversarial, isAveraged } from '../../src/results/columns.js'
import type { Group, Robustness } from '../../src/results/schema.js'
import type { PublishedKey } from '../../src/results/published/place-published.js'
import { placePublished } from '../../src/results/published/place-published.js'
import { describePublished, describeRuns, tableOn } from './captions.js'
import { defineTableReport } from './define-report.js'
import { describeRateMarks, markedRate } from './marks.js'
import type { Detail, NamedScope } from './rows.js'
import { groupsOn, modelRows, nameRow, rowHeads } from './rows.js'
import type { Cell, Column, ColumnGroup, Table } from '../../src/tables/table.js'
import { listWords } from '../../src/tables/words.js'

/**
 * AgentRefine's table 3 (ICLR 2025): models × None, P1 to P5, Average and STD, each as success and progress rate. P1 to
 * P4 are the columns `agentrefine-1` to `agentrefine-4`; P5 is the unperturbed result of the model trained without
 * in-domain rows. Other columns stand after it.
 */
export default defineTableReport({
  name: 'robustness',
  summary: 'success and progress under each perturbation, with their average and spread',
  source: 'AgentRefine (arXiv 2501.01702), table 3',
  // The rows of single temperatures stay in LaTeX too.
  tables: (aggregate, detail, published) =>
    robustnessTables(aggregate, detail === 'paper' ? detail : 'each-temperature', published),
})

const paper = [1, 2, 3, 4].map((number) => ({
  title: `P${String(number)}`,
  label: `agentrefine-${String(number)}`,
}))
const publishedTables = ['T3-robustness', 'AppI-component-robustness']
const twin = { title: 'P5', label: 'agentrefine-5', isTwin: true }

/**
 * A column of rates: the plan's column of that label, the mean of several that are draws of one perturbation, or the
 * clean column of the model's twin without in-domain rows.
 */
interface Place {
  readonly title: string
  readonly label: string
  readonly draws?: readonly string[]
  readonly isTwin?: boolean
}

/** Which rates the table shows: those that are averaged, and those beside them. */
interface Layout {
  /** Absent in the table of a paper that leaves it out. */
  readonly clean?: Place
  readonly perturbed: readonly Place[]
  readonly beside: readonly Place[]
  /** Whether there are columns for average and deviation. */
  readonly hasAverages: boolean
}

/** For each environment one table of rates, with published rows below, and one of worst cases where there are any. */
function robustnessTables(aggregate: Aggregate, detail: Detail, published: readonly PublishedRow[] = []): Table[] {
  const layout = detail === 'paper' ? layOutPaper(aggregate, published) : layOut(aggregate)
  return aggregate.environments.flatMap(({ name }) => [
    robustnessTable(aggregate, layout, detail, name, published),
    ...worstCaseTables(aggregate, name),
  ])
}

function robustnessTable(
  aggregate: Aggregate,
  layout: Layout,
  detail: Detail,
  environment: string,
  published: readonly PublishedRow[],
): Table {
  const heads = rowHeads(aggregate, detail, false)
  const hasOverflow = groupsOn(aggregate, environment).some(({ pooled }) => pooled.outcomes['context-overflow'] > 0)
  const placed = placePublished(
    published,
    publishedTables,
    [...metrics.flatMap((metric) => publishedKeys(layout, environment, metric)), ...(hasOverflow ? [undefined] : [])],
    heads.length,
  )
  const isPaper = detail === 'paper'
  return {
    ...tableOn(aggregate, environment, 'robustness', 'Robustness'),
    notes: [
      ...(isPaper ? [] : ['Success and progress rate in percent.']),
      ...(hasOverflow
        ? [
            'Overflow: episodes under all conditions that ended because the conversation did not fit the context, in percent; they count as failures.',
          ]
        : []),
      ...(isPaper ? [] : describeRuns(aggregate, detail)),
      ...describeLayout(aggregate, layout, environment, isPaper),
      ...describeAdversarial(aggregate.columns),
      ...placed.notes,
      ...(isPaper ? [] : describePublished(aggregate, placed.rows, environment)),
    ],
    marks: describeRateMarks(aggregate, detail),
    heads,
    groups: [
      columnGroup('Success rate', 'success', layout),
      columnGroup('Progress rate', 'progress', layout),
      ...(hasOverflow ? [overflowGroup] : []),
    ],
    rows: [
      ...modelRows(aggregate, detail, (scope, model, agent) => {
        const cellsOf = (metric: 'success' | 'progress'): Cell[] => {
          const cellOf = (place: Place): Cell => {
            const name = place.isTwin ? model.withoutInDomain : model.name
            const labels = place.isTwin ? [layout.clean?.label ?? 'none'] : (place.draws ?? [place.label])
            const groups = labels
              .map((label) => name !== undefined && findGroup(aggregate, environment, name, agent, label))
              .filter((group) => group !== false && group !== undefined)
            const cells = groups.map((group) => markedRate(aggregate, group, scope, metric, !place.isTwin))
            const cell = cells.length > 1 ? poolDraws(cells, groups, metric) : (cells[0] ?? {})
            const isChanged = isPaper && !place.isTwin && hasChanged(aggregate, groups, metric)
            return isChanged ? { ...cell, changed: true } : cell
          }
          const clean = layout.clean === undefined ? [] : [cellOf(layout.clean)]
          const perturbed = layout.perturbed.map(cellOf)
          const labels = layout.perturbed.map(({ label }) => label)
          const { average, deviation } = summariseScores(clean, perturbed, labels)
          return [
            ...clean,
            ...perturbed,
            ...(layout.hasAverages ? [figure(average), figure(deviation)] : []),
            ...layout.beside.map(cellOf),
          ]
        }
        return [
          ...metrics.flatMap(cellsOf),
          ...(hasOverflow ? [overflowOf(aggregate, environment, model.name, agent, scope)] : []),
        ]
      }),
      ...placed.rows,
    ],
  }
}

const metrics = ['success', 'progress'] as const

const overflowGroup: ColumnGroup = {
  title: 'Context',
  columns: [{ title: 'Overflow', shows: 'percent', metric: 'overflow' }],
}

/**
 * The share of overflows over all columns that are not adversarial. A wording that makes prompts longer increases it.
 */
function overflowOf(
  aggregate: Aggregate,
  environment: string,
  model: string,
  agent: string,
  { temperature }: NamedScope,
): Cell {
  const apart = new Set(aggregate.columns.filter(({ adversarial }) => adversarial).map(({ label }) => label))
  const groups = groupsOn(aggregate, environment).filter(
    (group) => group.model === model && group.agent === agent && !apart.has(group.column),
  )
  return figure(overflowShare(groups, temperature))
}

/**
 * Which published number belongs under each column of {@link columnGroup}: the paper's average and spread only beside
 * the paper's columns.
 */
function publishedKeys(
  layout: Layout,
  environment: string,
  metric: 'success' | 'progress',
): (PublishedKey | undefined)[] {
  const ofPaper = (place: Place): boolean => place === twin || paper.includes(place)
  const isWhole = layout.clean !== undefined && [...paper, twin].every((place) => layout.perturbed.includes(place))
  const key = (perturbation: string): PublishedKey => ({ environment, metric, perturbation })
  return [
    ...(layout.clean === undefined ? [] : [key('none')]),
    ...layout.perturbed.map((place) => (ofPaper(place) ? key(place.title) : undefined)),
    ...(layout.hasAverages
      ? [isWhole ? key('average') : undefined, isWhole ? { ...key('average'), deviation: true as const } : undefined]
      : []),
    ...layout.beside.map(() => undefined),
  ]
}

function layOut({ columns }: Aggregate): Layout {
  const clean = { title: 'None', label: columns.find(({ clean }) => clean)?.label ?? 'none' }
  const others = columns
    .filter((column) => !column.clean)
    .map((column) => ({ title: column.label, label: column.label, enters: isAveraged(column) }))
  const isOfPaper = ({ label }: Place): boolean => paper.some((place) => place.label === label)
  if (others.some(isOfPaper)) {
    return {
      clean,
      perturbed: [...paper, twin],
      beside: others.filter((place) => !isOfPaper(place)),
      hasAverages: true,
    }
  }
  return {
    clean,
    perturbed: others.filter(({ enters }) => enters),
    beside: others.filter(({ enters }) => !enters),
    hasAverages: true,
  }
}

/**
 * The places of a paper's table: those that the run has, in the order of its columns, all draws of a perturbation as
 * one; the twin only where one is named or printed.
 */
function layOutPaper(aggregate: Aggregate, published: readonly PublishedRow[]): Layout {
  const { columns, models } = aggregate
  const clean = columns.find((column) => column.clean)
  const families = new Map<string, Aggregate['columns'][number][]>()
  for (const column of columns) {
    if (column.clean) continue
    const family = labelWithout(column.label, 'draw')
    families.set(family, [...(families.get(family) ?? []), column])
  }
  const placeOf = (name: string, draws: Aggregate['columns']): Place => {
    if (draws.length > 1) return { title: name, label: name, draws: draws.map(({ label }) => label) }
    const { label } = draws[0]!
    return paper.find((place) => place.label === label) ?? { title: label, label }
  }
  const placesOf = (isShown: (draws: Aggregate['columns']) => boolean): Place[] =>
    [...families].filter(([, draws]) => isShown(draws)).map(([name, draws]) => placeOf(name, draws))
  const perturbed = placesOf((draws) => draws.every(isAveraged))
  const hasTwin =
    perturbed.some((place) => paper.includes(place)) &&
    (models.some(({ withoutInDomain }) => withoutInDomain !== undefined) ||
      published.some(({ table, perturbation }) => publishedTables.includes(table) && perturbation === twin.title))
  return {
    ...(clean && { clean: { title: 'None', label: clean.label } }),
    perturbed: hasTwin ? [...perturbed, twin] : perturbed,
    beside: placesOf((draws) => !draws.every(isAveraged)),
    hasAverages: perturbed.length > 1,
  }
}

/** Whether the change from the clean column is significant, adjusted as in the profile where its families are those. */
function hasChanged(aggregate: Aggregate, groups: readonly Group[], metric: 'success' | 'progress'): boolean {
  const [first] = groups
  const labels = JSON.stringify(groups.map(({ column }) => column))
  const profile = first && findProfile(aggregate, first.environment, first)
  const family = profile?.families.find(({ columns }) => JSON.stringify(columns) === labels)
  const tests = family?.tests ?? (groups.length === 1 ? first?.pooled.difference?.tests : undefined)
  return (tests?.[metric].holm ?? 1) < 0.05
}

function columnGroup(title: string, metric: string, layout: Layout): ColumnGroup {
  const { clean, perturbed, beside } = layout
  const rate = ({ title, label }: Place): Column => ({ title, label, shows: 'percent', metric })
  return {
    title,
    columns: [
      ...(clean === undefined ? perturbed : [clean, ...perturbed]).map(rate),
      ...(layout.hasAverages
        ? [
            { title: 'Average', shows: 'percent', metric: `${metric}-average` } as const,
            { title: 'STD', shows: 'percent', metric: `${metric}-std` } as const,
          ]
        : []),
      ...beside.map(rate),
    ],
  }
}

/** The mean of the draws of one perturbation as a cell. */
function poolDraws(draws: readonly Cell[], groups: readonly Group[], metric: 'success' | 'progress'): Cell {
  const deviation = deviationOfDraws(groups, metric)
  return {
    ...poolScores(draws),
    ...(draws.every(({ heldIn }) => heldIn) && { heldIn: true }),
    ...(deviation !== undefined && { deviation }),
  }
}

function describeLayout(aggregate: Aggregate, layout: Layout, environment: string, isPaper: boolean): string[] {
  const { clean, perturbed } = layout
  const { models } = aggregate
  const played = new Set(groupsOn(aggregate, environment).map(({ column }) => column))
  const inPlan = ({ label, draws = [label] }: Place): boolean => draws.some((draw) => played.has(draw))
  const usesPaper = perturbed.includes(twin)
  const hasTwin = models.some(({ withoutInDomain }) => withoutInDomain !== undefined)
  const titles = perturbed.filter(inPlan).map(({ title }) => title)
  if (usesPaper && hasTwin) titles.push(`${twin.title} where it is filled`)
  const drawn = perturbed.filter(inPlan).some(({ label }) => labelWithout(label, 'draw') !== label)
  const averaged = clean !== undefined && inPlan(clean) ? [clean.title, ...titles] : titles
  if (isPaper) {
    const folded = [...perturbed, ...layout.beside].filter(({ draws }) => draws !== undefined)
    return [
      ...(usesPaper ? ['P5: None of the model trained without in-domain data.'] : []),
      ...(layout.hasAverages
        ? [
            `Average: mean of ${titles.length > 5 ? `${averaged[0]!} and the ${String(titles.length)} conditions` : listWords(averaged)}; STD: sample standard deviation (n−1) of these${clean === undefined ? '' : ' without None'}.`,
          ]
        : []),
      ...(folded.length === 0
        ? []
        : [`Mean over draws: ${folded.map(({ title, draws }) => `${title} (${String(draws!.length)})`).join(', ')}.`]),
    ]
  }
  const key =
    `P1 to P4 are ${listWords(paper.map(({ label }) => label))}; P5 is None of the model named as trained without ` +
    `in-domain rows${hasTwin ? '' : ' (none is named)'}.`
  return [
    ...(usesPaper ? [key] : []),
    ...(averaged.length > 1 ? [`Average: mean of ${listWords(averaged)}.`] : []),
    ...(drawn ? ['In Average and STD the draws of one perturbation count as one, their mean.'] : []),
    ...(titles.length > 1 ? [`STD: sample standard deviation (n−1) of ${listWords(titles)}, without None.`] : []),
  ]
}

/** Each task in its worst column, beside the worst of equally many clean repeats. One table, or none. */
function worstCaseTables(aggregate: Aggregate, environment: string): Table[] {
  const shown = aggregate.robustness.filter((one) => one.environment === environment)
  if (!shown.some(({ worstCase, allPass }) => worstCase !== undefined || allPass !== undefined)) return []
  return [
    {
      ...tableOn(aggregate, environment, 'robustness', 'Worst case over columns', 'worst-case'),
      notes: [
        'Shares in percent over all seeds and temperatures; columns that promise identity do not enter.',
        ...describeAdversarial(aggregate.columns),
        "Worst case: per task the lowest of its columns' means, the clean one among them, then the mean over the tasks measured in every column.",
        'One seed: the worst case over the columns of one seed each, every column at another seed; Of clean: that of clean repeats at the same seeds, since the lowest of several noisy scores is low by chance. ' +
          'Columns do harm as far as the first of these two is below the second, which needs as many seeds as there are columns.',
        'Solved in all: tasks solved in every column in at least half of their measurements.',
        'These are single figures over tasks, so there is no standard deviation over runs.',
      ],
      heads: rowHeads(aggregate, 'pooled', false),
      groups: [
        { title: 'Success', columns: worstColumns('success') },
        { title: 'Progress', columns: worstColumns('progress') },
        {
          title: 'Tasks',
          columns: [
            { title: 'Solved in all', shows: 'percent', metric: 'all-pass' },
            { title: 'Columns', shows: 'count', metric: 'worst-case-columns' },
          ],
        },
      ],
      rows: shown.map((one) => ({
        ...nameRow(aggregate, 'pooled', {}, { model: one.model, agent: one.agent }),
        cells: [
          ...worstCells(one, 'success'),
          ...worstCells(one, 'progress'),
          figure(one.allPass),
          figure(one.worstCase?.columns),
        ],
      })),
    },
  ]
}

function worstColumns(metric: string): Column[] {
  return [
    { title: 'Worst case', shows: 'percent', metric: `${metric}-worst` },
    { title: 'One seed', shows: 'percent', metric: `${metric}-worst-of-one-seed` },
    { title: 'Of clean', shows: 'percent', metric: `${metric}-worst-of-clean` },
  ]
}

function worstCells({ worstCase, worstOfOneSeed, worstOfClean }: Robustness, metric: 'success' | 'progress'): Cell[] {
  return [worstCase, worstOfOneSeed, worstOfClean].map((worst) => figure(worst?.[metric]))
}
