import type { Plan, StoredRun } from '../define.js'
import { count, grouped, listFirst, listWords } from '../tables/words.js'
import { familiesOf } from './families.js'
import { maxSteps } from './sums.js'
import type { AggregateColumn, Group } from './schema.js'

/**
 * What a report on a run leaves out, in sentences, each once. Broken and missing episodes are in the coverage of each
 * scope.
 */
export function listOmitted(
  { plan, notes = [], writing, stopped }: StoredRun,
  strays: number,
  columns: readonly AggregateColumn[],
  groups: readonly Group[],
): string[] {
  return [
    ...new Set([
      ...notes,
      ...(strays > 0 ? [`${count(strays, 'row')} of unplanned episodes left out.`] : []),
      ...(writing ? [`The run was still being written: ${countUnplayed(groups)}.`] : []),
      ...(stopped === undefined ? [] : [`The run was stopped, ${countUnplayed(groups)}: ${stopped}`]),
      ...describeUnmeasured(groups),
      ...describePairs(columns, groups),
      ...describeUnchanged(groups, columns).map(({ text }) => text),
      ...describeSeedsAtZero(plan),
      ...describeCopies(groups),
      ...describeCurves(plan, groups),
    ]),
  ]
}

function countUnplayed(groups: readonly Group[]): string {
  const planned = sum(groups, ({ pooled }) => pooled.coverage.planned)
  const played = sum(groups, ({ pooled }) => Object.values(pooled.outcomes).reduce((total, some) => total + some, 0))
  return `${grouped(planned - played)} of ${count(planned, 'planned episode')} not played`
}

function describeUnmeasured(groups: readonly Group[]): string[] {
  const empty = groups.filter(({ pooled }) => pooled.coverage.valid === 0)
  if (empty.length === 0) return []
  return [`Nothing was measured of ${listFirst(empty.map(nameGroup))}.`]
}

/** Changes need a clean twin, and pairs both of their halves. */
function describePairs(columns: readonly AggregateColumn[], groups: readonly Group[]): string[] {
  if (!columns.some(({ clean }) => clean)) {
    return [
      'No column without perturbation was played, so there are no changes, drop rates or flips against a clean twin.',
    ]
  }
  const pairs = sum(groups, ({ pooled }) => pooled.difference?.pairs ?? 0)
  const planned = sum(groups, ({ pooled }) => pooled.difference?.planned ?? 0)
  if (pairs === planned) return []
  return [
    `${grouped(planned - pairs)} of ${count(planned, 'pair')} with the clean twin lack a measurement, and enter no change.`,
  ]
}

/** Families that changed nothing on any task of the same models. */
interface Unchanged {
  readonly environment: string
  readonly agent?: string
  readonly models: readonly string[]
  readonly families: readonly string[]
  /** `error-messages and list-order changed nothing on any task of 6 of 8 models (all but a and b): no evidence …` */
  readonly text: string
}

/**
 * The families, or single conditions of one, that changed nothing on any task, in a sentence for all that have this in
 * common.
 */
export function describeUnchanged(groups: readonly Group[], columns: readonly AggregateColumn[]): Unchanged[] {
  const isUnchanged = ({ pooled: { difference, coverage } }: Group): boolean =>
    coverage.valid > 0 && difference?.touched?.tasks === 0
  const environments = new Set(groups.map(({ environment }) => environment))
  const agents = new Set(groups.map(({ agent }) => agent))
  return [...environments].flatMap((environment) =>
    [...agents].flatMap((agent): Unchanged[] => {
      const here = groups.filter((group) => group.environment === environment && group.agent === agent)
      const all = [...new Set(here.map(({ model }) => model))]
      const alike = new Map<string, { models: string[]; families: string[] }>()
      for (const { name, columns: own } of familiesOf(columns)) {
        const unchanged = own.map(({ label }) => ({
          label,
          models: here.filter((group) => group.column === label && isUnchanged(group)).map(({ model }) => model),
        }))
        const isOne = new Set(unchanged.map(({ models }) => models.join('\n'))).size === 1
        for (const { label, models } of isOne ? unchanged.slice(0, 1) : unchanged) {
          if (models.length === 0) continue
          const key = JSON.stringify(models)
          const same = alike.get(key) ?? { models, families: [] }
          alike.set(key, { models, families: [...same.families, isOne ? name : label] })
        }
      }
      return [...alike.values()].map(({ models, families }) => {
        const on = environments.size > 1 ? ` in ${environment}` : ''
        const withAgent = agents.size > 1 ? ` with ${agent}` : ''
        const of = describeSome(models, all)
        return {
          environment,
          ...(agents.size > 1 && { agent }),
          models,
          families,
          text: `${listWords(families)} changed nothing on any task${of}${withAgent}${on}: no evidence of robustness.`,
        }
      })
    }),
  )
}

