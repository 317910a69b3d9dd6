import { mean } from './dispersion.js'
import { taskInterval } from './intervals.js'

/**
 * Choices between two wordings in the episodes of one task: in each the share of choices of the original wording, 0 to
 * 1, by the wording that was listed first.
 */
export interface TaskChoices {
  readonly originalFirst: readonly number[]
  readonly aliasFirst: readonly number[]
}

/**
 * Interface reliance of a model, ½[P(original | original first) + P(original | alias first)], and its order bias, from
 * episodes in which two wordings are listed side by side in counterbalanced order. It is this project's reconstruction
 * of the metric of PIPE (arXiv 2602.01611).
 *
 * An episode counts once however many steps it has, and so does a task. Tasks played in one order only are combined
 * with those played in the other, in the order given, into clusters of two; a task that is left over is not used. The
 * clusters are independent, so an interval over them covers other tasks however the steps of an episode and the
 * episodes of a task depend on each other. Undefined without a cluster.
 * @returns the number of clusters; P(original | original first) and P(original | alias first); their mean, 0.5 without
 * a preference for either wording; and P(first listed) − 0.5, 0.5 where the first is always taken. Intervals are by
 * {@link taskInterval}, over other tasks.
 */
export function interfaceReliance(tasks: readonly TaskChoices[]) {
  const clusters: { original: number; alias: number }[] = []
  const alone = { original: [] as number[], alias: [] as number[] }
  for (const { originalFirst, aliasFirst } of tasks) {
    const [original, alias] = [mean(originalFirst), mean(aliasFirst)]
    if (original !== undefined && alias !== undefined) clusters.push({ original, alias })
    else if (original !== undefined) alone.original.push(original)
    else if (alias !== undefined) alone.alias.push(alias)
  }
  alone.original.slice(0, alone.alias.length).forEach((original, place) => {
    clusters.push({ original, alias: alone.alias[place]! })
  })
  if (clusters.length === 0) return undefined
  const reliances = clusters.map(({ original, alias }) => (original + alias) / 2)
  const firsts = clusters.map(({ original, alias }) => (original + 1 - alias) / 2)
  const { low, high } = taskInterval(firsts)!
  return {
    clusters: clusters.length,
    originalFirst: mean(clusters.map(({ original }) => original))!,
    aliasFirst: mean(clusters.map(({ alias }) => alias))!,
    reliance: { mean: mean(reliances)!, overTasks: taskInterval(reliances)! },
    orderBias: { mean: mean(firsts)! - 0.5, overTasks: { low: low - 0.5, high: high - 0.5 } },
  }
}
