import type { PublishedRow } from '../../src/define.js'
import { labelWithout } from '../../src/define.js'
import type { Aggregate } from '../../src/results/aggregate.js'
import { deviationOfDraws, poolScores, summariseScores } from '../../src/results/combined-scores.js'
import { describeAdversarial, isAveraged } from '../../src/results/conditions.js'
import { findGroup, findProfile } from '../../src/results/find.js'
import type { PublishedKey } from '../../src/results/published/place-published.js'
import { placePublished } from '../../src/results/published/place-published.js'
import type { Group, Profile } from '../../src/results/schema.js'
import type { Cell, Column, ColumnGroup, Table } from '../../src/tables/table.js'
import { figure } from '../../src/tables/table.js'
import { listWords } from '../../src/tables/words.js'
import { describePublished, describeRuns, tableOn } from './captions.js'
import { defineTableReport } from './define-report.js'
import type { Measures } from './measured.js'
import { measuredTables, perMetric } from './measured.js'
import type { Detail } from './rows.js'
import { describeRateMarks, groupsOn, markedRate, modelRows, nameRow, rowHeads } from './rows.js'

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
  tables: (aggregate, detail, published) => [
    ...robustnessTables(aggregate, detail === 'paper' ? detail : 'each-temperature', published),
    ...worstCaseTables(aggregate),
  ],
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

/** For each environment one table of rates, with published rows below. */
function robustnessTables(aggregate: Aggregate, detail: Detail, published: readonly PublishedRow[] = []): Table[] {
  const layout = detail === 'paper' ? layOutPaper(aggregate, published) : layOut(aggregate)
  return aggregate.environments.map(({ name }) => robustnessTable(aggregate, layout, detail, name, published))
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
      ...(isPaper ? [] : ['Success and progress rate in percent.', ...describeRuns(aggregate, detail)]),
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
        const cellOf = ({ isTwin, label, draws = [label] }: Place, metric: Metric): Cell => {
          const name = isTwin ? model.withoutInDomain : model.name
          const labels = isTwin ? [layout.clean?.label ?? 'none'] : draws
          const groups = labels.flatMap((one) => findGroup(aggregate, environment, name ?? '', agent, one) ?? [])
          const cells = groups.map((group) => markedRate(aggregate, group, scope, metric, !isTwin))
          const cell = cells.length > 1 ? poolDraws(cells, groups, metric) : (cells[0] ?? {})
          return isPaper && !isTwin && hasChanged(aggregate, groups, metric) ? { ...cell, changed: true } : cell
        }
        return metrics.flatMap((metric) => {
          const cellsOf = (places: readonly Place[]): Cell[] => places.map((place) => cellOf(place, metric))
          const clean = cellsOf(cleanOf(layout))
          const perturbed = cellsOf(layout.perturbed)
          const labels = layout.perturbed.map(({ label }) => label)
          const { average, deviation } = summariseScores(clean, perturbed, labels)
          const averages = layout.hasAverages ? [figure(average), figure(deviation)] : []
          return [...clean, ...perturbed, ...averages, ...cellsOf(layout.beside)]
        })
      }),
      ...placed.rows,
    ],
  }
}

const metrics = ['success', 'progress'] as const
type Metric = (typeof metrics)[number]

function cleanOf({ clean }: Layout): readonly Place[] {
  return clean === undefined ? [] : [clean]
}

/**
 * Which published number belongs under each column of {@link columnGroup}: the paper's average and spread only beside
 * the paper's conditions.
 */
function publishedKeys(layout: Layout, environment: string, metric: Metric): (PublishedKey | undefined)[] {
  const ofPaper = (place: Place): boolean => place === twin || paper.includes(place)
  const isWhole = layout.clean !== undefined && [...paper, twin].every((place) => layout.perturbed.includes(place))
  const key = (perturbation: string): PublishedKey => ({ environment, metric, perturbation })
  return [
    ...cleanOf(layout).map(() => key('none')),
    ...layout.perturbed.map((place) => (ofPaper(place) ? key(place.title) : undefined)),
    ...(layout.hasAverages
      ? [isWhole ? key('average') : undefined, isWhole ? { ...key('average'), deviation: true as const } : undefined]
      : []),
    ...layout.beside.map(() => undefined),
  ]
}

function layOut({ conditions }: Aggregate): Layout {
  const clean = { title: 'None', label: conditions.find(({ clean }) => clean)?.label ?? 'none' }
  const isOfPaper = ({ label }: Pick<Place, 'label'>): boolean => paper.some((place) => place.label === label)
  const hasPaper = conditions.some(isOfPaper)
  const others = conditions.filter((condition) => !condition.clean && !(hasPaper && isOfPaper(condition)))
  const placesOf = (some: Aggregate['conditions']): Place[] => some.map(({ label }) => ({ title: label, label }))
  return hasPaper
    ? { clean, perturbed: [...paper, twin], beside: placesOf(others), hasAverages: true }
    : {
        ...{ clean, hasAverages: true },
        perturbed: placesOf(others.filter(isAveraged)),
        beside: placesOf(others.filter((condition) => !isAveraged(condition))),
      }
}

