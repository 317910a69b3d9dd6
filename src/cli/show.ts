import { type Outcome, isValid, outcomes } from '../core/episode.js'
import type { EpisodeRow } from '../results/episode-row.js'
import { cellsByKey } from '../run/cells.js'
import { perturbationName } from '../run/registry.js'
import { limitPlan, readSelection } from '../run/selection.js'
import { type ReadRun, readRun } from '../run/store/read-run.js'
import { describeEpisode, describePair } from './_episode-text.js'
import { type OptionsOf, choice, makeCommand, runPlace, several, usageError, whole } from './_flags.js'
import { escapeLine, layOut, number, print, printDocument, say } from './_lines.js'

/** Flags that select episodes of a run. */
export const selecting = [
  ['--only <axis=values>', 'those with these values, such as model=tuned,perturb=synonyms', several],
  choice('--outcome <name>', 'those that ended so; error is both errors', [...outcomes, 'error'] as const),
] as const
const flags = [
  'Which episodes:',
  ...selecting,
  whole('--limit <n>', 'episodes to list', 1, 1_000_000, 20),
  'What to print:',
  ['--twin', 'show its clean twin beside it'],
  ['--prompt', 'show the whole first prompt'],
  ['--json', 'print the rows, or the whole of one episode, as one JSON document'],
] as const

/** `shaketable show`: lists the episodes of a run, or prints one of them. */
export const showCommand = () =>
  makeCommand({
    places: [runPlace, ['[episode]', 'beginning of its key; or select one with the options below']],
    flags,
    run: show,
  })

async function show(folder: string, key: string | undefined, options: OptionsOf<typeof flags>): Promise<void> {
  const { limit, twin, prompt = false, json } = options
  const run = readRun(folder)
  for (const note of run.notes) say(note)
  const found = selectRows(run, key, options)
  if (key === undefined && !twin && (json === true || (found.length > 1 && !prompt))) {
    const { stored, planned } = run
    const episodes = found.slice(0, limit)
    if (json) return printDocument({ folder, stored, planned, found: found.length, episodes })
    return print(listEpisodes(episodes, found.length, run))
  }
  const row = onlyOne(found)
  const rows = twin ? [row, findTwin(run, row)] : [row]
  const trajectories = run.trajectories(rows.map(({ key }) => key))
  const [episode, other] = rows.map((row) => ({ row, trajectory: trajectories.get(row.key) }))
  for (const remark of run.remarks) say(remark)
  if (json) return printDocument({ folder, episode, ...(other && { twin: other }) })
  const width = Math.max(40, process.stdout.columns ?? 100)
  const lines = other ? describePair(other, episode!, width, prompt) : describeEpisode(episode!, width, prompt)
  await print(lines.join('\n'))
}

/** The only one of the rows that were found. @throws ShaketableError `usage` if there are several */
export function onlyOne(rows: readonly EpisodeRow[]): EpisodeRow {
  if (rows.length === 1) return rows[0]!
  const keys = rows.slice(0, 5).map((row) => row.key)
  throw usageError(
    `Expected one episode, but ${number(rows.length)} match (${keys.join(', ')}, …). Give more of the key, or more options.`,
  )
}

/** The label of a run's unperturbed condition. */
function cleanLabel({ plan }: ReadRun): string | undefined {
  return plan.conditions.find(({ perturbations }) => perturbations.length === 0)?.label
}

/** The clean twin of a perturbed episode; undefined if it is not stored. */
export function twinOf(run: ReadRun, row: EpisodeRow): EpisodeRow | undefined {
  const same = ['environment', 'task', 'model', 'agent', 'temperature', 'seed'] as const
  const clean = cleanLabel(run)
  return [...run.rows].find((other) => other.condition === clean && same.every((name) => other[name] === row[name]))
}

/**
 * The clean twin of a perturbed episode.
 * @throws ShaketableError `usage` if it is unperturbed itself, or its twin is not stored
 */
function findTwin(run: ReadRun, row: EpisodeRow): EpisodeRow {
  if (row.condition === cleanLabel(run))
    throw usageError('This episode is unperturbed and has no clean twin. Choose one of another condition.')
  const twin = twinOf(run, row)
  if (twin !== undefined) return twin
  throw usageError('The clean twin of this episode is not stored yet. Play the rest of the run first.')
}

function listEpisodes(rows: readonly EpisodeRow[], count: number, run: ReadRun): string {
  const head = ['key', 'outcome', 'progress', 'steps', 'condition', 'model', 'agent', 'temperature', 'seed', 'task']
  const lines = rows.map(({ key, outcome, progress, measures, ...row }) =>
    [
      ...[key.slice(0, 10), outcome, progress.toFixed(2), String(measures.steps)],
      ...[row.condition, row.model, row.agent, String(row.temperature), String(row.seed), row.task],
    ].map(escapeLine),
  )
  const more = count > rows.length ? `… and ${number(count - rows.length)} more; add options, or raise --limit.\n` : ''
  const state = `${number(run.stored)} of ${number(run.planned)} episodes are stored${run.writing === true ? ', and more are being written' : ''}.`
  return `${layOut([head, ...lines])}\n${more}${state}`
}

/**
 * Rows that flags select, one at least.
 * @throws ShaketableError `usage` if there is none, and for a name that the plan lacks, with the near miss
 */
export function selectRows(
  { folder, plan, rows }: ReadRun,
  key = '',
  { only = [], outcome }: OptionsOf<typeof selecting> = {},
): readonly EpisodeRow[] {
  if (!/^[0-9a-f]{0,20}$/.test(key)) {
    throw usageError(
      `Expected the beginning of an episode's key (up to 20 hex digits), got '${escapeLine(key.slice(0, 100))}'.`,
    )
  }
  const selection = readSelection(only)
  const selected = selection.size === 0 ? undefined : cellsByKey(limitPlan(plan, selection, perturbationName))
  const isWanted = (candidate: Outcome): boolean =>
    outcome === 'error' ? !isValid(candidate) : [undefined, candidate].includes(outcome)
  const found = [...rows].filter(
    (row) => row.key.startsWith(key) && (selected?.has(row.key) ?? true) && isWanted(row.outcome),
  )
  if (found.length > 0) return found
  throw usageError(`No stored episode of ${folder} matches. \`shaketable show ${folder}\` lists them.`)
}
