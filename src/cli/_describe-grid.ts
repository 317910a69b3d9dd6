import { describeTasks } from '../../reports/index.js'
import { countCells } from '../run/cells.js'
import type { Grid } from '../run/grid.js'
import { costsOf } from '../run/grid-cost.js'
import type { Shard } from '../run/shard.js'
import { describeShard } from '../run/shard.js'
import { layOut, number } from './_lines.js'

interface GridOptions {
  readonly shard: Shard | undefined
  /** Indices of the cells to play. Default: all. */
  readonly only: readonly number[] | undefined
}

/** A grid as `--dry-run` shows it: its axes, its size, and what its conditions cost. */
export function describeGrid(grid: Grid, folder: string, { shard, only }: GridOptions): string {
  const { plan, live, agents } = grid
  const { byCondition, total } = costsOf(grid, only)
  const isTrial = [...agents.values()].some(({ trials }) => trials !== undefined)
  const [zero] = plan.models.flatMap(({ seedsAtZero }) => seedsAtZero ?? [])
  const axes: (readonly [string, string])[] = [
    ...plan.environments.map(
      (one) => ['environment', `${describeTasks({ ...plan, environments: [one] })}, version ${one.version}`] as const,
    ),
    ['perturbations', listed(plan.conditions.map(({ label }) => label))],
    ['models', listed(plan.models.map(({ name }) => name))],
    ['agents', listed(plan.agents.map(({ name }) => name))],
    ['temperatures', listed(plan.temperatures.map(String))],
    ['seeds', listed(plan.seeds.map(String))],
    ...(zero !== undefined && plan.temperatures.includes(0)
      ? [['at temperature 0', `${number(zero)} of the seeds of models behind servers (--set seedsAtZero=N)`] as const]
      : []),
    [
      'limits',
      `${number(plan.stepLimit)} steps an episode${isTrial ? ' or trial' : ''}, ${number(plan.maxTokens)} tokens a reply`,
    ],
    ['episodes', number(countCells(plan))],
    ...(shard && only ? [['shard', `${describeShard(shard)}: ${number(only.length)} episodes`] as const] : []),
    [
      'model calls',
      `at most ${number(total.calls)}${live ? ', and more if replies are thoughts without an action' : ''}`,
    ],
    ['goes to', folder],
  ]
  const heads = ['condition', 'episodes', 'calls at most', 'reply tokens at most']
  const rows = [...byCondition, ['all', total] as const].map(([label, cost]) => [
    label,
    ...[cost.episodes, cost.calls, cost.replies].map((count) => number(count)),
  ])
  return `${layOut(axes)}\n\n${layOut([heads, ...rows])}\nTo know what an episode takes, play a few (--max episodes=50).`
}

function listed(values: readonly string[]): string {
  const shown = values.length > 12 ? [...values.slice(0, 10), `… ${values.at(-1)!}`] : values
  return `${number(values.length)}: ${shown.join(', ')}`
}
