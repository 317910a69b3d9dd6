import { join } from 'node:path'
import { Command } from 'commander'
import type { EpisodeRow, Outcome } from '../core/episode.js'
import { isValid } from '../core/episode.js'
import { ShaketableError, messageOf } from '../core/errors.js'
import { cellAt, createCellFinder, createKeyMaker } from '../run/cells.js'
import { parseColumn } from '../run/columns.js'
import { completeExperiment } from '../run/experiment.js'
import type { Experiment } from '../run/experiment.js'
import { readFlags } from '../run/experiment-flags.js'
import type { Grid } from '../run/grid.js'
import { learnServers } from '../run/learn-servers.js'
import { createLocalPlayer } from '../run/play-cell.js'
import { loadRegistry } from '../run/plugins.js'
import { prepareGrid } from '../run/prepare-grid.js'
import type { Registry } from '../run/registry.js'
import { withoutSecrets } from '../run/run-experiment.js'
import { schedule } from '../run/schedule.js'
import type { Searched, SearchPair } from '../run/search.js'
import { countRounds, pairsOf, searchWorst, splitTasks } from '../run/search.js'
import { FileStore } from '../run/store/file-store.js'
import type { PairedDifference } from '../statistics/index.js'
import { summariseServer } from './_describe-server.js'
import type { EnvironmentFlagValues, PluginFlag } from './_flags.js'
import { addEnvironmentFlags, addPluginFlag, pickEnvironmentFlags, share, whole } from './_flags.js'
import { escapeLine, layOut, number, print, printJson, say } from './_lines.js'
import { onStop } from './_signals.js'

interface SearchFlags extends EnvironmentFlagValues, PluginFlag {
  readonly family: string
  readonly env: string
  readonly tasks?: string
  readonly model: string
  readonly baseUrl?: string
  readonly agent?: string
  readonly temperature: string
  readonly seeds: string
  readonly steps?: string
  readonly draws?: number
  readonly intensity?: number
  readonly budget?: number
  readonly out?: string
  readonly json?: true
}

/** Draws that are searched of a family that generates its draws. */
const usualDraws = 8
const exitStopped = 4
const control = 'clean-repeats'

/** `shaketable search`: looks for the draw of a family that harms most. */
export function searchCommand(): Command {
  const command = new Command('search')
    .description(
      'Looks for the draw of a family that harms most, by successive halving on one half of the tasks, and measures its harm on the other half. The same search over clean repeats shows how much a search finds in noise.',
    )
    .requiredOption('--family <name>', 'a perturbation with draws, with its options as in item-style:style=hash')
    .option('--env <name>', 'the environment', 'household')
    .option('--tasks <n|ids>', 'number of tasks, or their ids (default: all)')
    .option('--model <name>', 'a control model, or a model behind --base-url', 'parrot')
    .option('--base-url <address>', 'an OpenAI-compatible server; its key is read from OPENAI_API_KEY')
    .option('--agent <name>', 'the agent (default: act; react for models behind a server)')
    .option('--temperature <number>', 'the temperature', '1')
    .option('--seeds <n|numbers>', 'number of seeds, or a list of them', '3')
    .option('--steps <n>', 'step limit of an episode')
    .option(...whole('--draws <n>', 'number of draws (default: all of the family, or 8 if it generates them)', 2, 1000))
    .option(...share('--intensity <share>', 'intensity of the family', { from: 0 }))
    .option(...whole('--budget <episodes>', 'maximum number of episodes in all', 1, 1e7))
  return addEnvironmentFlags(addPluginFlag(command))
    .option('--out <folder>', 'folder of the run (default: runs/search-<family>)')
    .option('--json', 'print the result as JSON')
    .action(search)
}

