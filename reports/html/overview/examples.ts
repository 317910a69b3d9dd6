import type { EpisodeRow, StoredRun, Trajectory } from '../../../src/define.js'
import { isChanged } from '../../../src/define.js'

/** What a condition changed in an episode: an action in both wordings, or where an answer first differs. */
export interface Example {
  /** Empty where the environment gave no answer of its own. */
  readonly before: string
  readonly after: string
}

/** Episodes of a condition that are looked at, of different tasks. */
const maxEpisodes = 3

/**
 * An example for each condition that changed one of the listed episodes, of the first that are of different tasks.
 * Empty for a run without trajectories.
 */
export function examplesOf({ trajectories }: StoredRun, episodes: readonly EpisodeRow[]): ReadonlyMap<string, Example> {
  const examples = new Map<string, Example>()
  if (trajectories === undefined) return examples
  const chosen = new Map<string, EpisodeRow[]>()
  for (const one of episodes) {
    const some = chosen.get(one.condition) ?? []
    const isKnown = some.some(({ environment, task }) => environment === one.environment && task === one.task)
    if (some.length === maxEpisodes || isKnown || one.dose === undefined || !isChanged(one.dose)) continue
    chosen.set(one.condition, [...some, one])
  }
  const found = trajectories([...chosen.values()].flat().map(({ key }) => key))
  for (const [condition, some] of chosen) {
    const example = some.map(({ key }) => exampleIn(found.get(key))).find((one) => one !== undefined)
    if (example !== undefined) examples.set(condition, example)
  }
  return examples
}

function exampleIn(trajectory: Trajectory | undefined): Example | undefined {
  if (trajectory === undefined) return undefined
  const { opening, steps } = trajectory
  for (const { action, command } of steps) {
    if (command !== undefined && command !== null && command !== action) return differenceOf(command, action)
  }
  for (const { original, observation } of [opening, ...steps]) {
    if (original !== undefined && original !== observation) return differenceOf(original, observation)
  }
  return undefined
}

/** Two texts from one word before the first that differs, cut. */
function differenceOf(before: string, after: string): Example {
  const [first, second] = [before, after].map((text) => text.slice(0, maxCompared).split(/\s+/)) as [string[], string[]]
  const same = first.findIndex((word, place) => word !== second[place])
  const from = Math.max(0, (same === -1 ? first.length : same) - 1)
  // Short texts are shown whole: actions above all.
  const start = before.length <= maxShown && after.length <= maxShown ? 0 : from
  return { before: cut(first.slice(start).join(' ')), after: cut(second.slice(start).join(' ')) }
}

const maxCompared = 10_000
const maxShown = 60

function cut(text: string): string {
  return text.length <= maxShown ? text : `${text.slice(0, maxShown)}…`
}
