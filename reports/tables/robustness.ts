import { type PublishedRow, labelWithout } from '../../src/define.js'
import type { Aggregate } from '../../src/results/aggregate.js'
import { deviationOfDraws, poolScores, summariseScores } from '../../src/results/combined-scores.js'
import { describeAdversarial, isAveraged } from '../../src/results/conditions.js'
import { findGroup, findProfile } from '../../src/results/find.js'
import { defined, groupBy } from '../../src/results/lists.js'
import type { metrics } from '../../src/results/pairs.js'
import type { PublishedKey } from '../../src/results/published/place-published.js'
import type { Group, Profile } from '../../src/results/schema.js'
import { type Cell, type Table, figure } from '../../src/tables/table.js'
import { listWords, sentences } from '../../src/tables/words.js'
import { describePublished, describeRuns, tableOn } from './captions.js'
import { defineTableReport } from './define-report.js'
import { type Measures, measuredTables, perMetric } from './measured.js'
import { type RateColumn, type RateRow, describeRateMarks, markedRate, rateGrid } from './rates.js'
import { type Detail, groupsOn } from './rows.js'

/**
 * AgentRefine's table 3 (ICLR 2025): models × None, P1 to P5, Average and STD, each as success and progress rate. P1 to
 * P4 are the conditions `agentrefine-1` to `agentrefine-4`; P5 is the unperturbed result of the model trained without
 * in-domain rows. Other conditions stand after it.
 */
export default defineTableReport({
  name: 'robustness',
  summary: 'success and progress under each perturbation, with their average and spread',
  source: 'AgentRefine (arXiv 2501.01702), table 3',
  tables: (aggregate, detail, published) => [
    ...robustnessTables(aggregate, detail, published),
    ...worstCaseTables(aggregate),
  ],
})

const publishedTables = ['T3-robustness', 'AppI-component-robustness']
type Metric = (typeof metrics)[number]

/** What a column of rates is of: one condition, or all draws of a perturbation, whose mean it is. */
interface Place {
  readonly title: string
  readonly label: string
  /** Labels of the plan's conditions. */
  readonly draws: readonly string[]
  /** Whether it is of the model's twin without in-domain rows. */
  readonly isTwin?: boolean
}

/** Which rates the table shows: those that are averaged, and those beside them. */
interface Layout {
  /** Absent in a run without it, and in the table of a paper that leaves it out. */
  readonly clean?: Place
  readonly perturbed: readonly Place[]
  readonly beside: readonly Place[]
  /** Whether there are columns for average and deviation. */
  readonly hasAverages: boolean
}

/** For each environment one table of rates, with published rows below. */
function robustnessTables(aggregate: Aggregate, detail: Detail, published?: readonly PublishedRow[]): Table[] {
  const isPaper = detail === 'paper'
  const layout = layOut(aggregate, published ?? [], isPaper)
  return aggregate.environments.map(({ name: environment }) => {
    const rateOf = (place: Place, { scope, model, agent }: RateRow, metric: Metric): Cell => {
      const { isTwin = false, draws } = place
      const name = isTwin ? model.withoutInDomain : model.name
      const groups = draws.flatMap((label) => findGroup(aggregate, environment, name ?? '', agent, label) ?? [])
      const cells = groups.map((group) => markedRate(aggregate, group, scope, metric, !isTwin))
      const cell = cells.length > 1 ? poolDraws(cells, groups, metric) : (cells[0] ?? {})
      return isPaper && !isTwin && hasChanged(aggregate, groups, metric) ? { ...cell, changed: true } : cell
    }
    const groups = [
      { title: 'Success rate', columns: rateColumns(layout, environment, 'success', rateOf) },
      { title: 'Progress rate', columns: rateColumns(layout, environment, 'progress', rateOf) },
    ]
    const { grid, publishedNotes } = rateGrid(aggregate, detail, groups, published, publishedTables)
    return {
      ...tableOn(aggregate, environment, 'robustness', 'Robustness'),
      notes: [
        ...(isPaper ? [] : ['Success and progress rate in percent.', ...describeRuns(aggregate, detail)]),
        ...describeLayout(aggregate, layout, environment, isPaper),
        ...describeAdversarial(aggregate.conditions),
        ...publishedNotes,
        ...(isPaper ? [] : describePublished(aggregate, grid.rows, environment)),
      ],
      marks: describeRateMarks(aggregate, detail),
      ...grid,
    }
  })
}

/** The columns of a metric. The paper's average and spread stand only under those of all its conditions. */
function rateColumns(
  { clean, perturbed, beside, hasAverages }: Layout,
  environment: string,
  metric: Metric,
  rateOf: (place: Place, row: RateRow, metric: Metric) => Cell,
): RateColumn[] {
  const key = (perturbation: string): PublishedKey => ({ environment, metric, perturbation })
  const rate = (place: Place): RateColumn => ({
    column: { title: place.title, label: place.label, shows: 'percent', metric },
    key: place === clean ? key('none') : paperTitles.includes(place.title) ? key(place.title) : undefined,
    cellIn: (row) => rateOf(place, row, metric),
  })
  const isWhole = clean !== undefined && paperTitles.every((title) => perturbed.some((place) => place.title === title))
  const combined = (title: string, of: 'average' | 'deviation', more: Partial<PublishedKey> = {}): RateColumn => ({
    column: { title, shows: 'percent', metric: `${metric}-${title.toLowerCase()}` },
    key: isWhole ? { ...key('average'), ...more } : undefined,
    cellIn: (row) => {
      const scoresOf = (places: readonly Place[]): Cell[] => places.map((place) => rateOf(place, row, metric))
      const labels = perturbed.map(({ label }) => label)
      return figure(summariseScores(scoresOf([clean ?? []].flat()), scoresOf(perturbed), labels)[of])
    },
  })
  return [
    ...[clean ?? [], perturbed].flat().map(rate),
    ...(hasAverages ? [combined('Average', 'average'), combined('STD', 'deviation', { deviation: true })] : []),
    ...beside.map(rate),
  ]
}