/** ` of 6 of 8 models (all but a and b)`: some of all models, by the shorter list. Empty for the only one. */
function describeSome(some: readonly string[], all: readonly string[]): string {
  const others = all.filter((name) => !some.includes(name))
  if (others.length === 0) return all.length === 1 ? '' : ' of any model'
  if (some.length <= 3) return ` of ${listWords(some)}`
  const which = others.length <= 3 ? `all but ${listWords(others)}` : listFirst(some, 3)
  return ` of ${grouped(some.length)} of ${count(all.length, 'model')} (${which})`
}

function describeSeedsAtZero({ models, temperatures, seeds }: Plan): string[] {
  const limited = models.filter(({ seedsAtZero }) => seedsAtZero !== undefined && temperatures.includes(0))
  return [...new Set(limited.map(({ seedsAtZero }) => seedsAtZero!))].map((max) => {
    const names = limited.filter(({ seedsAtZero }) => seedsAtZero === max).map(({ name }) => name)
    return `At temperature 0 ${grouped(max)} of ${count(seeds.length, 'seed')} ${max === 1 ? 'is' : 'are'} planned for ${listFirst(names)}.`
  })
}

/** Runs of one group and temperature that are copies: of a server at temperature 0, or one that ignores temperature. */
function describeCopies(groups: readonly Group[]): string[] {
  const copies = groups.flatMap((group) =>
    group.temperatures.flatMap(({ temperature }) => {
      const runs = group.runs.filter((run) => run.temperature === temperature && run.valid > 0)
      const distinct = runs.filter(({ copyOf }) => copyOf === undefined).length
      return distinct === runs.length ? [] : [{ group, temperature, runs: runs.length, distinct }]
    }),
  )
  const alike = new Map<string, Group[]>()
  for (const { group, temperature, runs, distinct } of copies) {
    const sentence = `At temperature ${String(temperature)} the ${grouped(runs)} runs are ${count(distinct, 'distinct run')}`
    alike.set(sentence, [...(alike.get(sentence) ?? []), group])
  }
  return [...alike].map(([sentence, some]) => {
    const subjects = [...new Set(some.map(({ environment, model, agent }) => `${environment} × ${model} × ${agent}`))]
    const consequence = sentence.endsWith('are 1 distinct run')
      ? 'It counts once, and has no standard deviation, pass^k or noise.'
      : 'Each counts once.'
    return (
      `${sentence} for ${listFirst(subjects)} (${count(some.length, 'column')} in all): the others are equal in every reply and observation, so they are no ` +
      `further evidence. ${consequence}`
    )
  })
}

/** Rows of older versions do not record when progress was made. */
function describeCurves({ stepLimit }: Plan, groups: readonly Group[]): string[] {
  if (stepLimit > maxSteps) {
    return [
      `Progress over steps is reported up to a step limit of ${grouped(maxSteps)}, not for ${grouped(stepLimit)}.`,
    ]
  }
  const missing = groups.filter(({ pooled }) => pooled.coverage.valid > 0 && pooled.curve === undefined)
  if (missing.length === 0) return []
  return [
    `Progress over steps is missing for ${grouped(missing.length)} of ${count(groups.length, 'group')}: rows of an older version do not record when it was made.`,
  ]
}

function nameGroup({ environment, model, agent, column }: Group): string {
  return `${environment} × ${model} × ${agent} × ${column}`
}

function sum(groups: readonly Group[], of: (group: Group) => number): number {
  return groups.reduce((total, group) => total + of(group), 0)
}
