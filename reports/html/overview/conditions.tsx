import type { VNode } from 'preact'
import { type EpisodeRow, type StoredRun, type Trajectory, isChanged } from '../../../src/define.js'
import type { Aggregate } from '../../../src/results/aggregate.js'
import { type Family, familiesOf } from '../../../src/results/families.js'
import { groupBy } from '../../../src/results/lists.js'
import { fitTo } from '../../../src/tables/plain.js'
import { count } from '../../../src/tables/words.js'
import { untrusted } from '../visible.js'

/**
 * What each family changes, with what its conditions changed in an episode, or else with the wording of its summary.
 */
export function conditionsStrip(aggregate: Aggregate, examples: ReadonlyMap<string, Example>): VNode | undefined {
  const families = familiesOf(aggregate.conditions).sort((one, other) => Number(one.identity) - Number(other.identity))
  if (families.length === 0) return undefined
  return (
    <dl class="conditions">
      {families.map((family) => (
        <div class={family.identity ? 'control' : undefined}>
          <dt>
            {untrusted(family.name)}
            {remarkOf(family)}
          </dt>
          {changesOf(aggregate, family, examples)}
        </div>
      ))}
    </dl>
  )
}

function remarkOf({ conditions: { length }, identity, adversarial }: Family): VNode | false {
  const remarks = [identity && 'control', adversarial && 'adversarial', length > 1 && count(length, 'condition')]
  const words = remarks.filter((remark) => typeof remark === 'string')
  return words.length > 0 && <span class="remark">{words.join(', ')}</span>
}

/** What a family changes in each environment. */
export function summariesOf({ experiment, environments }: Aggregate, family: Family): string[] {
  const labels = family.conditions.map(({ label }) => label)
  const summaries = experiment.conditions
    .filter(({ label }) => labels.includes(label))
    .flatMap(({ changes }) =>
      environments.map(({ name }) => {
        const here = changes.filter(({ environment, summary }) => environment === name && summary !== '')
        return here.map(({ summary }) => summary).join(' + ')
      }),
    )
  return [...new Set(summaries)].filter((summary) => summary !== '')
}

/** Summaries as sentences, and the wordings before and after: of the examples where there are some. */
function changesOf(aggregate: Aggregate, family: Family, all: ReadonlyMap<string, Example>): VNode {
  const examples = family.conditions.flatMap(({ label }) => all.get(label) ?? [])
  const parts = summariesOf(aggregate, family).map((summary) => {
    const match = /^(?:(.*?): )?(.*?) → (.*)$/s.exec(summary)
    if (match === null) return { what: summary }
    const [, what, before, after] = match
    return { what, wording: { before: before!, after: after! } }
  })
  const shown = examples.length > 0 ? examples : parts.flatMap(({ wording }) => wording ?? [])
  const distinct = [...new Map(shown.map((example) => [`${example.before} → ${example.after}`, example])).values()]
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
  const changed = episodes.filter(({ dose }) => dose !== undefined && isChanged(dose))
  const tried = [...groupBy(changed, ({ condition }) => condition)].map(([condition, all]) => {
    const byTask = groupBy(all, ({ environment, task }) => `${environment}\n${task}`)
    return { condition, keys: [...byTask.values()].slice(0, maxEpisodes).map(([first]) => first!.key) }
  })
  const found = trajectories?.(tried.flatMap(({ keys }) => keys))
  return new Map(
    tried.flatMap(({ condition, keys }) => {
      const [example] = keys.flatMap((key) => exampleIn(found?.get(key)) ?? [])
      return example ? [[condition, example]] : []
    }),
  )
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
  const shown = (words: readonly string[]): string => fitTo(words.slice(start).join(' '), maxShown)
  return { before: shown(first), after: shown(second) }
}

const maxCompared = 10_000
const maxShown = 60
