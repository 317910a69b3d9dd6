import { ShaketableError } from '../core/errors.js'
import type { Outcomes, Panel } from './outcomes.js'

/**
 * The panels that both sides have, in the first's order.
 * @throws ShaketableError `bad-input` where an environment's panels differ, with the difference, and where there is no environment in common.
 */
export function commonPanels(first: Outcomes, second: Outcomes): Panel[] {
  const others = new Map(second.panels.map((panel) => [panel.environment, panel]))
  const common = first.panels.filter(({ environment }) => others.has(environment))
  if (common.length === 0) {
    const list = ({ panels }: Outcomes): string => panels.map(({ environment }) => environment).join(', ')
    throw new ShaketableError(
      'bad-input',
      `Expected an environment that both have, got ${list(first)} in ${first.source} and ${list(second)} in ${second.source}. Only results on the same tasks can be compared.`,
    )
  }
  for (const panel of common) {
    const other = others.get(panel.environment)!
    if (panel.hash === other.hash) continue
    throw new ShaketableError(
      'bad-input',
      `Expected ${panel.environment} on one panel of tasks, but ${first.source} and ${second.source} differ: ${describeDifference(panel, other)}. ` +
        'Only results on the same tasks can be paired: play one of them again on the tasks of the other.',
    )
  }
  return common
}

function describeDifference(first: Panel, second: Panel): string {
  const parts: string[] = []
  if (first.version !== second.version) parts.push(`version ${first.version} there, ${second.version} here`)
  const [before, after] = [first, second].map(({ tasks }) => new Set(tasks.map(({ id }) => id))) as [
    Set<string>,
    Set<string>,
  ]
  const gone = [...before].filter((id) => !after.has(id))
  const added = [...after].filter((id) => !before.has(id))
  if (before.size !== after.size) parts.push(`${String(before.size)} tasks there, ${String(after.size)} here`)
  if (gone.length > 0) parts.push(`only there ${shortList(gone)}`)
  if (added.length > 0) parts.push(`only here ${shortList(added)}`)
  if (gone.length > 0 || added.length > 0 || parts.length > 1) return parts.join('; ')
  const inOrder = first.tasks.every(({ id }, place) => second.tasks[place]?.id === id)
  return [
    ...parts,
    inOrder
      ? 'the tasks have the same ids, but other content or other settings of the environment'
      : 'the tasks are in another order',
  ].join('; ')
}

/** The first few of a list, bounded in length, and how many more there are. */
export function shortList(names: readonly string[], most = 5): string {
  const shown = names.slice(0, most).map((name) => (name.length > 80 ? `${name.slice(0, 80)}…` : name))
  return `${shown.join(', ')}${names.length > most ? ` and ${String(names.length - most)} more` : ''}`
}
