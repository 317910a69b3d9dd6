import type { Aggregate } from '../../../src/results/aggregate.js'
import type { Family } from '../../../src/results/families.js'
import { familiesOf } from '../../../src/results/families.js'
import { count } from '../../../src/tables/words.js'
import type { Markup } from '../markup.js'
import { element, untrusted } from '../markup.js'
import type { Example } from './examples.js'

/**
 * What each family changes, with what its conditions changed in an episode, or else with the wording of its summary.
 * The page's script shows the same wherever one of the labels in `data-labels` stands.
 */
export function conditionsStrip(
  aggregate: Aggregate,
  examples: ReadonlyMap<string, Example> = new Map(),
): Markup | undefined {
  const families = familiesOf(aggregate.columns)
  if (families.length === 0) return undefined
  const ordered = [...families.filter(({ identity }) => !identity), ...families.filter(({ identity }) => identity)]
  return element(
    'dl',
    { class: 'conditions' },
    ordered.map((family) =>
      element(
        'div',
        {
          class: family.identity && 'control',
          'data-labels': JSON.stringify([...new Set([family.name, ...family.columns.map(({ label }) => label)])]),
        },
        element('dt', {}, untrusted(family.name), remarkOf(family)),
        changesMarkup(
          summariesOf(aggregate, family.name),
          family.columns.flatMap(({ label }) => examples.get(label) ?? []),
        ),
      ),
    ),
  )
}

/** What a family changes, as one text: its summaries in all environments. */
export function describeFamily(aggregate: Aggregate, name: string): string {
  return summariesOf(aggregate, name).join('; ')
}

function remarkOf({ columns, identity, adversarial }: Family): Markup | false {
  const draws = new Set(columns.map(({ label }) => label)).size
  const words = [
    ...(identity ? ['control'] : []),
    ...(adversarial ? ['adversarial'] : []),
    ...(draws > 1 ? [count(draws, 'condition')] : []),
  ]
  return words.length > 0 && element('span', { class: 'remark' }, words.join(', '))
}

function summariesOf({ columns, experiment }: Aggregate, name: string): string[] {
  const labels = familiesOf(columns)
    .filter((family) => family.name === name)
    .flatMap((family) => family.columns.map(({ label }) => label))
  const perEnvironment = experiment.conditions
    .filter(({ label }) => labels.includes(label))
    .flatMap(({ changes }) =>
      [...new Set(changes.map(({ environment }) => environment))].map((environment) =>
        changes
          .filter((change) => change.environment === environment && change.summary !== '')
          .map(({ summary }) => summary)
          .join(' + '),
      ),
    )
  return [...new Set(perEnvironment)].filter((summary) => summary !== '')
}

/** Summaries as sentences, and the wordings before and after: of the examples where there are some. */
function changesMarkup(summaries: readonly string[], examples: readonly Example[]): Markup {
  const parts = summaries.map((summary) => {
    const found = /^(?:(.*?): )?(.*?) → (.*)$/s.exec(summary)
    if (found === null) return { what: summary }
    const [, what, before, after] = found
    return { what, wording: { before: before!, after: after! } }
  })
  const shown = examples.length > 0 ? examples : parts.flatMap(({ wording }) => wording ?? [])
  const distinct = [...new Map(shown.map((one) => [JSON.stringify([one.before, one.after]), one])).values()]
  return element(
    'dd',
    {},
    [...new Set(parts.map(({ what }) => what))].map((what) => what !== undefined && element('p', {}, untrusted(what))),
    distinct
      .slice(0, distinct.some(isLong) ? 1 : maxWordings)
      .map(({ before, after }) =>
        element(
          'p',
          { class: 'wording' },
          before !== '' && element('del', {}, untrusted(before)),
          element('span', { class: 'arrow' }, ' → '),
          element('ins', {}, after === '' ? 'nothing' : untrusted(after)),
        ),
      ),
  )
}

const maxWordings = 3

/** Of long examples one is enough. */
function isLong({ before, after }: Example): boolean {
  return before.length + after.length > 60
}
