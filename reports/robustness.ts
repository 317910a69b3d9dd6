import type { PublishedRow } from 'shaketable'
import { pairsOf } from 'shaketable'
import { mean, standardDeviation } from 'shaketable/statistics'
import type { Aggregate } from './aggregate/aggregate.js'
import type { Wish } from './published/place-published.js'
import { placePublished } from './published/place-published.js'
import { describeOrigin, describeRuns, listWords, titleTable } from './tables/captions.js'
import { defineTableReport } from './tables/define-report.js'
import { describeRateMarks, markedRate } from './tables/marks.js'
import type { NamedScope } from './tables/rows.js'
import { figure, findGroup, nameRow, rowHeads, scopesOf } from './tables/rows.js'
import type { Cell, Column, ColumnGroup, Table } from '../src/tables/table.js'
import { worstCaseTables } from './worst-case.js'

/**
 * AgentRefine's table 3 (ICLR 2025): models × None, P1 to P5, Average and STD, each as success and progress rate. P1 to
 * P4 are the columns `agentrefine-1` to `agentrefine-4`; P5 is the unperturbed result of the model trained without
 * in-domain rows. Other columns stand after it.
 */
export default defineTableReport({
  name: 'robustness',
  summary: 'success and progress under each perturbation, with their average and spread',
  source: 'AgentRefine (arXiv 2501.01702), table 3',
  tables: (aggregate, _, published) => robustnessTables(aggregate, published),
})

const paper = [1, 2, 3, 4].map((number) => ({
  title: `P${String(number)}`,
  label: `agentrefine-${String(number)}`,
}))
const twin = { title: 'P5', label: 'agentrefine-5', isTwin: true }

/**
 * A column of rates: of the plan's column of that label, or of the clean column of the model's twin without in-domain
 * rows.
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

/**
 * One table for each environment, and one of worst cases where the columns allow to tell them; published rows stand
 * below our own.
 */
