import { describeTasks } from '../../reports/index.js'
import { countCells } from '../run/cells.js'
import type { Grid } from '../run/grid.js'
import { costsOf } from '../run/grid-cost.js'
import type { Plan } from '../run/plan.js'
import type { Shard } from '../run/shard.js'
import { describeShard } from '../run/shard.js'
import { layOut, number } from './_lines.js'

interface GridOptions {
  readonly shard: Shard | undefined
  /** Indices of the cells to play. Default: all. */
  readonly only: readonly number[] | undefined
}

/** A grid as `--dry-run` shows it: its axes, its size, and what its conditions cost. */
export function describeGrid(grid: Grid, folder: string, options: GridOptions): string {
  const { plan, live, agents } = grid
  const { shard, only } = options
  const { byCondition, total } = costsOf(grid, only)
  const maxOfAll = only === undefined ? total.calls : costsOf(grid).total.calls
  const isTrial = [...agents.values()].some(({ trials }) => trials !== undefined)
  const axes: (readonly [string, string])[] = [
    ...plan.environments.map((one): [string, string] => [
      'environment',
      `${describeTasks({ ...plan, environments: [one] })}, version ${one.version}`,
    ]),
    ['perturbations', listed(plan.conditions.map(({ label }) => label))],
    ['models', listed(plan.models.map(describeModel))],
    ['agents', listed(plan.agents.map(({ name }) => name))],
    ['temperatures', listed(plan.temperatures.map(String))],
    ['seeds', listed(plan.seeds.map(String))],
    ...describeSeedsAtZero(plan),
    // Whether episodes on a server are sent the seeds of their clean twins.
    ...[...new Set(plan.models.map(({ settings }) => settings['pairing']))].flatMap((pairing): [string, string][] =>
      typeof pairing === 'string' ? [['pairing', pairing]] : [],
    ),
    [
      'limits',
      `${number(plan.stepLimit)} steps an episode${isTrial ? ' or trial' : ''}, ${number(plan.maxTokens)} tokens a reply`,
    ],
    ['episodes', number(countCells(plan))],
    ...(shard && only ? [['shard', `${describeShard(shard)}: ${number(only.length)} episodes`] as const] : []),
    ['model calls', `at most ${number(maxOfAll)}${live ? ', and more if replies are thoughts without an action' : ''}`],
    ['goes to', folder],
  ]
  const heads = ['condition', 'episodes', 'calls at most', 'reply tokens at most']
  const rows = [...byCondition, ['all', total] as const].map(([label, cost]) => [
    label,
    ...[cost.episodes, cost.calls, cost.replies].map((count) => number(count)),
  ])
  return `${layOut(axes)}\n\n${layOut([heads, ...rows])}\nTo know what an episode takes, play a few (--max episodes=50).`
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

function describeModel({ name, withoutInDomain, heldIn, variantOf, checkpoint, agents }: Plan['models'][number]) {
  const roles = [
    agents && `with ${agents.join(', ')}`,
    withoutInDomain !== undefined && `without in-domain data: ${withoutInDomain}`,
    heldIn && `held in: ${heldIn.join(', ')}`,
    variantOf !== undefined && `variant of ${variantOf}`,
    checkpoint && `step ${number(checkpoint.step)} of ${checkpoint.series}`,
  ].filter((role) => typeof role === 'string')
  return roles.length === 0 ? name : `${name} (${roles.join('; ')})`
}

function listed(values: readonly string[]): string {
  const shown = values.length > 12 ? [...values.slice(0, 10), `… ${values.at(-1)!}`] : values
  return `${number(values.length)}: ${shown.join(', ')}`
}
