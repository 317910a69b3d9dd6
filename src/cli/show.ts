import { Command } from 'commander'
import type { EpisodeRow } from '../core/episode.js'
import { isValid, outcomes } from '../core/episode.js'
import { ShaketableError, nearMiss, unknownName } from '../core/errors.js'
import type { Plan } from '../core/report.js'
import { pairsOf } from '../core/report.js'
import { perturbationName } from '../run/registry.js'
import type { ReadRun } from '../run/store/read-run.js'
import { readRun } from '../run/store/read-run.js'
import { countAttempts, joinCalls } from '../run/store/record.js'
import { tellEpisode, tellPair } from './_episode-text.js'
import { harmlessLine, layOut, number, print, say } from './_lines.js'

interface ShowFlags extends EpisodeFlags {
  readonly limit: string
  readonly twin?: true
  readonly prompt?: true
}

/** `shaketable show`: a run's episodes in a list, or one of them as a person would read it. */
export function showCommand(): Command {
  return new Command('show')
    .description('Lists the episodes of a run, or shows one of them as a person would read it.')
    .argument('<run>', "a run's folder")
    .argument('[episode]', 'the beginning of its key; or choose one with the options below')
    .option('--environment <name>')
    .option('--task <id>')
    .option('--column <label>', 'none for unperturbed episodes', (label) => perturbationName(label))
    .option('--model <name>')
    .option('--agent <name>')
    .option('--temperature <number>')
    .option('--seed <number>')
    .option('--outcome <name>', `${outcomeNames.join(', ')}`)
    .option('--limit <n>', 'how many are listed', '20')
    .option('--twin', 'show the unperturbed twin beside it')
    .option('--prompt', 'show the whole first prompt')
    .action(show)
}

async function show(folder: string, key: string | undefined, flags: ShowFlags): Promise<void> {
  const run = readRun(folder)
  for (const note of run.notes) say(note)
  const matches = createEpisodeFilter(run.plan, key, flags)
  const limit = Number(flags.limit)
  if (!Number.isSafeInteger(limit) || limit < 1) {
    throw new ShaketableError('usage', `--limit: expected a whole number from 1, got '${flags.limit}'.`)
  }
  const found: EpisodeRow[] = []
  let count = 0
  for (const row of run.rows) {
    if (!matches(row)) continue
    count++
    if (found.length < limit) found.push(row)
  }
  if (count === 0) {
    throw new ShaketableError(
      'usage',
      `No stored episode of ${folder} is like that. \`shaketable show ${folder}\` lists them.`,
    )
  }
  if (count === 1) {
    const told = tellOne(run, found[0]!, flags).join('\n')
    for (const remark of run.remarks) say(remark)
    await print(told)
    return
  }
  if (key !== undefined || flags.twin || flags.prompt) {
    const keys = found.slice(0, 5).map((row) => row.key)
    throw new ShaketableError(
      'usage',
      `Expected one episode, but ${number(count)} are like that (${keys.join(', ')}${count > keys.length ? ', …' : ''}). Give more of the key, or more options.`,
    )
  }
  await print(listEpisodes(found, count, run))
}

function tellOne(run: ReadRun, row: EpisodeRow, flags: ShowFlags): string[] {
  const width = Math.max(40, process.stdout.columns ?? 100)
  const twin = flags.twin ? twinOf(run, row) : undefined
  const trajectories = run.trajectories(twin === undefined ? [row.key] : [row.key, twin.key])
  const calls = run.calls([...trajectories.keys()])
  const told = (row: EpisodeRow) => {
    const [trajectory, got] = [trajectories.get(row.key), calls.get(row.key)]
    if (trajectory === undefined || got === undefined) return { row, trajectory }
    const measures = { attempts: countAttempts(got), ...row.measures }
    return { row: { ...row, measures }, trajectory: joinCalls(trajectory, got) }
  }
  const withPrompt = flags.prompt === true
  return twin === undefined
    ? tellEpisode(told(row), width, withPrompt)
    : tellPair(told(twin), told(row), width, withPrompt)
}

