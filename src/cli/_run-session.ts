import { formatDuration } from '../models/retry-after.js'
import type { Budget, Spent } from '../run/budget.js'
import type { Report } from '../run/plan.js'
import type { Progress, Tally } from '../run/progress.js'
import { showProgress } from '../run/progress.js'
import type { Ended, RunOptions } from '../run/run-experiment.js'
import { runExperiment } from '../run/run-experiment.js'
import { count as counted } from '../tables/words.js'
import { escapeLog, number, say } from './_lines.js'
import { stopSignal } from './_signals.js'

/** What `shaketable run` prints, and where. */
export interface Output {
  /** Where notes go: above the progress display while there is one. */
  readonly voice: { say: (text: string) => void }
  readonly reports: readonly Report[]
  readonly quiet?: true
  readonly json?: true
  /** Whether the page is opened at the end. */
  readonly open?: true
}

/** What a session played and used. */
export interface Played {
  readonly tally: Ended
  /** Whether Ctrl-C ended it. */
  readonly interrupted: boolean
  readonly use?: Spent & { readonly hours: number }
}

/** Plays the missing episodes and shows progress. */
export async function playAll(
  options: Omit<RunOptions, 'stop' | 'opened'> & { readonly budget: Budget },
  { voice, quiet }: Output,
): Promise<Played> {
  const { folder, exchanges, budget, grid, only } = options
  let progress: Progress | undefined
  voice.say = (text) => (progress === undefined ? say(text) : progress.note(escapeLog(text)))
  const hasTrials = [...grid.agents.values()].some(({ trials }) => trials !== undefined)
  const finishing = hasTrials
    ? 'running trials are finished, and episodes kept whose last trial they were'
    : 'running episodes are finished and kept'
  const stop = stopSignal(() => voice.say(`Stopping: ${finishing}. Press Ctrl-C again to leave at once.`))
  const began = performance.now()
  const tally = await runExperiment({
    ...options,
    stop,
    opened(storeNotes, now) {
      for (const note of storeNotes) say(note)
      say(describeStart(folder, now(), only === undefined ? 'episodes' : 'selected episodes'))
      if (now().already >= now().planned || quiet) return
      progress = showProgress(process.stderr, {
        tally: now,
        clock: () => performance.now(),
        pauses: grid.servers?.pauses,
        spent: () => {
          const { attempts, tokens } = budget.spent()
          return { calls: attempts, tokens: tokens.prompt + tokens.completion }
        },
      })
    },
  }).finally(() => progress?.end())
  const used = budget.spent()
  const { calls, attempts, tokens } = used
  const isUsed = attempts > 0
  const took = `${counted(calls, 'call')} in ${counted(attempts, 'attempt')} and ${counted(tokens.prompt + tokens.completion, 'token')}`
  const hours = (performance.now() - began) / 3_600_000
  for (const sentence of exchanges?.summary() ?? []) say(sentence)
  if (isUsed) say(`This session took ${took} in ${formatDuration(hours * 3_600_000)}.`)
  return { tally, interrupted: stop.aborted, ...(isUsed && { use: { ...used, hours } }) }
}

function describeStart(folder: string, { planned, already }: Tally, episodes: string): string {
  if (already === 0) return `Playing ${number(planned)} ${episodes} into ${folder}.`
  if (already < planned) return `${folder} has ${number(already)} of ${number(planned)} ${episodes}; playing the rest.`
  return `${folder} has all ${number(planned)} ${episodes} already; nothing is played again.`
}
