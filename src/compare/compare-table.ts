import { speaksOf } from '../../reports/tables/captions.js'
import { figure } from '../../reports/tables/rows.js'
import type { Cell, Table } from '../tables/table.js'
import { describeTests } from '../../reports/tables/tests.js'
import { count } from '../tables/words.js'
import type { ComparedCell, Comparison, Standing } from './compare.js'
import { nameOf } from './pair-cells.js'

/** What B is, in a word or two. */
const standingWords: Readonly<Record<Standing, string>> = {
  worse: 'worse',
  better: 'better',
  level: 'not told apart',
  equal: 'equal',
  unmeasured: 'no pair',
}

/** A comparison as tables, one for each environment, which every format of a report can print. */
export function compareTables(comparison: Comparison): Table[] {
  const { cells, metric, first, second } = comparison
  const title = metric === 'success' ? 'Success' : 'Progress'
  const hasArrows = cells.some(({ model, agent }) => model.first !== model.second || agent.first !== agent.second)
  const hasAgents = new Set(cells.map(({ agent }) => nameOf(agent))).size > 1
  return [...new Set(cells.map(({ environment }) => environment))].map((environment) => ({
    name: 'compare',
    environment,
    title: `B compared with A on ${environment}`,
    notes: describeColumns(comparison, environment),
    origin: [
      first.source === second.source
        ? `A and B are both of ${first.source} (shaketable ${first.version})${hasArrows ? '; A stands before the arrow' : ''}.`
        : `A is ${first.source} (shaketable ${first.version}), B is ${second.source} (shaketable ${second.version}).`,
    ],
    heads: ['Model', ...(hasAgents ? ['Agent'] : []), 'Column'],
    groups: [
      { title: 'Verdict', columns: [{ title: 'B is', shows: 'text', metric: 'verdict' }] },
      {
        title,
        columns: [
          { title: 'A', shows: 'percent', metric: `${metric}-a` },
          { title: 'B', shows: 'percent', metric: `${metric}-b` },
          { title: 'Change', shows: 'change', metric: `${metric}-change` },
        ],
      },
      {
        title: 'Test',
        columns: [
          { title: 'p', shows: 'p', metric: 'p' },
          { title: 'Holm', shows: 'p', metric: 'p-holm' },
          { title: 'BH', shows: 'p', metric: 'p-bh' },
        ],
      },
      {
        title: 'Chance',
        columns: [
          { title: 'Noise', shows: 'percent', metric: 'noise-floor' },
          { title: 'Detectable', shows: 'percent', metric: 'detectable-difference' },
        ],
      },
      {
        title: 'Pairs',
        columns: [
          { title: 'Pairs', shows: 'coverage', metric: 'pairs' },
          { title: 'Both', shows: 'count', metric: 'pairs-both' },
          { title: 'Lost', shows: 'count', metric: 'pairs-lost' },
          { title: 'Gained', shows: 'count', metric: 'pairs-gained' },
          { title: 'Neither', shows: 'count', metric: 'pairs-neither' },
          { title: 'Flipped %', shows: 'percent', metric: 'flips' },
          { title: 'By chance', shows: 'percent', metric: 'flips-of-repeats' },
        ],
      },
    ],
    rows: cells
      .filter((cell) => cell.environment === environment)
      .map((cell) => {
        const [model, agent] = [nameOf(cell.model), nameOf(cell.agent)]
        const heads = [model, ...(hasAgents ? [agent] : []), cell.column]
        return { heads, model, agent, label: cell.column, cells: cellsOf(cell) }
      }),
  }))
}

function describeColumns({ cells, metric, alpha }: Comparison, environment: string): string[] {
  const shown = cells.filter((cell) => cell.environment === environment)
  const temperatures = new Set(shown.flatMap((cell) => cell.temperatures))
  const byTask = shown.filter((cell) => cell.byTask !== undefined)
  const pairedBy = byTask.length === shown.length ? '' : temperatures.size > 1 ? ', seed and temperature' : ' and seed'
  const detectable =
    'Detectable: the smallest true difference that is told apart with a probability of 80 %, however it is spread over tasks.'
  const hasNoise = shown.some(({ noise }) => noise !== undefined)
  return [
    `Pairs of one task${pairedBy}; ${metric} in percent, change as B minus A in points with its 95 % interval, the task as the cluster. ${speaksOf.tasks}`,
    ...describeTests(
      shown.map(({ test }) => test && { p: test.p }),
      '',
    ),
    `Holm and BH (Benjamini-Hochberg): the same, adjusted over all ${String(cells.length)} cells that were compared; B is called worse or better where Holm is at most ${String(alpha)}.`,
    hasNoise
      ? `Noise: two plays of one model as large as these differ by at most so much with 95 %, from the repeats of each task, on this panel. ${detectable}`
      : `There is no noise floor, since no task was repeated on both sides, or the repeats are the same play: play two seeds or more at a temperature above 0. ${detectable}`,
    ...(byTask.length === 0
      ? []
      : [
          `${byTask.length === shown.length ? '' : `In ${String(byTask.length)} of ${count(shown.length, 'cell')} `}A and B have other seeds (${describeSeeds(byTask)}): a task's mean in A is compared with its mean in B, Pairs counts the episodes of both, and a task is solved where at least half of its runs are.`,
        ]),
    `Lost: solved by A alone; gained: by B alone.${hasNoise ? ' By chance: how many of two repeats of one side flip.' : ''}`,
  ]
}

/** `3 and 5`, for each pair of numbers of seeds that there is. */
function describeSeeds(cells: readonly ComparedCell[]): string {
  return [...new Set(cells.map(({ byTask }) => `${String(byTask!.first)} and ${String(byTask!.second)}`))].join('; ')
}

function cellsOf({ standing, means, difference, interval, test, noise, detectable, ...cell }: ComparedCell): Cell[] {
  const { both, lost, gained, neither } = cell.flips
  const coverage = { valid: cell.pairs, planned: cell.planned }
  const pairs = both + lost + gained + neither
  return [
    { text: standingWords[standing] },
    { ...figure(means?.first), ...coverage },
    { ...figure(means?.second), ...coverage },
    { ...figure(difference), ...interval, ...coverage },
    figure(test?.p),
    figure(test?.holm),
    figure(test?.bh),
    figure(noise?.floor),
    figure(detectable),
    coverage,
    ...[both, lost, gained, neither].map((value) => figure(value)),
    figure(pairs === 0 ? undefined : (lost + gained) / pairs),
    figure(noise?.flips),
  ]
}
