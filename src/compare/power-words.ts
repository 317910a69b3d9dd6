import { count, listWords } from '../tables/words.js'
import type { PowerGrid, PowerPlan } from './power.js'
import { percent, points } from './power-tables.js'

/** What a plan comes to, in sentences. */
export function tellPower(plan: PowerPlan): string[] {
  const { cells, allPass, power, seedsForAll } = plan
  const together =
    allPass >= power
      ? ''
      : seedsForAll === null
        ? ` No number of seeds makes that ${percent(power)}.`
        : ` For ${percent(power)} it takes ${count(seedsForAll, 'seed')}, or fewer cells.`
  return [
    ...plan.environments.flatMap((grid) => tellGrid(grid, plan)),
    ...(cells.length > 1
      ? [
          `Every cell has to pass: all ${String(cells.length)} together pass unchanged with a chance of about ${percent(allPass)}, if they do so independently.${together}`,
        ]
      : []),
    tellChange(plan),
  ]
}

function tellGrid({ environment, noisiest, needed, floor }: PowerGrid, plan: PowerPlan): string[] {
  const { tasks, seeds, temperatures, pass, fail, pairVariance, taskVariance } = noisiest
  const size = `${count(tasks, 'task')} and ${count(seeds, 'seed')}${temperatures === 1 ? '' : ` at each of ${String(temperatures)} temperatures`}`
  const cell = `${noisiest.model} · ${noisiest.agent} · ${noisiest.column}`
  const now =
    `${environment}: with ${size}, a margin of ${points(plan.margin)} points passes its noisiest cell (${cell}) unchanged with a chance of ` +
    `${percent(pass)}, and fails a drop of ${points(plan.drop)} points with ${percent(fail)}.`
  if (pass >= plan.power && fail >= plan.power) return [`${now} That is enough.`]
  const others = [
    ...(needed.tasks === null ? [] : [`${count(needed.tasks, 'task')} with these seeds`]),
    ...(needed.margin === null || needed.margin <= plan.margin
      ? []
      : [`a margin of ${points(Math.ceil(needed.margin * 1000) / 1000)} points to pass so often`]),
  ]
  if (needed.seeds !== null) return [`${now} It takes ${listOr([count(needed.seeds, 'seed'), ...others])}.`]
  const why =
    taskVariance > 0
      ? `tasks take a change differently (ω² = ${taskVariance.toPrecision(2)}), which leaves a standard error of ${points(floor)} points, √(ω²/${String(tasks)}), however many seeds are played`
      : pairVariance > 0
        ? 'that is too few to say anything of others'
        : 'no pair ever differed, and on so few that is no proof'
  const instead = others.length === 0 ? 'Choose a wider margin.' : `It takes ${listOr(others)}.`
  return [`${now} No number of seeds is enough on ${count(tasks, 'task')}: ${why}. ${instead}`]
}

function tellChange({ change, cells }: PowerPlan): string {
  if (change === 'given') return 'How differently tasks take a change (ω²) is taken as given.'
  if (change !== 'none')
    return `How differently tasks take a change (ω²) was measured against ${change.source}, cell by cell.`
  const seen = cells.map(({ fromClean }) => fromClean).filter((one) => one !== undefined)
  const range = [...new Set([Math.min(...seen), Math.max(...seen)].map((one) => String(Number(one.toPrecision(2)))))]
  const hint =
    seen.length === 0
      ? ''
      : ` From the clean column to the others of this run it was ${range.join(' to ')} (the square of Change, as a share).`
  return `One run does not say how differently tasks would take a change of the model (ω²). It is taken as 0, as if all tasks moved alike, so these are the best of chances.${hint} Give a second run with --with, or a figure with --task-variance.`
}

function listOr(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : listWords(words).replace(/ and ([^,]*)$/, ' or $1')
}
