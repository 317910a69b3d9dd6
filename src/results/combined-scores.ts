import { mean, spreadByGroup, standardDeviation, taskInterval } from '../statistics/index.js'
import { byFamily } from './families.js'
import { defined, groupBy, sumOf } from './lists.js'
import { type Metric, metrics } from './pairs.js'
import { paperTaskOf } from './published/paper-tasks.js'
import type { Aggregate, Group } from './schema.js'

/** A rate that was made of several, and how much of what was planned is behind it; shares of 1. */
export interface Score {
  readonly value?: number
  readonly valid?: number
  readonly planned?: number
}

/**
 * The weight of each environment: the paper's number of tasks where it has the environment, split between parts of one
 * by their tasks; the run's number otherwise.
 */
export function weighEnvironments({ environments }: Pick<Aggregate, 'environments'>): ReadonlyMap<string, number> {
  return new Map(
    environments.map(({ name, tasks }) => {
      const task = paperTaskOf(name)
      if (task === undefined) return [name, tasks]
      const together = sumOf(environments, (other) => (paperTaskOf(other.name) === task ? other.tasks : 0))
      return [name, (task.tasks * tasks) / together]
    }),
  )
}

/** The weighted rate over groups of several environments, at a temperature or over all; nothing for no group. */
export function weightedScore(
  groups: readonly Group[],
  weights: ReadonlyMap<string, number>,
  metric: Metric,
  temperature: number | undefined,
) {
  if (groups.length === 0) return {}
  const sum = sumOf(groups, ({ environment }) => weights.get(environment)!)
  const scoreOf = (run: number): number =>
    sumOf(groups, ({ environment, runs }) => (weights.get(environment)! / sum) * (runs[run]![metric] ?? NaN))
  const byTemperature = runsByTemperature(groups[0]!, temperature).map((runs) => runs.map(scoreOf))
  const scores = byTemperature.flat().filter(Number.isFinite)
  const [value, { within: deviation }] = [mean(scores), spreadByGroup(byTemperature)]
  const scopes = groups.map(
    (group) => group.temperatures.find((one) => one.temperature === temperature) ?? group.pooled,
  )
  return {
    valid: sumOf(scopes, ({ coverage }) => coverage.valid),
    planned: sumOf(scopes, ({ coverage }) => coverage.planned),
    runs: scores.length,
    ...defined({ value, deviation }),
  }
}

/** The places of a group's runs, in a list for each temperature, or for the one that is named. */
function runsByTemperature({ runs }: Group, temperature?: number): number[][] {
  const byTemperature = groupBy(runs.keys(), (place) => runs[place]!.temperature)
  return temperature === undefined ? [...byTemperature.values()] : [byTemperature.get(temperature)!]
}

/** The rates of a group on the tasks at some places, each with its interval over tasks, and their coverage. */
export function scoresOn({ tasks, runs }: Group, places: readonly number[]) {
  const measured = places.filter((place) => tasks.valid[place]! > 0)
  const rates = metrics.map((metric) => {
    const scores = measured.map((place) =>
      metric === 'success' ? tasks.successes[place]! / tasks.valid[place]! : tasks.progress[place]!,
    )
    return { ...defined({ value: mean(scores) }), ...taskInterval(scores) }
  })
  return { rates, valid: sumOf(places, (place) => tasks.valid[place]!), planned: runs.length * places.length }
}

/** The deviation over seeds, within a temperature, of each run's mean over some draws; copies are no further run. */
export function deviationOfDraws(groups: readonly Group[], metric: Metric): number | undefined {
  const scoreOf = (place: number): number => {
    const runs = groups.map((group) => group.runs[place]!)
    return runs.some(({ copyOf }) => copyOf !== undefined) ? NaN : (mean(runs.map((run) => run[metric] ?? NaN)) ?? NaN)
  }
  return spreadByGroup(runsByTemperature(groups[0]!).map((places) => places.map(scoreOf))).within
}

/** The mean of the scores of draws, without a value unless each that is part of the plan has one. */
export function poolScores(draws: readonly Score[]): Score {
  const planned = draws.filter((score) => score.planned !== undefined)
  if (planned.length === 0) return {}
  return {
    planned: sumOf(planned, (score) => score.planned!),
    valid: sumOf(planned, ({ valid }) => valid ?? 0),
    ...defined({ value: overScores(draws, mean) }),
  }
}

/** The paper's Average of a clean and of perturbed scores, and its STD of the latter; draws of a family are one. */
export function summariseScores(clean: readonly Score[], perturbed: readonly Score[], labels: readonly string[]) {
  const scores = byFamily(labels.map((label, place) => ({ label, score: perturbed[place]! }))).map((draws) =>
    draws.length === 1 ? draws[0]!.score : poolScores(draws.map(({ score }) => score)),
  )
  return { average: overScores([...clean, ...scores], mean), deviation: overScores(scores, standardDeviation) }
}

/** A statistic over the scores that are part of the plan; undefined unless each of them has a value. */
function overScores(scores: readonly Score[], of: (values: readonly number[]) => number | undefined) {
  const values = scores.flatMap(({ planned, value }) => (planned === undefined ? [] : [value]))
  const known = values.filter((value) => value !== undefined)
  return known.length === values.length ? of(known) : undefined
}