async function search(flags: SearchFlags): Promise<void> {
  const registry = await loadRegistry(flags.plugin ?? [], say)
  const columns = drawColumns(flags, registry)
  const { agent, family, steps, tasks } = flags
  const given = readFlags({
    env: [flags.env],
    perturb: [columns.family, columns.control].flatMap((labels) => [...labels.values()]),
    model: [flags.model],
    temperatures: flags.temperature,
    seeds: flags.seeds,
    ...(tasks !== undefined && { tasks }),
    ...(flags.baseUrl !== undefined && { baseUrl: flags.baseUrl }),
    ...(agent !== undefined && { agent: [agent] }),
    ...(steps !== undefined && { steps }),
    ...(flags.plugin && { plugin: flags.plugin }),
  })
  const { experiment, where } = completeExperiment({
    registry,
    flags: given,
    environmentFlags: pickEnvironmentFlags(flags),
  })
  for (const [name, list] of Object.entries({
    '--env': experiment.environments,
    '--model': experiment.models,
    '--temperature': experiment.temperatures,
  })) {
    if (list.length !== 1)
      throw new ShaketableError('usage', `${name}: expected one, got ${String(list.length)}. Search for each apart.`)
  }
  const folder = flags.out ?? join('runs', `search-${family.replace(/[^\w.-]/g, '-').slice(0, 64)}`)
  const learner = learnServers({
    folder,
    probe: true,
    tell: (report) => summariseServer(report).forEach(say),
    warn: say,
  })
  const { grid, notes } = await prepareGrid(experiment, { where, learner, warn: say, registry })
  for (const note of notes) say(note)
  const halves = halvesOf(grid)
  const budget = budgetFor(columns.family.size, halves, flags.budget)
  say(
    `Searching ${number(columns.family.size)} draws on ${number(halves.tasks.search)} tasks, and measuring the worst on ${number(halves.tasks.heldOut)} others: at most ${number(2 * budget + halves.search.length + 3 * halves.heldOut.length)} episodes into ${folder}.`,
  )
  const player = await openPlayer(folder, experiment, grid, learner)
  try {
    const results: (Searched & { readonly name: string; readonly draws: number })[] = []
    for (const [name, labels] of [
      [family, columns.family],
      [control, columns.control],
    ] as const) {
      const found = await searchWorst([...labels.keys()], halves, budget, (draws, pairs) =>
        player.play(
          draws.map((draw) => labels.get(draw)!),
          pairs,
        ),
      )
      results.push({ name, draws: labels.size, ...found })
    }
    const isStill = player.isStill()
    if (flags.json)
      await printJson(
        JSON.stringify(
          { ...halves.tasks, seeds: grid.plan.seeds, model: flags.model, environment: flags.env, results },
          null,
          1,
        ),
      )
    else await print(describe(results, isStill))
  } catch (thrown) {
    if (!(thrown instanceof Ended)) throw thrown
    say(`${thrown.message} What was played is kept in ${folder}; run the same command again to go on.`)
    process.exitCode = thrown.code
  } finally {
    await player.close()
  }
}

/** The labels of the columns of a family and of its control, by draw. */
function drawColumns({ family, draws: wanted, intensity }: SearchFlags, registry: Registry) {
  const known = registry.list('lens')
  const given = `${family}${intensity === undefined ? '' : `:intensity=${String(intensity)}`}`
  const { applied } = parseColumn(given, known, registry.list('filter'))
  const [one, ...others] = applied
  if (one === undefined || others.length > 0 || one.draw !== undefined || (one.perturbation.draws ?? 1) < 2) {
    throw new ShaketableError(
      'usage',
      `--family: expected one perturbation with several draws and without a draw of its own, got '${family.slice(0, 100)}'. Those with draws: ${known
        .filter(({ draws = 1 }) => draws > 1)
        .map(({ name }) => name)
        .join(', ')}.`,
    )
  }
  const { draws: all = 1, name } = one.perturbation
  const count = wanted ?? (all === Infinity ? usualDraws : all)
  if (count > all)
    throw new ShaketableError('usage', `--draws: '${name}' has ${String(all)} draws, got ${String(count)}.`)
  const labelsOf = (text: string): Map<number, string> =>
    new Map(
      Array.from({ length: count }, (_, index) => [
        index + 1,
        parseColumn(`${text}:draw=${String(index + 1)}`, known).label,
      ]),
    )
  return { family: labelsOf(given), control: labelsOf(control) }
}

interface Halves {
  readonly search: readonly SearchPair[]
  readonly heldOut: readonly SearchPair[]
  readonly tasks: { readonly search: number; readonly heldOut: number }
}

function halvesOf({ plan }: Grid): Halves {
  const tasks = plan.environments[0]!.tasks.map(({ id }) => id)
  if (tasks.length < 4) {
    throw new ShaketableError(
      'usage',
      `--tasks: expected at least 4 tasks, two for each half, got ${String(tasks.length)}.`,
    )
  }
  const split = splitTasks(tasks)
  const { seedsAtZero = Infinity } = plan.models[0]!
  const seeds = plan.temperatures[0] === 0 ? plan.seeds.slice(0, seedsAtZero) : plan.seeds
  return {
    search: pairsOf(split.search, seeds),
    heldOut: pairsOf(split.heldOut, seeds),
    tasks: { search: split.search.length, heldOut: split.heldOut.length },
  }
}

/**
 * Perturbed episodes of one search, so that all fit into the whole budget. Default: all pairs for the last two draws.
 */
function budgetFor(draws: number, { search, heldOut }: Halves, whole: number | undefined): number {
  const rounds = countRounds(draws)
  if (whole === undefined) return rounds * Math.max(draws, 2 * search.length)
  const fixed = search.length + 3 * heldOut.length
  const each = Math.floor((whole - fixed) / 2)
  if (each >= rounds * draws) return each
  throw new ShaketableError(
    'usage',
    `--budget: expected at least ${number(fixed + 2 * rounds * draws)} episodes for ${String(draws)} draws on these tasks and seeds, got ${number(whole)}. Give fewer --tasks, --seeds or --draws.`,
  )
}

