import type { StoredRun, Trajectory } from '../../../src/define.js'
import { isChanged } from '../../../src/define.js'
import type { ListedEpisode } from '../list-episodes.js'

/** What a condition changed in an episode: an action in both wordings, or where an answer first differs. */
export interface Example {
  /** Empty where the environment gave no answer of its own. */
  readonly before: string
  readonly after: string
}

/** Episodes of a condition that are looked at, of different tasks. */
const maxEpisodes = 3

/**
 * An example for each condition that changed one of the listed episodes, of the first tasks of the plan. Empty for a
 * run without trajectories.
 */
export function examplesOf(
  { plan, trajectories }: StoredRun,
  episodes: readonly ListedEpisode[],
): ReadonlyMap<string, Example> {
  const examples = new Map<string, Example>()
  if (trajectories === undefined) return examples
  const order = (one: ListedEpisode, other: ListedEpisode): number =>
    one.at.task - other.at.task ||
    plan.seeds[one.at.seed]! - plan.seeds[other.at.seed]! ||
    (one.key < other.key ? -1 : 1)
  const chosen = new Map<string, ListedEpisode[]>()
  for (const one of episodes) {
    if (one.dose === undefined || !isChanged(one.dose)) continue
    const { label } = plan.columns[one.at.column]!
    const some = chosen.get(label) ?? []
    const rival = some.find(({ at }) => at.task === one.at.task) ?? some[maxEpisodes - 1]
    if (rival && order(rival, one) < 0) continue
    chosen.set(label, [...some.filter((other) => other !== rival), one].sort(order))
  }
  const found = trajectories([...chosen.values()].flat().map(({ key }) => key))
  for (const [column, some] of chosen) {
    const example = some.map(({ key }) => exampleIn(found.get(key))).find((one) => one !== undefined)
    if (example !== undefined) examples.set(column, example)
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
