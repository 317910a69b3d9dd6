import type { EpisodeRow, Trajectory, Trial } from '../core/episode.js'
import { harmless, harmlessLine } from './_harmless.js'
import { number, wrap } from './_lines.js'

/** What came of each trial of an episode, in a few words; undefined for an agent that plays a task once. */
export function sumUpTrials({ trials }: EpisodeRow): string | undefined {
  if (trials === undefined) return undefined
  const progress = trials.map((share) => `${String(Math.round(share * 100))}%`).join(', ')
  return trials.length === 1 ? `1 trial, progress ${progress}` : `${number(trials.length)} trials, progress ${progress}`
}

/**
 * What stands between two trials: of how many steps came before, the end of one trial with the reflection on it, and
 * the beginning of the next.
 */
export function tellTrialsAt({ trials = [] }: Trajectory, steps: number, width: number): string[] {
  return trials.flatMap((trial, index) => {
    if (trial.from !== steps) return []
    const before = trials[index - 1]
    return [
      ...(before === undefined ? [] : tellReflection(before, index, width)),
      ...wrap(`── trial ${String(index + 1)}, seed ${String(trial.seed)} ──`, width),
      '',
    ]
  })
}

/** What was noted after the last trial; nothing but where the episode broke behind it. */
export function tellLastReflection({ trials = [] }: Trajectory, width: number): string[] {
  const last = trials.at(-1)
  return last === undefined ? [] : tellReflection(last, trials.length, width)
}

function tellReflection({ reflection, outcome }: Trial, trial: number, width: number): string[] {
  const ended = wrap(`── trial ${String(trial)} ended: ${harmlessLine(outcome)} ──`, width)
  if (reflection === undefined) return [...ended, '']
  const { reply, reasoning, fault, left } = reflection
  const told = (label: string, text: string): string[] => wrap(`     ${label}${harmless(text)}`, width, '     ')
  return [
    ...ended,
    ...(reasoning === undefined ? [] : told('reasoning: ', reasoning)),
    ...told('reflection: ', reply),
    ...(fault === undefined ? [] : told('* ', `no whole reply: ${fault}`)),
    ...(left === undefined ? [] : told('* ', `made without the first ${number(left)} steps, which did not fit`)),
    '',
  ]
}
