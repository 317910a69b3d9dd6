import type { VNode } from 'preact'
import type { EpisodeRow, StoredRun, Trajectory } from '../../../src/define.js'
import { isChanged } from '../../../src/define.js'
import type { Aggregate } from '../../../src/results/aggregate.js'
import type { Family } from '../../../src/results/families.js'
import { familiesOf } from '../../../src/results/families.js'
import { count } from '../../../src/tables/words.js'
import { untrusted } from '../visible.js'

/**
 * What each family changes, with what its conditions changed in an episode, or else with the wording of its summary.
 */
export function conditionsStrip(
  aggregate: Aggregate,
  examples: ReadonlyMap<string, Example> = new Map(),
): VNode | undefined {
  const families = familiesOf(aggregate.conditions)
  if (families.length === 0) return undefined
  const ordered = [...families.filter(({ identity }) => !identity), ...families.filter(({ identity }) => identity)]
  return (
    <dl class="conditions">
      {ordered.map((family) => (
        <div class={family.identity ? 'control' : undefined}>
          <dt>
            {untrusted(family.name)}
            {remarkOf(family)}
          </dt>
          {changesOf(
            summariesOf(aggregate, family.name),
            family.conditions.flatMap(({ label }) => examples.get(label) ?? []),
          )}
        </div>
      ))}
    </dl>
  )
}

/** What a family changes, as one text: its summaries in all environments. */
export function describeFamily(aggregate: Aggregate, name: string): string {
  return summariesOf(aggregate, name).join('; ')
}

function remarkOf({ conditions, identity, adversarial }: Family): VNode | false {
  const draws = new Set(conditions.map(({ label }) => label)).size
  const remarks = [identity && 'control', adversarial && 'adversarial', draws > 1 && count(draws, 'condition')]
  const words = remarks.filter((remark) => typeof remark === 'string')
  return words.length > 0 && <span class="remark">{words.join(', ')}</span>
}

function summariesOf({ conditions, experiment, environments }: Aggregate, name: string): string[] {
  const family = familiesOf(conditions).find((candidate) => candidate.name === name)
  const labels = family?.conditions.map(({ label }) => label) ?? []
  const changes = experiment.conditions
    .filter(({ label }) => labels.includes(label))
    .map((condition) => condition.changes)
  const summaries = changes.flatMap((all) =>
    environments.map((environment) => {
      const here = all.filter((change) => change.environment === environment.name && change.summary !== '')
      return here.map(({ summary }) => summary).join(' + ')
    }),
  )
  return [...new Set(summaries)].filter((summary) => summary !== '')
}

/** Summaries as sentences, and the wordings before and after: of the examples where there are some. */
function changesOf(summaries: readonly string[], examples: readonly Example[]): VNode {
  const parts = summaries.map((summary) => {
    const match = /^(?:(.*?): )?(.*?) → (.*)$/s.exec(summary)
    if (match === null) return { what: summary }
    const [, what, before, after] = match
    return { what, wording: { before: before!, after: after! } }
  })
  const shown = examples.length > 0 ? examples : parts.flatMap(({ wording }) => wording ?? [])
  const distinct = [
    ...new Map(shown.map((example) => [JSON.stringify([example.before, example.after]), example])).values(),
  ]
  // Of long examples one is enough.
  const isLong = distinct.some(({ before, after }) => before.length + after.length > 60)
  const wordings = distinct.slice(0, isLong ? 1 : 3)
  const whats = [...new Set(parts.flatMap(({ what }) => what ?? []))]
  return (
    <dd>
      {whats.map((what) => (
        <p>{untrusted(what)}</p>
      ))}
      {wordings.map(({ before, after }) => (
        <p class="wording">
          {before !== '' && <del>{untrusted(before)}</del>}
          <span class="arrow"> → </span>
          <ins>{after === '' ? 'nothing' : untrusted(after)}</ins>
        </p>
      ))}
    </dd>
  )
}

/** What a condition changed in an episode: an action in both wordings, or where an answer first differs. */
interface Example {
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
  for (const episode of episodes) {
    const some = chosen.get(episode.condition) ?? []
    const isKnown = some.some(({ environment, task }) => environment === episode.environment && task === episode.task)
    if (some.length === maxEpisodes || isKnown || episode.dose === undefined || !isChanged(episode.dose)) continue
    chosen.set(episode.condition, [...some, episode])
  }
  const found = trajectories([...chosen.values()].flat().map(({ key }) => key))
  for (const [condition, some] of chosen) {
    const example = some.map(({ key }) => exampleIn(found.get(key))).find((text) => text !== undefined)
    if (example !== undefined) examples.set(condition, example)
  }
  return examples
}

function exampleIn(trajectory: Trajectory | undefined): Example | undefined {
  const { opening, steps = [] } = trajectory ?? {}
  const answers = [...(opening === undefined ? [] : [opening]), ...steps]
  const pairs = [
    ...steps.map(({ command, action }) => ({ before: command ?? action, after: action })),
    ...answers.map(({ original, observation }) => ({ before: original ?? observation, after: observation })),
  ]
  const pair = pairs.find(({ before, after }) => before !== after)
  return pair && differenceOf(pair.before, pair.after)
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
