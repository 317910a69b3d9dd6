import { isValid } from '../core/episode.js'
import type { EpisodeRow } from '../results/episode-row.js'
import type { Finding } from '../run/shrink/find-changes.js'
import { findChanges, lostShare, sayFinding } from '../run/shrink/find-changes.js'
import { experimentOf, liveBudget, openReplayer } from '../run/shrink/replayer.js'
import type { ReadRun } from '../run/store/read-run.js'
import { readRun } from '../run/store/read-run.js'
import { learnFor } from './_describe-server.js'
import type { OptionsOf } from './_flags.js'
import { makeCommand, runPlace, usageError, whole } from './_flags.js'
import { number, print, printDocument, say, textOf } from './_lines.js'
import { exits, stopSignal } from './_signals.js'
import { createTwinFinder, onlyOne, selectRows } from './show.js'

const budgetHelp = `stop after this many calls of models in all (default: ${number(liveBudget)} for models behind servers)`
const flags = [
  ['--all', 'every lost pair of the run'],
  whole('--seeds <n>', 'seeds that decide about a set of changes', 2, 100, 4),
  whole('--budget <calls>', budgetHelp, 1, 1e9),
  ['--accept-changed-model', 'continue although a server now serves another model under the same name'],
  ['--json', 'print the results, with their changes, as one JSON document'],
] as const

type ShrinkFlags = OptionsOf<typeof flags>

/** `shaketable shrink`: finds which changes of a condition lost a task. */
export const shrinkCommand = () =>
  makeCommand({
    places: [runPlace, ['[episode]', 'beginning of its key (see shaketable show)']],
    flags,
    below: `A set of changes loses a task if it loses at least ${String(100 * lostShare)} % of the replays, over --seeds seeds with which the
unperturbed task is solved. The smallest set is then compared with the unperturbed task by as many
fresh seeds.`,
    run: shrink,
  })

async function shrink(folder: string, key: string | undefined, options: ShrinkFlags): Promise<void> {
  if ((key === undefined) === (options.all !== true)) {
    throw usageError(
      `Expected an episode's key or --all, got ${key === undefined ? 'neither' : 'both'}. \`shaketable show ${folder}\` lists the keys.`,
    )
  }
  const run = readRun(folder)
  for (const note of run.notes) say(note)
  const lost = lostRows(run)
  const wanted = key === undefined ? undefined : onlyOne(run, selectRows(run, key))
  const rows = wanted === undefined ? lost : lost.filter((row) => row.key === wanted.key)
  if (key === undefined && rows.length === 0) return say('No perturbed episode failed where its clean twin succeeded.')
  if (rows.length === 0) {
    throw usageError(
      `Expected a perturbed episode that failed where its clean twin succeeded, got another. \`shaketable shrink ${folder} --all\` takes all of these.`,
    )
  }
  const results = await shrinkRows(run, rows, options)
  if (options.json) {
    const episodes = [...results].map(([{ key }, { why, ...found }]) => ({ key, ...found, ...(why !== '' && { why }) }))
    return printDocument({ folder, episodes })
  }
  const lines = rows.flatMap((row) => {
    const { key, condition, environment, task, model, seed } = row
    return [
      `${key}  ${condition} · ${environment} · ${task} · ${model}, seed ${String(seed)}`,
      `  ${results.get(row)?.sentence ?? 'Not looked at.'}`,
    ]
  })
  await print(textOf(rows.length > 1 ? [...lines, ...summarise([...results.values()])] : lines))
}

/** What was found, in words too. */
type Shrunk = Finding & { readonly sentence: string }

/** Looks for the changes of some rows, one after the other. */
async function shrinkRows(
  run: ReadRun,
  rows: readonly EpisodeRow[],
  { seeds: count, budget, acceptChangedModel }: ShrinkFlags,
): Promise<ReadonlyMap<EpisodeRow, Shrunk>> {
  const experiment = experimentOf(run, rows)
  const learner = learnFor(experiment, { folder: run.folder, probe: true, acceptsChange: acceptChangedModel === true })
  const stop = stopSignal(() => {
    say('Stopping: running replays are finished. Press Ctrl-C again to leave at once.')
  })
  const { grid, endOf, open } = await openReplayer({ run, rows, experiment, learner, warn: say, budget, stop })
  stop.addEventListener('abort', () => grid.servers?.leave())
  await learner.compare()
  const results = new Map<EpisodeRow, Shrunk>()
  for (const row of rows) {
    if (endOf() !== undefined) break
    const { changes, replay } = await open(row, run.trajectories([row.key]).get(row.key))
    const seeds = seedsFor(row, run.plan.seeds, 3 * count)
    const finding = await findChanges({ changes, seeds, count, replay })
    const sentence = sayFinding(finding, count)
    say(`${row.key}: ${sentence}`)
    if (finding.why !== '') process.exitCode = finding.why.startsWith('a replay ended') ? exits.wrong : exits.stopped
    results.set(row, { ...finding, sentence })
  }
  const reason = endOf()
  if (reason !== undefined) {
    say(`Stopped: ${reason}.`)
    process.exitCode = stop.aborted ? exits.interrupted : exits.stopped
  }
  return results
}

/** The row's own seed, the others of the plan, and as many higher ones as are needed. */
function seedsFor({ seed }: EpisodeRow, planned: readonly number[], count: number): readonly number[] {
  const first = Math.max(seed, ...planned) + 1
  return [...new Set([seed, ...planned, ...Array.from({ length: count }, (_, index) => first + index)])].slice(0, count)
}

/** Every row that failed where its clean twin succeeded, in the order of the plan. */
function lostRows(run: ReadRun): readonly EpisodeRow[] {
  const findTwin = createTwinFinder(run)
  const perturbed = run.plan.conditions.filter(({ perturbations }) =>
    perturbations.some(({ promise }) => promise !== 'identity'),
  )
  const labels = new Set(perturbed.map(({ label }) => label))
  return [...run.rows].filter(
    (row) =>
      labels.has(row.condition) &&
      isValid(row.outcome) &&
      row.outcome !== 'success' &&
      findTwin(row)?.outcome === 'success',
  )
}

/** How many episodes have which result, and the changes that lost most of them. */
function summarise(results: readonly Finding[]): string[] {
  const states = ['found', 'unconfirmed', 'none', 'unfinished'] as const
  const counts = states.map((state) => `${String(results.filter((result) => result.state === state).length)} ${state}`)
  const times = new Map<string, number>()
  for (const { perturbation, before, after, of } of results.flatMap(({ state, changes }) =>
    state === 'found' ? changes : [],
  )) {
    const text = `${before ?? of}${after === undefined ? '' : ` → ${after}`} (${perturbation})`
    times.set(text, (times.get(text) ?? 0) + 1)
  }
  const worst = [...times].sort(([, one], [, other]) => other - one).slice(0, 10)
  return [
    '',
    `${number(results.length)} lost pairs: ${counts.join(', ')}.`,
    ...worst.map(([text, count]) => `  ${number(count)} × ${text}`),
  ]
}