function twinOf(run: ReadRun, row: EpisodeRow): EpisodeRow {
  const clean = run.plan.columns.find(({ perturbations }) => perturbations.length === 0)?.label
  if (row.column === clean) {
    throw new ShaketableError(
      'usage',
      'This episode is unperturbed: it is the twin itself. Choose one of another column, or leave out --twin.',
    )
  }
  const same = ['environment', 'task', 'model', 'agent', 'temperature', 'seed'] as const
  for (const other of run.rows) {
    if (other.column === clean && same.every((field) => other[field] === row[field])) return other
  }
  throw new ShaketableError(
    'usage',
    'The unperturbed twin of this episode is not in the store yet. Leave out --twin, or play the rest of the run.',
  )
}

function listEpisodes(rows: readonly EpisodeRow[], count: number, run: ReadRun): string {
  const head = ['key', 'outcome', 'progress', 'steps', 'column', 'model', 'agent', 'temperature', 'seed', 'task']
  const lines = rows.map((row) =>
    [
      row.key.slice(0, 10),
      row.outcome,
      row.progress.toFixed(2),
      String(row.measures.steps),
      row.column,
      row.model,
      row.agent,
      String(row.temperature),
      String(row.seed),
      row.task,
    ].map(harmlessLine),
  )
  const more =
    count > rows.length ? `… and ${number(count - rows.length)} more; narrow them down, or raise --limit.\n` : ''
  const state = `${number(run.stored)} of ${number(run.planned)} episodes are stored${run.writing === true ? ', and more are being written' : ''}.`
  return `${layOut([head, ...lines])}\n${more}${state}`
}

/** Flags that choose among the episodes of a run. */
interface EpisodeFlags {
  readonly environment?: string
  readonly task?: string
  readonly column?: string
  readonly model?: string
  readonly agent?: string
  readonly temperature?: string
  readonly seed?: string
  readonly outcome?: string
}

/** What can be asked for as an outcome: each of them, and `error` for both errors. */
const outcomeNames: readonly string[] = [...outcomes, 'error']

/** Makes a test for rows. @throws ShaketableError `usage` for a name that the plan does not have, with the near miss */
function createEpisodeFilter(plan: Plan, key: string | undefined, flags: EpisodeFlags): (row: EpisodeRow) => boolean {
  if (key !== undefined && !/^[0-9a-f]{1,20}$/.test(key)) {
    throw new ShaketableError(
      'usage',
      `Expected the beginning of an episode's key (up to 20 hex digits), got '${harmlessLine(key.slice(0, 100))}'.`,
    )
  }
  const choose = (kind: string, value: string | undefined, known: readonly string[]): string | undefined => {
    if (value === undefined || known.includes(value)) return value
    const near = nearMiss(value, known)
    const nearest = near === undefined ? known.slice(0, 12) : [near]
    const message = known.length <= 12 ? unknownName(kind, value, known) : unknownName(kind, value, nearest)
    throw new ShaketableError('usage', message)
  }
  const environment = choose(
    'environment',
    flags.environment,
    plan.environments.map(({ name }) => name),
  )
  const task = choose(
    'task',
    flags.task,
    plan.environments.flatMap(({ tasks }) => tasks.map(({ id }) => id)),
  )
  const column = choose(
    'column',
    flags.column,
    plan.columns.map(({ label }) => label),
  )
  const model = choose(
    'model',
    flags.model,
    plan.models.map(({ name }) => name),
  )
  const played = pairsOf(plan).filter((pair) => model === undefined || pair.model.name === model)
  const agent = choose(
    'agent',
    flags.agent,
    plan.agents.map(({ name }) => name).filter((name) => played.some(({ agent }) => agent.name === name)),
  )
  const temperature = choose('temperature', plainNumber(flags.temperature), plan.temperatures.map(String))
  const seed = choose('seed', plainNumber(flags.seed), plan.seeds.map(String))
  const outcome = choose('outcome', flags.outcome, outcomeNames)
  const is = (wanted: string | undefined, value: string): boolean => wanted === undefined || wanted === value
  return (row) =>
    (key === undefined || row.key.startsWith(key)) &&
    is(environment, row.environment) &&
    is(task, row.task) &&
    is(column, row.column) &&
    is(model, row.model) &&
    is(agent, row.agent) &&
    is(temperature, String(row.temperature)) &&
    is(seed, String(row.seed)) &&
    (outcome === 'error' ? !isValid(row.outcome) : is(outcome, row.outcome))
}

/** `1.0` as `1`, the way the plan's numbers are written. */
function plainNumber(text: string | undefined): string | undefined {
  return text === undefined || text.trim() === '' || Number.isNaN(Number(text)) ? text : String(Number(text))
}
