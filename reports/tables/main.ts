import type { PlannedModel, PublishedRow } from '../../src/define.js'
import type { Aggregate } from '../../src/results/aggregate.js'
import { weighEnvironments, weightedScore } from '../../src/results/combined-scores.js'
import { findGroup } from '../../src/results/find.js'
import { metrics } from '../../src/results/pairs.js'
import { isHeldIn, paperTaskOf, paperTasks } from '../../src/results/published/paper-tasks.js'
import type { Table } from '../../src/tables/table.js'
import { listWords } from '../../src/tables/words.js'
import { describePublished, describeRuns, tableOn } from './captions.js'
import { defineTableReport } from './define-report.js'
import { type RateColumn, describeRateMarks, markedRate, rateGrid } from './rates.js'
import { type Detail, cleanLabel } from './rows.js'

/**
 * AgentRefine's table 1: models × environments, each as success and progress rate, with the spread of its appendix H.
 */
export default defineTableReport({
  name: 'main',
  summary:
    'success and progress in every environment, unperturbed, with spread, and weighted scores over environments; the best and held-in are marked',
  source: 'AgentRefine (arXiv 2501.01702), table 1, appendix H, held-out score over 282 tasks, scaling figure over 416',
  tables: (aggregate, detail, published) => [
    ...mainTables(aggregate, detail, published),
    ...weightedTables(aggregate, detail),
  ],
})

/** One table over all environments, of the clean condition; none for a run without that condition. */
function mainTables(aggregate: Aggregate, detail: Detail, published?: readonly PublishedRow[]): Table[] {
  const clean = cleanLabel(aggregate)
  if (clean === undefined) return []
  const groups = aggregate.environments.map(({ name: environment }) => ({
    title: environment,
    columns: metrics.map((metric): RateColumn => ({
      column: { title: titles[metric], shows: 'percent', metric, label: clean, environment },
      key: { environment, metric, perturbation: 'none' },
      cellIn: ({ scope, model, agent }) => {
        const group = findGroup(aggregate, environment, model.name, agent, clean)
        return group ? markedRate(aggregate, group, scope, metric) : {}
      },
    })),
  }))
  const { grid, publishedNotes } = rateGrid(aggregate, detail, groups, published, ['T1-main', 'AppH-std'])
  return [
    {
      ...tableOn(aggregate, undefined, 'main', 'Main results'),
      notes: [
        `Success and progress rate in percent, unperturbed (condition ${clean}).`,
        ...describeRuns(aggregate, detail),
        ...publishedNotes,
        ...describePublished(aggregate, grid.rows),
      ],
      marks: describeRateMarks(aggregate, detail),
      ...grid,
    },
  ]
}

const titles = { success: 'Success', progress: 'Progress' } as const

/**
 * One score over several environments, weighted as in the paper, and one over those that a model was not trained on: of
 * the clean condition; none for a run of one environment or without that condition.
 */
function weightedTables(aggregate: Aggregate, detail: Detail): Table[] {
  const clean = cleanLabel(aggregate)
  if (clean === undefined || aggregate.environments.length < 2) return []
  const weights = weighEnvironments(aggregate)
  const names = [...weights.keys()]
  const weighed = [...weights].map(([name, weight]) => `${name} ${String(Math.round(10 * weight) / 10)}`)
  const ofPaper = names.filter((name) => paperTaskOf(name)?.heldOut)
  const ofModel = (model: PlannedModel): string[] => names.filter((name) => isHeldIn(model, name) === false)
  const scores = (prefix: string, environmentsFor: (model: PlannedModel) => readonly string[]): RateColumn[] =>
    metrics.map((metric) => ({
      column: { title: titles[metric], shows: 'percent', metric: `${prefix}-${metric}`, label: clean },
      cellIn: ({ scope, model, agent }) => {
        const groups = environmentsFor(model).map((name) => findGroup(aggregate, name, model.name, agent, clean)!)
        return weightedScore(groups, weights, metric, scope.temperature)
      },
    }))
  const over: RateColumn = {
    column: { title: 'Over', shows: 'text', metric: 'own-environments', label: clean },
    cellIn: ({ model }) => ({
      text: model.heldIn === undefined ? 'not declared' : ofModel(model).join(', ') || 'none',
    }),
  }
  const { grid } = rateGrid(aggregate, detail, [
    { title: 'Held out in the paper', columns: scores('paper', () => ofPaper) },
    { title: 'Held out for the model', columns: [...scores('own', ofModel), over] },
    { title: 'All', columns: scores('all', () => names) },
  ])
  return [
    {
      ...tableOn(aggregate, undefined, 'main', 'Weighted scores', 'weighted'),
      notes: [
        `Success and progress rate in percent over several environments, unperturbed (condition ${clean}).`,
        `Weights: ${listWords(weighed)} (the paper's numbers of tasks where it has the environment, the run's otherwise).`,
        ...describePaper(ofPaper, names),
        'Held out for the model: over the environments that it was not trained on, weights renormalised, which differ from model to model; a model without heldIn in the experiment has none.',
        ...describeRuns(aggregate, detail),
        'A run scores the weighted mean of its environments; a run without one of them is left out.',
      ],
      ...grid,
    },
  ]
}

function describePaper(ofPaper: readonly string[], names: readonly string[]): string[] {
  const missing = (among: typeof paperTasks): string[] =>
    among.filter((task) => !names.some((name) => paperTaskOf(name) === task)).map(({ name }) => name)
  const heldOut = missing(paperTasks.filter((task) => task.heldOut))
  const foreign = names.filter((name) => paperTaskOf(name) === undefined)
  const named = (words: string, some: readonly string[]): string =>
    some.length === 0 ? '' : `; ${words}: ${listWords(some)}`
  return [
    `Held out in the paper: ${ofPaper.length === 0 ? 'none of its environments was played' : `over ${listWords(ofPaper)}`}${named('absent', heldOut)}. The paper's score is over babyai, scienceworld, pddl and jericho, 282 tasks, whatever a model was trained on.`,
    `All: every environment of the run; the paper's score is over 416 tasks${named("absent of the paper's five", missing(paperTasks))}${named('not in the paper', foreign)}.`,
  ]
}
