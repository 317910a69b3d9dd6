import { describeTasks } from '../../reports/index.js'
import type { Plan } from '../run/plan.js'
import { countCells } from '../run/cells.js'
import type { Grid } from '../run/grid.js'
import { maxCalls } from '../run/grid.js'
import type { Shard } from '../run/shard.js'
import { describeShard } from '../run/shard.js'
import type { EstimateOptions } from './_describe-cost.js'
import { costJson, describeCost } from './_describe-cost.js'
import { layOut, number } from './_lines.js'

/** What an estimate is made from, and the shard that is played. */
type GridOptions = EstimateOptions & { readonly shard?: Shard | undefined }

/** A grid as `--dry-run` shows it: its axes, its size, and what its conditions cost. */
export function describeGrid(grid: Grid, folder: string, options: GridOptions = {}): string {
  const { plan, live, agents } = grid
  const { shard, only } = options
  const episodes = countCells(plan)
  const all = [...agents.values()]
  const unit = all.some(({ trials }) => trials !== undefined) ? 'an episode or trial' : 'an episode'
  const calls = all.reduce(
    (sum, agent) => sum + countCells({ ...plan, agents: [agent] }) * maxCalls(agent, plan.stepLimit),
    0,
  )
  const rows: (readonly [string, string])[] = [
    ...plan.environments.map(
      (one) => ['environment', `${describeTasks({ ...plan, environments: [one] })}, version ${one.version}`] as const,
    ),
    ['perturbations', listed(plan.columns.map(({ label }) => label))],
    ['models', listed(plan.models.map(describeModel))],
    ['agents', listed(plan.agents.map(({ name }) => name))],
    ['temperatures', listed(plan.temperatures.map(String))],
    ['seeds', listed(plan.seeds.map(String))],
    ...describeSeedsAtZero(plan),
    ...describePairing(plan),
    ['limits', `${number(plan.stepLimit)} steps ${unit}, ${number(plan.maxTokens)} tokens a reply`],
    ['episodes', number(episodes)],
    ...(shard && only ? [['shard', `${describeShard(shard)}: ${number(only.length)} episodes`] as const] : []),
    ['model calls', `at most ${number(calls)}${live ? ', and more if replies are thoughts without an action' : ''}`],
    ['goes to', folder],
  ]
  return `${layOut(rows)}\n\n${describeCost(grid, options)}`
}

/** The same for programs: what `run --dry-run --json` prints. */
export function gridJson(grid: Grid, folder: string, options: GridOptions = {}) {
  const { environments, columns, models, agents, temperatures, seeds, stepLimit, maxTokens } = grid.plan
  const namesOf = (list: readonly { readonly name: string }[]): string[] => list.map(({ name }) => name)
  return {
    folder,
    environments: environments.map(({ name, version, tasks }) => ({ name, version, tasks: tasks.length })),
    perturbations: columns.map(({ label }) => label),
    models: namesOf(models),
    agents: namesOf(agents),
    temperatures,
    seeds,
    stepLimit,
    maxTokens,
    ...(options.shard && { shard: options.shard }),
    ...costJson(grid, options),
  }
}

/** Models with fewer seeds at temperature 0. */
function describeSeedsAtZero({ models, temperatures }: Plan): (readonly [string, string])[] {
  if (!temperatures.includes(0)) return []
  const counts = new Set(models.map(({ seedsAtZero }) => seedsAtZero).filter((count) => count !== undefined))
  return [...counts].map((count) => {
    const names = models.filter(({ seedsAtZero }) => seedsAtZero === count).map(({ name }) => name)
    const first = count === 1 ? 'the first seed alone' : `the first ${number(count)} seeds`
    return ['at temperature 0', `${first} with ${names.join(', ')}; --set seedsAtZero=N plays more`]
  })
}

/** Whether episodes on a server are sent the seeds of their clean twins. */
function describePairing({ models }: Plan): (readonly [string, string])[] {
  const pairings = new Set(models.map(({ settings }) => settings['pairing']).filter((one) => typeof one === 'string'))
  return [...pairings].map((pairing) => ['pairing', pairing])
}

function describeModel({
  name,
  withoutInDomain,
  heldIn,
  variantOf,
  checkpoint,
  agents,
}: Plan['models'][number]): string {
  const roles = [
    ...(agents === undefined ? [] : [`with ${agents.join(', ')}`]),
    ...(withoutInDomain === undefined ? [] : [`without in-domain data: ${withoutInDomain}`]),
    ...(heldIn === undefined ? [] : [`held in: ${heldIn.join(', ')}`]),
    ...(variantOf === undefined ? [] : [`variant of ${variantOf}`]),
    ...(checkpoint === undefined ? [] : [`step ${number(checkpoint.step)} of ${checkpoint.series}`]),
  ]
  return roles.length === 0 ? name : `${name} (${roles.join('; ')})`
}

function listed(values: readonly string[]): string {
  const shown = values.length > 12 ? [...values.slice(0, 10), `… ${values.at(-1)!}`] : values
  return `${number(values.length)}: ${shown.join(', ')}`
}