/**
 * The places of a paper's table: those that the run has, in the order of its conditions, all draws of a perturbation as
 * one; the twin only where one is named or printed.
 */
function layOutPaper({ conditions, models }: Aggregate, published: readonly PublishedRow[]): Layout {
  const clean = conditions.find((condition) => condition.clean)
  const perturbations = conditions.filter((condition) => condition !== clean)
  const families = [...new Set(perturbations.map(({ label }) => labelWithout(label, 'draw')))].map((name) => {
    const draws = perturbations.filter(({ label }) => labelWithout(label, 'draw') === name)
    const [{ label }] = draws as [Aggregate['conditions'][number]]
    const alone = paper.find((place) => place.label === label) ?? { title: label, label }
    const place: Place = draws.length > 1 ? { title: name, label: name, draws: draws.map((draw) => draw.label) } : alone
    return { place, enters: draws.every(isAveraged) }
  })
  const perturbed = families.flatMap(({ place, enters }) => (enters ? place : []))
  const hasTwin =
    perturbed.some((place) => paper.includes(place)) &&
    (models.some(({ withoutInDomain }) => withoutInDomain !== undefined) ||
      published.some(({ table, perturbation }) => publishedTables.includes(table) && perturbation === twin.title))
  return {
    ...(clean && { clean: { title: 'None', label: clean.label } }),
    perturbed: hasTwin ? [...perturbed, twin] : perturbed,
    beside: families.flatMap(({ place, enters }) => (enters ? [] : place)),
    hasAverages: perturbed.length > 1,
  }
}

/**
 * Whether the change from the clean condition is significant, adjusted as in the profile where its families are those.
 */
function hasChanged(aggregate: Aggregate, groups: readonly Group[], metric: Metric): boolean {
  const [first] = groups
  const labels = JSON.stringify(groups.map(({ condition }) => condition))
  const profile = first && findProfile(aggregate, first.environment, first)
  const family = profile?.families.find(({ conditions }) => JSON.stringify(conditions) === labels)
  const tests = family?.tests ?? (groups.length === 1 ? first?.pooled.difference?.tests : undefined)
  return (tests?.[metric].holm ?? 1) < 0.05
}

function columnGroup(title: string, metric: Metric, layout: Layout): ColumnGroup {
  const ratesOf = (places: readonly Place[]): Column[] =>
    places.map(({ title, label }) => ({ title, label, shows: 'percent', metric }))
  const averages: readonly Column[] = [
    { title: 'Average', shows: 'percent', metric: `${metric}-average` },
    { title: 'STD', shows: 'percent', metric: `${metric}-std` },
  ]
  const rates = ratesOf([...cleanOf(layout), ...layout.perturbed])
  return { title, columns: [...rates, ...(layout.hasAverages ? averages : []), ...ratesOf(layout.beside)] }
}

/** The mean of the draws of one perturbation as a cell. */
function poolDraws(draws: readonly Cell[], groups: readonly Group[], metric: Metric): Cell {
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

type WorstCase = NonNullable<Profile['worstCase']>
const worstCaseMeasures: Measures<WorstCase> = {
  ...perMetric((metric, title) => ({
    [title]: [
      ['Worst case', 'percent', `${metric}-worst`, (worst) => worst[metric]],
      ['Of clean', 'percent', `${metric}-worst-of-clean`, ({ ofClean }) => ofClean?.[metric]],
    ],
  })),
  Tasks: [
    ['Solved in all', 'percent', 'solved-in-all', ({ solvedInAll }) => solvedInAll],
    ['Conditions', 'count', 'worst-case-conditions', ({ conditions }) => conditions],
  ],
}

/** Each task in its worst condition, with the tasks that every condition solves. */
function worstCaseTables(aggregate: Aggregate): Table[] {
  return measuredTables(
    aggregate,
    { name: 'robustness', by: 'worst-case', title: 'Worst case over conditions' },
    (environment) => ({
      heads: rowHeads(aggregate, 'pooled', false),
      rows: aggregate.profiles.flatMap(({ worstCase: of, model, agent, ...where }) =>
        of === undefined || where.environment !== environment
          ? []
          : { row: nameRow(aggregate, 'pooled', {}, { model, agent }), of },
      ),
      measures: worstCaseMeasures,
      notes: [
        'Shares in percent over all seeds and temperatures, without conditions that promise identity.',
        ...describeAdversarial(aggregate.conditions),
        "Worst case: per task the lowest of its conditions' means, the clean one among them, then the mean over the tasks measured in every condition.",
        {
          'success-worst-of-clean':
            'Of clean: the same for as many clean repeats, the mean over all sets of them, since the lowest of several noisy scores is low by chance.',
        },
        'Solved in all: tasks that every condition solves in at least half of its episodes.',
        'These are single figures over tasks, so there is no standard deviation over runs.',
      ],
    }),
  )
}
