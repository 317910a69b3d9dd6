import type { PublishedRow } from 'shaketable'
import { labelWithout } from 'shaketable'
import { mean, standardDeviation } from 'shaketable/statistics'
import type { Aggregate } from './aggregate/aggregate.js'
import { describeAdversarial, isAveraged } from './aggregate/columns.js'
import type { Robustness } from './aggregate/schema.js'
import type { PublishedKey } from './published/place-published.js'
import { placePublished } from './published/place-published.js'
import { describeRuns, tableOn } from './tables/captions.js'
import { defineTableReport } from './tables/define-report.js'
import { describeRateMarks, markedRate } from './tables/marks.js'
import type { NamedScope } from './tables/rows.js'
import { figure, findGroup, groupsOn, modelRows, nameRow, rowHeads } from './tables/rows.js'
import type { Cell, Column, ColumnGroup, Table } from '../src/tables/table.js'
import { listWords } from '../src/tables/words.js'

/**
 * AgentRefine's table 3 (ICLR 2025): models × None, P1 to P5, Average and STD, each as success and progress rate. P1 to
 * P4 are the columns `agentrefine-1` to `agentrefine-4`; P5 is the unperturbed result of the model trained without
 * in-domain rows. Other columns stand after it.
 */
export default defineTableReport({
  name: 'robustness',
  summary: 'success and progress under each perturbation, with their average and spread',
  source: 'AgentRefine (arXiv 2501.01702), table 3',
  tables: (aggregate, _detail, published) => robustnessTables(aggregate, published),
})

const paper = [1, 2, 3, 4].map((number) => ({
  title: `P${String(number)}`,
  label: `agentrefine-${String(number)}`,
}))
const twin = { title: 'P5', label: 'agentrefine-5', isTwin: true }

/**
 * A column of rates: the plan's column of that label, or the clean column of the model's twin without in-domain rows.
 */
interface Place {
  readonly title: string
  readonly label: string
  readonly isTwin?: boolean
}

/** Which rates the table shows: those that are averaged, and those beside them. */
interface Layout {
  readonly clean: Place
  readonly perturbed: readonly Place[]
  readonly beside: readonly Place[]
}

/** For each environment one table of rates, with published rows below, and one of worst cases where there are any. */
function robustnessTables(aggregate: Aggregate, published: readonly PublishedRow[] = []): Table[] {
  const layout = layOut(aggregate)
  return aggregate.environments.flatMap(({ name }) => [
    robustnessTable(aggregate, layout, name, published),
    ...worstCaseTables(aggregate, name),
  ])
}

