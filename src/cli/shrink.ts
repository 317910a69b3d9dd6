import { isValid } from '../core/episode.js'
import type { EpisodeRow } from '../results/episode-row.js'
import { findChanges, lostShare, sayFinding } from '../run/shrink/find-changes.js'
import { experimentOf, liveBudget, openReplayer } from '../run/shrink/replayer.js'
import { type ReadRun, readRun } from '../run/store/read-run.js'
import { learnFor } from './_describe-server.js'
import { type OptionsOf, makeCommand, runPlace, usageError, whole } from './_flags.js'
import { number, printDocument, printLines, say } from './_lines.js'
import { exits, stopSignal } from './_signals.js'
import { onlyOne, selectRows, twinOf } from './show.js'

const budgetHelp = `stop after this many calls of models in all (default: ${number(liveBudget)} for models behind servers)`
const flags = [
  whole('--seeds <n>', 'seeds that decide about a set of changes', 2, 100, 4),
  whole('--budget <calls>', budgetHelp, 1, 1e9),
  ['--accept-changed-model', 'continue although a server now serves another model under the same name'],
  ['--json', 'print the result, with its changes, as one JSON document'],
] as const

/** `shaketable shrink`: finds which changes of a condition lost a task. */
export const shrinkCommand = () =>
  makeCommand({
    places: [runPlace, ['<episode>', 'beginning of its key (see shaketable show)']],
    flags,
    below: `A set of changes loses a task if it loses at least ${String(100 * lostShare)} % of the replays, over --seeds seeds with which the
unperturbed task is solved. The smallest set is then compared with the unperturbed task by as many
fresh seeds.`,
    run: shrink,
  })

async function shrink(folder: string, beginning: string, options: OptionsOf<typeof flags>): Promise<void> {
  const { seeds: count, budget, acceptChangedModel, json } = options
  const run = readRun(folder)
  for (const note of run.notes) say(note)
  const row = onlyOne(selectRows(run, beginning))
  const { key, condition, environment, task, model, seed } = row
  if (!isLost(run, row))
    throw usageError(
      `Expected a perturbed episode that failed where its clean twin succeeded, got another. \`shaketable show ${folder}\` lists the keys.`,
    )
  const experiment = experimentOf(run, row)
  const learner = learnFor(experiment, { folder: run.folder, probe: true, acceptsChange: acceptChangedModel === true })
  const stop = stopSignal('running replays are finished')
  const replayer = await openReplayer({ run, row, experiment, learner, warn: say, budget, stop })
  const { grid, endOf, changes, replay } = replayer
  stop.addEventListener('abort', () => grid.servers?.leave())
  await learner.compare()
  const { why, ...found } = await findChanges({
    changes,
    seeds: seedsFor(row, run.plan.seeds, 3 * count),
    count,
    replay,
  })
  if (why !== '') process.exitCode = why.startsWith('a replay ended') ? exits.wrong : exits.stopped
  if (endOf() !== undefined) process.exitCode = stop.aborted ? exits.interrupted : exits.stopped
  const sentence = sayFinding({ ...found, why }, count)
  if (json) return printDocument({ folder, key, ...found, ...(why !== '' && { why }), sentence })
  const identity = `${key}  ${condition} · ${environment} · ${task} · ${model}, seed ${String(seed)}`
  await printLines([identity, `  ${sentence}`])
}

/** The row's own seed, the others of the plan, and as many higher ones as are needed. */
function seedsFor({ seed }: EpisodeRow, planned: readonly number[], count: number): readonly number[] {
  const first = Math.max(seed, ...planned) + 1
  return [...new Set([seed, ...planned, ...Array.from({ length: count }, (_, index) => first + index)])].slice(0, count)
}

/** Whether a perturbed episode failed where its clean twin succeeded. */
function isLost(run: ReadRun, row: EpisodeRow): boolean {
  const { perturbations = [] } = run.plan.conditions.find(({ label }) => label === row.condition) ?? {}
  const isPerturbed = perturbations.some(({ promise }) => promise !== 'identity')
  return isPerturbed && isValid(row.outcome) && row.outcome !== 'success' && twinOf(run, row)?.outcome === 'success'
}
