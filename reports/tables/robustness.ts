import { findGroup, findProfile } from '../../src/results/find.js'
import { figure } from '../../src/tables/table.js'
import type { PublishedRow } from '../../src/define.js'
import { labelWithout } from '../../src/define.js'
import type { Aggregate } from '../../src/results/aggregate.js'
import { deviationOfDraws, poolScores, summariseScores } from '../../src/results/combined-scores.js'
import { describeAdversarial, isAveraged } from '../../src/results/conditions.js'
import type { Group, Robustness } from '../../src/results/schema.js'
import type { PublishedKey } from '../../src/results/published/place-published.js'
import { placePublished } from '../../src/results/published/place-published.js'
import { describePublished, describeRuns, tableOn } from './captions.js'
import { defineTableReport } from './define-report.js'
import { measure, measuredTables, perMetric } from './measured.js'
import { describeRateMarks, markedRate } from './marks.js'
import type { Detail } from './rows.js'
import { groupsOn, modelRows, nameRow, rowHeads } from './rows.js'
import type { Cell, Column, ColumnGroup, Table } from '../../src/tables/table.js'
import { listWords } from '../../src/tables/words.js'

/**
 * AgentRefine's table 3 (ICLR 2025): models × None, P1 to P5, Average and STD, each as success and progress rate. P1 to
 * P4 are the conditions `agentrefine-1` to `agentrefine-4`; P5 is the unperturbed result of the model trained without
 * in-domain rows. Other conditions stand after it.
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
 * A column of rates: the plan's condition of that label, the mean of several that are draws of one perturbation, or the
 * clean condition of the model's twin without in-domain rows.
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
  const placed = placePublished(
    published,
    publishedTables,
    metrics.flatMap((metric) => publishedKeys(layout, environment, metric)),
    heads.length,
  )
  const isPaper = detail === 'paper'
  return {
    ...tableOn(aggregate, environment, 'robustness', 'Robustness'),
    notes: [
      ...(isPaper ? [] : ['Success and progress rate in percent.']),
      ...(isPaper ? [] : describeRuns(aggregate, detail)),
      ...describeLayout(aggregate, layout, environment, isPaper),
      ...describeAdversarial(aggregate.conditions),
      ...placed.notes,
      ...(isPaper ? [] : describePublished(aggregate, placed.rows, environment)),
    ],
    marks: describeRateMarks(aggregate, detail),
    heads,
    groups: [columnGroup('Success rate', 'success', layout), columnGroup('Progress rate', 'progress', layout)],
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
        return metrics.flatMap(cellsOf)
      }),
      ...placed.rows,
    ],
  }
}

const metrics = ['success', 'progress'] as const

/**
 * Which published number belongs under each column of {@link columnGroup}: the paper's average and spread only beside
 * the paper's conditions.
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

function layOut({ conditions }: Aggregate): Layout {
  const clean = { title: 'None', label: conditions.find(({ clean }) => clean)?.label ?? 'none' }
  const others = conditions
    .filter((condition) => !condition.clean)
    .map((condition) => ({ title: condition.label, label: condition.label, enters: isAveraged(condition) }))
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
 * The places of a paper's table: those that the run has, in the order of its conditions, all draws of a perturbation as
 * one; the twin only where one is named or printed.
 */
function layOutPaper(aggregate: Aggregate, published: readonly PublishedRow[]): Layout {
  const { conditions, models } = aggregate
  const clean = conditions.find((condition) => condition.clean)
  const families = new Map<string, Aggregate['conditions'][number][]>()
  for (const condition of conditions) {
    if (condition.clean) continue
    const family = labelWithout(condition.label, 'draw')
    families.set(family, [...(families.get(family) ?? []), condition])
  }
  const placeOf = (name: string, draws: Aggregate['conditions']): Place => {
    if (draws.length > 1) return { title: name, label: name, draws: draws.map(({ label }) => label) }
    const { label } = draws[0]!
    return paper.find((place) => place.label === label) ?? { title: label, label }
  }
  const placesOf = (isShown: (draws: Aggregate['conditions']) => boolean): Place[] =>
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

/**
 * Whether the change from the clean condition is significant, adjusted as in the profile where its families are those.
 */
function hasChanged(aggregate: Aggregate, groups: readonly Group[], metric: 'success' | 'progress'): boolean {
  const [first] = groups
  const labels = JSON.stringify(groups.map(({ condition }) => condition))
  const profile = first && findProfile(aggregate, first.environment, first)
  const family = profile?.families.find(({ conditions }) => JSON.stringify(conditions) === labels)
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
  const played = new Set(groupsOn(aggregate, environment).map(({ condition }) => condition))
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

/** Each task in its worst condition, beside the worst of equally many clean repeats. One table, or none. */
function worstCaseTables(aggregate: Aggregate, environment: string): Table[] {
  return measuredTables<Robustness>(
    {
      ...tableOn(aggregate, environment, 'robustness', 'Worst case over conditions', 'worst-case'),
      heads: rowHeads(aggregate, 'pooled', false),
    },
    aggregate.robustness
      .filter((one) => one.environment === environment)
      .map((of) => ({ row: nameRow(aggregate, 'pooled', {}, { model: of.model, agent: of.agent }), of })),
    [
      ...perMetric<Robustness>((metric, title) => [
        measure(title, 'Worst case', 'percent', `${metric}-worst`, ({ worstCase }) => figure(worstCase?.[metric])),
        measure(title, 'One seed', 'percent', `${metric}-worst-of-one-seed`, ({ worstOfOneSeed }) =>
          figure(worstOfOneSeed?.[metric]),
        ),
        measure(title, 'Of clean', 'percent', `${metric}-worst-of-clean`, ({ worstOfClean }) =>
          figure(worstOfClean?.[metric]),
        ),
      ]),
      measure('Tasks', 'Solved in all', 'percent', 'all-pass', ({ allPass }) => figure(allPass)),
      measure('Tasks', 'Conditions', 'count', 'worst-case-conditions', ({ worstCase }) =>
        figure(worstCase?.conditions),
      ),
    ],
    [
      'Shares in percent over all seeds and temperatures; conditions that promise identity do not enter.',
      ...describeAdversarial(aggregate.conditions),
      "Worst case: per task the lowest of its conditions' means, the clean one among them, then the mean over the tasks measured in every condition.",
      [
        'success-worst-of-one-seed',
        'One seed: the worst case over the conditions of one seed each, every condition at another seed; Of clean: that of clean repeats at the same seeds, since the lowest of several noisy scores is low by chance. ' +
          'Conditions do harm as far as the first of these two is below the second, which needs as many seeds as there are conditions.',
      ],
      'Solved in all: tasks solved in every condition in at least half of their measurements.',
      'These are single figures over tasks, so there is no standard deviation over runs.',
    ],
  )
}
