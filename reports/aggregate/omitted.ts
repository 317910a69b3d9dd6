import type { Plan, StoredRun } from 'shaketable'
import { count, grouped, listFirst } from '../../src/tables/words.js'
import type { AggregateColumn } from './columns.js'
import type { Group } from './group.js'
import { maxSteps } from './sums.js'

/**
 * What a report on a run leaves out or cannot say, in sentences, each once. What broke or was not played is told by the
 * coverage of each scope.
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
      ...(strays > 0 ? [`${count(strays, 'row')} of no planned episode left out.`] : []),
      ...(writing ? [`The run was still being written: ${tellUnplayed(groups)}.`] : []),
      ...(stopped === undefined ? [] : [`The run was stopped, ${tellUnplayed(groups)}: ${stopped}`]),
      ...tellUnmeasured(groups),
      ...tellTwins(columns, groups),
      ...tellUnchanged(groups),
      ...tellSeedsAtZero(plan),
      ...tellCopies(groups),
      ...tellSteps(plan, groups),
    ]),
  ]
}

function tellUnplayed(groups: readonly Group[]): string {
  const planned = sum(groups, ({ pooled }) => pooled.coverage.planned)
  const played = sum(groups, ({ pooled }) => Object.values(pooled.outcomes).reduce((total, some) => total + some, 0))
  return `${grouped(planned - played)} of ${count(planned, 'planned episode')} not played`
}

function tellUnmeasured(groups: readonly Group[]): string[] {
  const empty = groups.filter(({ pooled }) => pooled.coverage.valid === 0)
  if (empty.length === 0) return []
  return [`Nothing was measured of ${listFirst(empty.map(nameGroup))}.`]
}

/** Changes need a clean twin, and pairs both of their halves. */
function tellTwins(columns: readonly AggregateColumn[], groups: readonly Group[]): string[] {
  if (!columns.some(({ clean }) => clean)) {
    return [
      'No column without perturbation was played: changes, drop rates and flips against a clean twin cannot be told.',
    ]
  }
  const pairs = sum(groups, ({ pooled }) => pooled.difference?.pairs ?? 0)
  const planned = sum(groups, ({ pooled }) => pooled.difference?.planned ?? 0)
  if (pairs === planned) return []
  return [
    `${grouped(planned - pairs)} of ${count(planned, 'pair')} with the clean twin lack a half that was measured, and enter no change.`,
  ]
}

function tellUnchanged(groups: readonly Group[]): string[] {
  const idle = groups.filter(
    ({ pooled, tasks }) => pooled.difference !== undefined && pooled.difference.unchanged === tasks.valid.length,
  )
  if (idle.length === 0) return []
  return [
    `The perturbation changed nothing on any task of ${listFirst(idle.map(nameGroup))}: no evidence of robustness.`,
  ]
}

function tellSeedsAtZero({ models, temperatures, seeds }: Plan): string[] {
  const limited = models.filter(({ seedsAtZero }) => seedsAtZero !== undefined && temperatures.includes(0))
  return [...new Set(limited.map(({ seedsAtZero }) => seedsAtZero!))].map((most) => {
    const names = limited.filter(({ seedsAtZero }) => seedsAtZero === most).map(({ name }) => name)
    return `At temperature 0 ${grouped(most)} of ${count(seeds.length, 'seed')} ${most === 1 ? 'is' : 'are'} planned for ${listFirst(names)}.`
  })
}

/**
 * Runs of one group and temperature that are the same play: a server at temperature 0, or one that ignores the
 * temperature.
 */
function tellCopies(groups: readonly Group[]): string[] {
  const copies = groups.flatMap((group) =>
    group.temperatures.flatMap(({ temperature }) => {
      const runs = group.runs.filter((run) => run.temperature === temperature && run.valid > 0)
      const distinct = runs.filter(({ copyOf }) => copyOf === undefined).length
      return distinct === runs.length ? [] : [{ group, temperature, runs: runs.length, distinct }]
    }),
  )
  const alike = new Map<string, Group[]>()
  for (const { group, temperature, runs, distinct } of copies) {
    const said = `At temperature ${String(temperature)} the ${grouped(runs)} runs are ${count(distinct, 'distinct run')}`
    alike.set(said, [...(alike.get(said) ?? []), group])
  }
  return [...alike].map(([said, some]) => {
    const subjects = [...new Set(some.map(({ environment, model, agent }) => `${environment} × ${model} × ${agent}`))]
    const consequence = said.endsWith('are 1 distinct run')
      ? 'It counts once, and no standard deviation, pass^k or noise is told of it.'
      : 'Each counts once.'
    return (
      `${said} for ${listFirst(subjects)} (${count(some.length, 'column')} in all): the others are the same in every reply and observation, so that they are no ` +
      `evidence of their own. ${consequence}`
    )
  })
}

/** Rows of older versions do not tell when progress was made. */
function tellSteps({ stepLimit }: Plan, groups: readonly Group[]): string[] {
  if (stepLimit > maxSteps) {
    return [
      `Progress over steps is told of episodes of at most ${count(maxSteps, 'step')}, not of ${grouped(stepLimit)}.`,
    ]
  }
  const silent = groups.filter(({ pooled }) => pooled.coverage.valid > 0 && pooled.curve === undefined)
  if (silent.length === 0) return []
  return [
    `Progress over steps is not told for ${ofGroups(silent, groups)}: rows of an older version do not say when it was made.`,
  ]
}

function ofGroups(some: readonly Group[], all: readonly Group[]): string {
  return `${grouped(some.length)} of ${count(all.length, 'group')}`
}

function nameGroup({ environment, model, agent, column }: Group): string {
  return `${environment} × ${model} × ${agent} × ${column}`
}

function sum(groups: readonly Group[], of: (group: Group) => number): number {
  return groups.reduce((total, group) => total + of(group), 0)
}