const paperTitles = ['P1', 'P2', 'P3', 'P4', 'P5']

/** The paper's title of a condition, if it is of the paper. */
export function paperTitleOf(label: string): string | undefined {
  const number = /^agentrefine-([1-4])$/.exec(label)?.[1]
  return number === undefined ? undefined : `P${number}`
}

/**
 * The places that the run has, in the order of its conditions; P5 only where a model has a twin, or one is printed. A
 * paper's table has all draws of a perturbation as one, and averages over what it shows; else the average is over the
 * paper's conditions where there are some.
 */
function layOut({ conditions, models }: Aggregate, published: readonly PublishedRow[], isPaper: boolean): Layout {
  const clean = conditions.find((condition) => condition.clean)
  const others = conditions.filter((condition) => condition !== clean)
  const hasPaper = others.some(({ label }) => paperTitleOf(label) !== undefined)
  const families = groupBy(others, ({ label }) => (isPaper ? labelWithout(label, 'draw') : label))
  const places = [...families].map(([family, [first, ...draws]]) => {
    const label = draws.length > 0 ? family : first!.label
    const title = paperTitleOf(label)
    return {
      ...{ title: title ?? label, label, draws: [first!, ...draws].map((draw) => draw.label) },
      enters: hasPaper && !isPaper ? title !== undefined : [first!, ...draws].every(isAveraged),
    }
  })
  const perturbed = places.filter(({ enters }) => enters)
  const hasTwin =
    perturbed.some(({ title }) => paperTitles.includes(title)) &&
    (models.some(({ withoutInDomain }) => withoutInDomain !== undefined) ||
      published.some(({ table, perturbation }) => publishedTables.includes(table) && perturbation === 'P5'))
  const twin: Place = { title: 'P5', label: 'agentrefine-5', draws: [clean?.label ?? 'none'], isTwin: true }
  return {
    ...(clean && { clean: { title: 'None', label: clean.label, draws: [clean.label] } }),
    perturbed: hasTwin ? [...perturbed, twin] : perturbed,
    beside: places.filter(({ enters }) => !enters),
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

/** The mean of the draws of one perturbation as a cell. */
function poolDraws(draws: readonly Cell[], groups: readonly Group[], metric: Metric): Cell {
  const deviation = deviationOfDraws(groups, metric)
  return {
    ...poolScores(draws),
    ...(draws.every(({ heldIn }) => heldIn) && { heldIn: true }),
    ...defined({ deviation }),
  }
}

function describeLayout(aggregate: Aggregate, layout: Layout, environment: string, isPaper: boolean): string[] {
  const { clean, perturbed, beside, hasAverages } = layout
  const played = new Set(groupsOn(aggregate, environment).map(({ condition }) => condition))
  const shown = perturbed.filter(({ isTwin, draws }) => !isTwin && draws.some((draw) => played.has(draw)))
  const ofPaper = shown.filter(({ title, label }) => title !== label)
  const hasTwin = perturbed.some(({ isTwin }) => isTwin)
  const isFilled = aggregate.models.some(({ withoutInDomain }) => withoutInDomain !== undefined)
  const titles = [...shown.map(({ title }) => title), ...(isFilled && hasTwin ? ['P5 where it is filled'] : [])]
  const averaged = clean && clean.draws.some((draw) => played.has(draw)) ? [clean.title, ...titles] : titles
  const words =
    isPaper && titles.length > 5 ? `${averaged[0]!} and the ${String(titles.length)} conditions` : listWords(averaged)
  const pooled = [...perturbed, ...beside].filter(({ draws }) => draws.length > 1)
  return sentences([
    ofPaper.length > 0 && !isPaper && `${listWords(ofPaper.map(({ title, label }) => `${title} is ${label}`))}.`,
    hasTwin && 'P5: None of the model trained without in-domain data.',
    hasAverages &&
      `Average: mean of ${words}; STD: sample standard deviation (n−1) of these${clean === undefined ? '' : ' without None'}.`,
    hasAverages &&
      shown.some(({ label }) => labelWithout(label, 'draw') !== label) &&
      'In Average and STD the draws of one perturbation count as one, their mean.',
    pooled.length > 0 &&
      `Mean over draws: ${pooled.map(({ title, draws }) => `${title} (${String(draws.length)})`).join(', ')}.`,
  ])
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
  return measuredTables(aggregate, {
    ...{ name: 'robustness', by: 'worst-case', title: 'Worst case over conditions', measures: worstCaseMeasures },
    rows: aggregate.profiles.flatMap((subject) => (subject.worstCase ? { subject, of: subject.worstCase } : [])),
    notesOf: () => [
      'Shares in percent over all seeds and temperatures, without conditions that promise identity.',
      ...describeAdversarial(aggregate.conditions),
      "Worst case: per task the lowest of its conditions' means, the clean one among them, then the mean over the tasks measured in every condition.",
      'Of clean: the same for as many clean repeats, the mean over all sets of them, since the lowest of several noisy scores is low by chance.',
      'Solved in all: tasks that every condition solves in at least half of its episodes.',
      'These are single figures over tasks, so there is no standard deviation over runs.',
    ],
  })
}