/** The search ended before its result. */
class Ended extends Error {
  readonly code: number

  constructor(message: string, code: number) {
    super(message)
    this.code = code
  }
}

/** Opens the run's folder, and plays what is missing of some columns on some pairs. */
async function openPlayer(
  folder: string,
  experiment: Experiment,
  grid: Grid,
  learner: ReturnType<typeof learnServers>,
) {
  const { plan, gone } = grid
  const outcomes = new Map<string, Outcome>()
  const traces = new Set<string | undefined>()
  const note = (row: EpisodeRow): void => {
    outcomes.set(row.key, row.outcome)
    if (row.column.startsWith(control) || row.column === 'none') traces.add(row.trace)
  }
  const store = await FileStore.open(
    folder,
    { plan, experiment: withoutSecrets(experiment) },
    { seen: note, servers: learner.learned() },
  )
  for (const text of store.notes) say(text)
  await learner.compare()
  const stop = new AbortController()
  onStop(() => {
    stop.abort()
    grid.servers?.leave()
    say('Stopping: running episodes are finished and kept. Press Ctrl-C again to leave at once.')
  })
  const timed = grid.live ? { clock: () => performance.now() } : {}
  const player = createLocalPlayer(grid, grid.live ? experiment.concurrency : 1, timed)
  const [find, keyOf] = [createCellFinder(plan), createKeyMaker(plan)]
  const [environment, model, agent] = [plan.environments[0]!.name, plan.models[0]!.name, plan.agents[0]!.name]
  const indexOf = (column: string, { task, seed }: SearchPair): number =>
    find({ environment, task, column, model, agent, temperature: plan.temperatures[0]!, seed } as EpisodeRow)!
  const successOf = (column: string, pair: SearchPair): number => {
    const outcome = outcomes.get(keyOf(cellAt(plan, indexOf(column, pair))))
    if (outcome === undefined || !isValid(outcome)) return NaN
    return outcome === 'success' ? 1 : 0
  }
  let cleanPairs = 0
  return {
    async play(columns: readonly string[], pairs: readonly SearchPair[]) {
      const all = pairs.flatMap((pair) => ['none', ...columns].map((column) => indexOf(column, pair)))
      // The store knows only what it had when it was opened.
      const only = all.filter((index) => {
        const known = outcomes.get(keyOf(cellAt(plan, index)))
        return known === undefined || !isValid(known)
      })
      await schedule({ plan, player, store, played: note, stop: stop.signal, gone, only })
      if (stop.signal.aborted) throw new Ended('Stopped.', 130)
      if (gone?.aborted) throw new Ended(messageOf(gone.reason), exitStopped)
      const differences = columns.map((column) =>
        pairs.map((pair) => successOf('none', pair) - successOf(column, pair)),
      )
      const errors = differences.flat().filter(Number.isNaN).length
      if (errors > 0)
        say(`${number(errors)} pairs ended in an error and are left out; the same command plays them again.`)
      cleanPairs += columns[0]!.startsWith(control) ? differences.flat().filter((one) => one !== 0).length : 0
      return differences
    },
    /** Whether no clean repeat differed from its clean episode. */
    isStill: () => cleanPairs === 0,
    async close() {
      await player.close()
      await store.close()
    },
  }
}

function describe(
  results: readonly (Searched & { readonly name: string; readonly draws: number })[],
  isStill: boolean,
): string {
  const points = (value: number | undefined): string => (value === undefined ? '–' : (100 * value).toFixed(1))
  const withInterval = ({ mean, interval }: PairedDifference): string =>
    `${points(mean)}${interval ? ` [${points(interval.low)}, ${points(interval.high)}]` : ''}`
  const head = [
    'family',
    'draws',
    'worst draw',
    'harm on the search half',
    'harm on the held-out half [95 %]',
    'difference',
  ]
  const lines = results.map(({ name, draws, worst, searched, heldOut }) => [
    escapeLine(name),
    String(draws),
    String(worst),
    points(searched.mean),
    withInterval(heldOut),
    searched.mean === undefined || heldOut.mean === undefined ? '–' : points(searched.mean - heldOut.mean),
  ])
  return [
    layOut([head, ...lines]),
    '',
    'Harm is the loss of success in percentage points, paired by task and seed. The search half overstates it, since the draw was chosen by it; the held-out half does not.',
    ...(isStill
      ? [
          `Clean repeats did not differ from the clean episodes: this model depends on task and seed alone, so they show no noise.`,
        ]
      : []),
  ].join('\n')
}
