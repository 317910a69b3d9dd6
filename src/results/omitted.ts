import type { Plan, StoredRun } from '../define.js'
import { count, grouped, listFirst, listWords } from '../tables/words.js'
import { groupBy, sumOf } from './lists.js'
import type { AggregateCondition, Group } from './schema.js'
import { maxSteps } from './sums.js'

/**
 * What a report on a run leaves out, in sentences, each once. Broken and missing episodes are in the coverage of each
 * scope.
 */
export function listOmitted(
  { plan, notes = [], writing, stopped }: StoredRun,
  strays: number,
  conditions: readonly AggregateCondition[],
  groups: readonly Group[],
): string[] {
  const planned = sumOf(groups, ({ pooled }) => pooled.coverage.planned)
  const played = sumOf(groups, ({ pooled }) => sumOf(Object.values(pooled.outcomes), (some) => some))
  const unplayed = `${grouped(planned - played)} of ${count(planned, 'planned episode')} not played`
  const empty = groups.filter(({ pooled }) => pooled.coverage.valid === 0)
  const pairs = sumOf(groups, ({ pooled }) => pooled.difference?.planned ?? 0)
  const missing = pairs - sumOf(groups, ({ pooled }) => pooled.difference?.pairs ?? 0)
  const flat = groups.filter(({ pooled }) => pooled.coverage.valid > 0 && pooled.curve === undefined)
  const limited = plan.models.filter(({ seedsAtZero }) => seedsAtZero !== undefined && plan.temperatures.includes(0))
  const sentences = [
    ...notes,
    strays > 0 && `${count(strays, 'row')} of unplanned episodes left out.`,
    writing && `The run was still being written: ${unplayed}.`,
    stopped !== undefined && `The run was stopped, ${unplayed}: ${stopped}`,
    empty.length > 0 &&
      `Nothing was measured of ${listFirst(empty.map((one) => `${nameOf(one)} × ${one.condition}`))}.`,
    !conditions.some(({ clean }) => clean) &&
      'No condition without perturbation was played, so there are no changes, drop rates or flips against a clean twin.',
    missing > 0 &&
      `${grouped(missing)} of ${count(pairs, 'pair')} with the clean twin lack a measurement, and enter no change.`,
    ...describeUnchanged(groups),
    limited.length > 0 && describeSeedsAtZero(limited, plan),
    ...describeCopies(groups),
    flat.length > 0 &&
      (plan.stepLimit > maxSteps
        ? `Progress over steps is reported up to a step limit of ${grouped(maxSteps)}, not for ${grouped(plan.stepLimit)}.`
        : `Progress over steps is missing for ${grouped(flat.length)} of ${count(groups.length, 'group')}, whose rows do not record when it was made.`),
  ]
  return [...new Set(sentences.filter((sentence) => typeof sentence === 'string'))]
}

function nameOf({ environment, model, agent }: Group): string {
  return `${environment} × ${model} × ${agent}`
}

/** The conditions that changed nothing on any task, a sentence for each agent, place and set of models. */
function describeUnchanged(groups: readonly Group[]): string[] {
  const namesOf = (kind: 'environment' | 'agent' | 'model'): Set<string> => new Set(groups.map((group) => group[kind]))
  const [environments, agents, all] = [namesOf('environment'), namesOf('agent'), namesOf('model')]
  const untouched = groups.filter(({ pooled }) => pooled.coverage.valid > 0 && pooled.difference?.touched?.tasks === 0)
  const unchanged = groupBy(untouched, (one) => JSON.stringify([one.environment, one.agent, one.condition]))
  const alike = groupBy(unchanged.values(), (condition) => {
    const { environment, agent } = condition[0]!
    const models = condition.map(({ model }) => model)
    const of = models.length < all.size ? ` of ${listFirst(models, 4)}` : all.size === 1 ? '' : ' of any model'
    return `${of}${agents.size > 1 ? ` with ${agent}` : ''}${environments.size > 1 ? ` in ${environment}` : ''}`
  })
  return [...alike].map(([where, some]) => {
    const names = listWords([...new Set(some.map(([first]) => first!.condition))])
    return `${names} changed nothing on any task${where}: no evidence of robustness.`
  })
}

function describeSeedsAtZero(limited: Plan['models'], { seeds }: Plan): string {
  const counts = [...new Set(limited.map(({ seedsAtZero }) => seedsAtZero!))].map((max) => {
    const names = limited.filter(({ seedsAtZero }) => seedsAtZero === max).map(({ name }) => name)
    return `${grouped(max)} of ${count(seeds.length, 'seed')} ${max === 1 ? 'is' : 'are'} planned for ${listFirst(names)}`
  })
  return `At temperature 0 ${listWords(counts)}.`
}

/** Runs of one group and temperature that are copies: of a server at temperature 0, or one that ignores temperature. */
function describeCopies(groups: readonly Group[]): string[] {
  const cells = groups.flatMap((group) =>
    group.temperatures.flatMap(({ temperature }) => {
      const runs = group.runs.filter((run) => run.temperature === temperature && run.valid > 0)
      const distinct = runs.filter(({ copyOf }) => copyOf === undefined).length
      const sentence = `At temperature ${String(temperature)} the ${grouped(runs.length)} runs are ${count(distinct, 'distinct run')}`
      return distinct === runs.length ? [] : { sentence, subject: nameOf(group) }
    }),
  )
  return [...groupBy(cells, ({ sentence }) => sentence)].map(([sentence, some]) => {
    const subjects = [...new Set(some.map(({ subject }) => subject))]
    const consequence = sentence.endsWith('are 1 distinct run')
      ? 'It counts once, and has no standard deviation, pass^k or noise.'
      : 'Each counts once.'
    return (
      `${sentence} for ${listFirst(subjects)} (${count(some.length, 'condition')} in all): the others are equal in every reply and observation, so they are no ` +
      `further evidence. ${consequence}`
    )
  })
}
