import { ShaketableError } from '../../core/errors.js'
import { placesOf, takeParts } from '../passes.js'
import { count, listFirst } from '../../tables/words.js'
import type { Outcomes, Panel } from './outcomes.js'

/**
 * Cuts the panels of each environment to the tasks that both sides have, in the order of the first: those of the same
 * id and content. An environment that only one side has is left out.
 * @throws ShaketableError `bad-input` where there is no environment in common, and where an environment has another
 * version, other settings or no task in common.
 * @returns both sides, and how many tasks were left out on which, in sentences
 */
export function alignPanels(first: Outcomes, second: Outcomes) {
  const beside = (panel: Panel): Panel | undefined =>
    second.panels.find(({ environment }) => environment === panel.environment)
  if (!first.panels.some(beside)) {
    const [left, right] = [first, second].map(
      ({ panels, source }) => `${panels.map(({ environment }) => environment).join(', ')} in ${source}`,
    )
    throw new ShaketableError(
      'bad-input',
      `Expected an environment that both have, got ${left!} and ${right!}. Only results on the same tasks can be compared.`,
    )
  }
  const notes: string[] = []
  let [one, other] = [first, second]
  for (const panel of first.panels) {
    const otherPanel = beside(panel)
    if (otherPanel === undefined || panel.hash === otherPanel.hash) continue
    const same = matchTasks(panel, otherPanel, first.source, second.source)
    const kept = new Set(same.map(({ id }) => id))
    const leftOut = ({ source }: Outcomes, { tasks }: Panel): string => {
      const ids = tasks.map(({ id }) => id).filter((id) => !kept.has(id))
      return `${String(ids.length)} of ${source}${ids.length === 0 ? '' : ` (${listFirst(ids)})`}`
    }
    const [left, right] = [leftOut(first, panel), leftOut(second, otherPanel)]
    if (same.length < Math.max(panel.tasks.length, otherPanel.tasks.length))
      notes.push(
        `${panel.environment}: compared on the ${count(same.length, 'task')} that both have; left out are ${left} and ${right}.`,
      )
    one = cutTo(one, panel, same)
    other = cutTo(other, otherPanel, same)
  }
  return { first: one, second: other, notes }
}

/** The tasks that both panels have. */
function matchTasks(first: Panel, second: Panel, firstSource: string, secondSource: string): Panel['tasks'] {
  const hashes = new Map(second.tasks.map(({ id, hash }) => [id, hash]))
  const same = first.tasks.filter(({ id, hash }) => hashes.get(id) === hash)
  const changed = first.tasks.filter(({ id }) => hashes.has(id)).length - same.length
  const others = changed > 0 ? `, ${count(changed, 'task')} with the same id but other content` : ''
  const difference =
    first.version !== second.version
      ? `version ${first.version} there, ${second.version} here`
      : first.settings !== second.settings
        ? 'other settings of the environment'
        : same.length === 0 && `no task in common${others}`
  if (difference === false) return same
  throw new ShaketableError(
    'bad-input',
    `Expected ${first.environment} on the same tasks, but ${firstSource} and ${secondSource} differ: ${difference}. Only results on the same tasks can be compared: play one of them again on the tasks of the other.`,
  )
}

function cutTo(outcomes: Outcomes, { environment, tasks: all }: Panel, same: Panel['tasks']): Outcomes {
  const places = new Map(all.map(({ id }, place) => [id, place]))
  const tasks = same.map(({ id }) => places.get(id)!)
  return {
    ...outcomes,
    panels: outcomes.panels.map((panel) => (panel.environment === environment ? { ...panel, tasks: same } : panel)),
    cells: outcomes.cells.map((cell) =>
      cell.environment === environment
        ? { ...cell, played: takeParts(cell.played, { ...placesOf(cell.played.shape), tasks }) }
        : cell,
    ),
  }
}