function robustnessTable(
  aggregate: Aggregate,
  layout: Layout,
  environment: string,
  published: readonly PublishedRow[],
): Table {
  const heads = rowHeads(aggregate, detail, false)
  const hasOverflow = groupsOn(aggregate, environment).some(({ pooled }) => pooled.outcomes['context-overflow'] > 0)
  const placed = placePublished(
    published,
    ['T3-robustness', 'AppI-component-robustness'],
    [...metrics.flatMap((metric) => publishedKeys(layout, environment, metric)), ...(hasOverflow ? [undefined] : [])],
    heads.length,
  )
  return {
    ...tableOn(aggregate, environment, 'robustness', 'Robustness'),
    notes: [
      'Success and progress rate in percent.',
      ...(hasOverflow
        ? [
            'Overflow: episodes under all conditions that ended because the conversation did not fit the context, in percent; they count as failures.',
          ]
        : []),
      ...describeRuns(aggregate, detail),
      ...describeLayout(aggregate, layout, environment),
      ...describeAdversarial(aggregate.columns),
      ...describeOrders(aggregate, layout, environment),
      ...placed.notes,
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
          const cellOf = ({ label, isTwin }: Place): Cell => {
            const name = isTwin ? model.withoutInDomain : model.name
            const column = isTwin ? layout.clean.label : label
            const group = name !== undefined && findGroup(aggregate, environment, name, agent, column)
            return group ? markedRate(aggregate, group, scope, metric, !isTwin) : {}
          }
          const clean = cellOf(layout.clean)
          const perturbed = layout.perturbed.map(cellOf)
          return [
            clean,
            ...perturbed,
            figure(over([clean, ...byFamily(layout.perturbed, perturbed)], mean)),
            figure(over(byFamily(layout.perturbed, perturbed), standardDeviation)),
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

const detail = 'each-temperature'
const metrics = ['success', 'progress'] as const

const overflowGroup: ColumnGroup = {
  title: 'Context',
  columns: [{ title: 'Overflow', shows: 'percent', metric: 'overflow' }],
}

/**
 * The share of overflows over all columns that are not adversarial. A wording that makes prompts longer increases it.
 */
function overflowOf(aggregate: Aggregate, environment: string, model: string, agent: string, { of }: NamedScope): Cell {
  const apart = new Set(aggregate.columns.filter(({ adversarial }) => adversarial).map(({ label }) => label))
  const scopes = groupsOn(aggregate, environment)
    .filter((group) => group.model === model && group.agent === agent && !apart.has(group.column))
    .map(of)
  const valid = scopes.reduce((sum, { coverage }) => sum + coverage.valid, 0)
  const ended = scopes.reduce((sum, { outcomes }) => sum + outcomes['context-overflow'], 0)
  return figure(valid === 0 ? undefined : ended / valid)
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
  const ofPaper = layout.perturbed.includes(twin)
  const key = (perturbation: string): PublishedKey => ({ environment, metric, perturbation })
  return [
    key('none'),
    ...layout.perturbed.map(({ title }) => (ofPaper ? key(title) : undefined)),
    ofPaper ? key('average') : undefined,
    ofPaper ? { ...key('average'), deviation: true } : undefined,
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
    return { clean, perturbed: [...paper, twin], beside: others.filter((place) => !isOfPaper(place)) }
  }
  return {
    clean,
    perturbed: others.filter(({ enters }) => enters),
    beside: others.filter(({ enters }) => !enters),
  }
}

function columnGroup(title: string, metric: string, { clean, perturbed, beside }: Layout): ColumnGroup {
  const rate = ({ title, label }: Place): Column => ({ title, label, shows: 'percent', metric })
  return {
    title,
    columns: [
      ...[clean, ...perturbed].map(rate),
      { title: 'Average', shows: 'percent', metric: `${metric}-average` },
      { title: 'STD', shows: 'percent', metric: `${metric}-std` },
      ...beside.map(rate),
    ],
  }
}

/** Cells in which the draws of one perturbation are one, their mean. */
function byFamily(places: readonly Place[], cells: readonly Cell[]): Cell[] {
  const families = new Map<string, Cell[]>()
  places.forEach(({ label }, place) => {
    families.set(labelWithout(label, 'draw'), [...(families.get(labelWithout(label, 'draw')) ?? []), cells[place]!])
  })
  return [...families.values()].map((draws) => {
    if (draws.length === 1) return draws[0]!
    const planned = draws.find((one) => one.planned !== undefined)?.planned
    return planned === undefined ? {} : { planned, ...figure(over(draws, mean)) }
  })
}

/** A statistic over the cells that are part of the plan; undefined unless each of them has a value. */
function over(cells: readonly Cell[], of: (values: readonly number[]) => number | undefined): number | undefined {
  const planned = cells.filter((cell) => cell.planned !== undefined)
  const values = planned.map((cell) => cell.value).filter((value) => value !== undefined)
  return values.length === planned.length ? of(values) : undefined
}

/** Whether a perturbation also changes the order of the rows. The order of two rows means little, so it takes three. */
function describeOrders({ rankings }: Aggregate, { perturbed }: Layout, environment: string): string[] {
  const orders = metrics.flatMap((metric) =>
    perturbed.flatMap(({ title, label, isTwin }) => {
      const ranking = rankings.find(
        (one) => one.environment === environment && one.column === label && one.metric === metric,
      )
      if (isTwin || ranking?.againstClean === undefined || ranking.entries.length < 3) return []
      return [`${title} ${metric} ${ranking.againstClean.kendall.toFixed(2)}`]
    }),
  )
  if (orders.length === 0) return []
  return [`Order of the rows over all runs against that under None, Kendall's τ-b from −1 to 1: ${orders.join(', ')}.`]
}

function describeLayout(aggregate: Aggregate, { clean, perturbed }: Layout, environment: string): string[] {
  const { models } = aggregate
  const played = new Set(groupsOn(aggregate, environment).map(({ column }) => column))
  const inPlan = ({ label }: Place): boolean => played.has(label)
  const usesPaper = perturbed.includes(twin)
  const hasTwin = models.some(({ withoutInDomain }) => withoutInDomain !== undefined)
  const titles = perturbed.filter(inPlan).map(({ title }) => title)
  if (usesPaper && hasTwin) titles.push(`${twin.title} where it is filled`)
  const drawn = perturbed.filter(inPlan).some(({ label }) => labelWithout(label, 'draw') !== label)
  const averaged = inPlan(clean) ? [clean.title, ...titles] : titles
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
      ...tableOn(aggregate, environment, 'worst-case', 'Worst case over columns'),
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