export function robustnessTables(aggregate: Aggregate, published: readonly PublishedRow[] = []): Table[] {
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
  const hasOverflow = aggregate.groups.some(
    (group) => group.environment === environment && group.pooled.outcomes['context-overflow'] > 0,
  )
  const placed = placePublished(
    published,
    ['T3-robustness', 'AppI-component-robustness'],
    [...metrics.flatMap((metric) => wishesFor(layout, environment, metric)), ...(hasOverflow ? [undefined] : [])],
    heads.length,
  )
  return {
    name: 'robustness',
    environment,
    title: titleTable('Robustness', aggregate, environment),
    notes: [
      'Success and progress rate in percent.',
      ...(hasOverflow
        ? [
            'Overflow: episodes under all conditions that ended because the conversation did not fit the context, in percent; they count as not solved.',
          ]
        : []),
      ...describeRuns(aggregate, detail),
      ...describeLayout(aggregate, layout),
      ...describeOrders(aggregate, layout, environment),
      ...placed.notes,
    ],
    marks: describeRateMarks(aggregate, detail),
    origin: describeOrigin(aggregate, environment),
    heads,
    groups: [
      columnGroup('Success rate', 'success', layout),
      columnGroup('Progress rate', 'progress', layout),
      ...(hasOverflow ? [overflowGroup] : []),
    ],
    rows: [
      ...pairsOf(aggregate).flatMap(({ model, agent }) =>
        scopesOf(aggregate, detail).map((scope) => {
          const cellsOf = (metric: 'success' | 'progress'): Cell[] => {
            const cellOf = ({ label, isTwin }: Place): Cell => {
              const of = isTwin ? model.withoutInDomain : model.name
              const column = isTwin ? layout.clean.label : label
              const group = of !== undefined && findGroup(aggregate, environment, of, agent.name, column)
              return group ? markedRate(aggregate, group, scope, metric, !isTwin) : {}
            }
            const clean = cellOf(layout.clean)
            const perturbed = layout.perturbed.map(cellOf)
            return [
              clean,
              ...perturbed,
              figure(over([clean, ...perturbed], mean)),
              figure(over(perturbed, standardDeviation)),
              ...layout.beside.map(cellOf),
            ]
          }
          return {
            ...nameRow(aggregate, detail, scope, { model: model.name, agent: agent.name }),
            cells: [
              ...metrics.flatMap(cellsOf),
              ...(hasOverflow ? [overflowOf(aggregate, environment, model.name, agent.name, scope)] : []),
            ],
          }
        }),
      ),
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

/** Over all columns; a change of wording that makes prompts longer shows in it. */
function overflowOf(
  { groups }: Aggregate,
  environment: string,
  model: string,
  agent: string,
  { of }: NamedScope,
): Cell {
  const scopes = groups
    .filter((group) => group.environment === environment && group.model === model && group.agent === agent)
    .map(of)
  const valid = scopes.reduce((sum, { coverage }) => sum + coverage.valid, 0)
  const ended = scopes.reduce((sum, { outcomes }) => sum + outcomes['context-overflow'], 0)
  return figure(valid === 0 ? undefined : ended / valid)
}

/**
 * What published number belongs under each column of {@link columnGroup}: the paper's average and spread only beside
 * the same columns.
 */
function wishesFor(layout: Layout, environment: string, metric: 'success' | 'progress'): (Wish | undefined)[] {
  const ofPaper = layout.perturbed.includes(twin)
  const wish = (perturbation: string): Wish => ({ environment, metric, perturbation })
  return [
    wish('none'),
    ...layout.perturbed.map(({ title }) => (ofPaper ? wish(title) : undefined)),
    ofPaper ? wish('average') : undefined,
    ofPaper ? { ...wish('average'), deviation: true } : undefined,
    ...layout.beside.map(() => undefined),
  ]
}

function layOut({ columns }: Aggregate): Layout {
  const clean = { title: 'None', label: columns.find(({ clean }) => clean)?.label ?? 'none' }
  const others = columns
    .filter((column) => !column.clean)
    .map(({ label, identity }) => ({ title: label, label, identity }))
  const isOfPaper = ({ label }: Place): boolean => paper.some((place) => place.label === label)
  if (others.some(isOfPaper)) {
    return { clean, perturbed: [...paper, twin], beside: others.filter((place) => !isOfPaper(place)) }
  }
  return {
    clean,
    perturbed: others.filter(({ identity }) => !identity),
    beside: others.filter(({ identity }) => identity),
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

/** Over the cells that are part of the plan; nothing unless each of them has a value. */
function over(cells: readonly Cell[], sum: (values: readonly number[]) => number | undefined): number | undefined {
  const planned = cells.filter((cell) => cell.planned !== undefined)
  const values = planned.map((cell) => cell.value).filter((value) => value !== undefined)
  return values.length === planned.length ? sum(values) : undefined
}

/** Whether a perturbation also changes who is better; of two rows an order says next to nothing. */
function describeOrders({ rankings = [] }: Aggregate, { perturbed }: Layout, environment: string): string[] {
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

function describeLayout({ columns, models }: Aggregate, { clean, perturbed }: Layout): string[] {
  const inPlan = ({ label }: Place): boolean => columns.some((column) => column.label === label)
  const usesPaper = perturbed.includes(twin)
  const hasTwin = models.some(({ withoutInDomain }) => withoutInDomain !== undefined)
  const titles = perturbed.filter(inPlan).map(({ title }) => title)
  if (usesPaper && hasTwin) titles.push(`${twin.title} where it is filled`)
  const averaged = inPlan(clean) ? [clean.title, ...titles] : titles
  const key =
    `P1 to P4 are ${listWords(paper.map(({ label }) => label))}; P5 is None of the model named as trained without ` +
    `in-domain rows${hasTwin ? '' : ' (none is named)'}.`
  return [
    ...(usesPaper ? [key] : []),
    ...(averaged.length > 1 ? [`Average: mean of ${listWords(averaged)}.`] : []),
    ...(titles.length > 1 ? [`STD: sample standard deviation (n−1) of ${listWords(titles)}, without None.`] : []),
  ]
}
