import { ShaketableError } from '../../core/errors.js'
import { placesOf, takeParts } from '../passes.js'
import { count } from '../../tables/words.js'
import type { Outcomes, Panel } from './outcomes.js'

/** Both sides of a comparison on the same tasks in the same order. */
interface Aligned {
  readonly first: Outcomes
  readonly second: Outcomes
  /** How many tasks were left out on which side, in sentences. */
  readonly notes: readonly string[]
}

/**
 * Cuts the panels of each environment to the tasks that both sides have, in the order of the first: those of the same
 * id and content. An environment that only one side has is left out.
 * @throws ShaketableError `bad-input` where there is no environment in common, and where an environment has another
 * version, other settings or no task in common.
 */
export function alignPanels(first: Outcomes, second: Outcomes): Aligned {
  const namesOf = ({ panels }: Outcomes): string[] => panels.map(({ environment }) => environment)
  if (!namesOf(first).some((name) => namesOf(second).includes(name))) {
    throw new ShaketableError(
      'bad-input',
      `Expected an environment that both have, got ${namesOf(first).join(', ')} in ${first.source} and ${namesOf(second).join(', ')} in ${second.source}. Only results on the same tasks can be compared.`,
    )
  }
  const notes: string[] = []
  let [one, other] = [first, second]
  for (const panel of first.panels) {
    const beside = second.panels.find(({ environment }) => environment === panel.environment)
    if (beside === undefined || panel.hash === beside.hash) continue
    const { same, changed } = matchTasks(panel, beside, first.source, second.source)
    one = cutTo(one, panel, same)
    other = cutTo(other, beside, same)
    notes.push(...describeCut([first, second], [panel, beside], same, changed))
  }
  return { first: one, second: other, notes }
}

type Tasks = Panel['tasks']

/** The tasks that both panels have, and those whose content differs. */
function matchTasks(first: Panel, second: Panel, firstSource: string, secondSource: string) {
  const refuse = (what: string): ShaketableError =>
    new ShaketableError(
      'bad-input',
      `Expected ${first.environment} on the same tasks, but ${firstSource} and ${secondSource} differ: ${what}. Only results on the same tasks can be compared: play one of them again on the tasks of the other.`,
    )
  if (first.version !== second.version) throw refuse(`version ${first.version} there, ${second.version} here`)
  if (first.settings !== second.settings) throw refuse('other settings of the environment')
  const hashes = new Map(second.tasks.map(({ id, hash }) => [id, hash]))
  const same = first.tasks.filter(({ id, hash }) => hashes.get(id) === hash)
  const changed = first.tasks.filter(({ id, hash }) => hashes.has(id) && hashes.get(id) !== hash)
  if (same.length > 0) return { same, changed }
  const others = changed.length > 0 ? `, ${count(changed.length, 'task')} with the same id but other content` : ''
  throw refuse(`no task in common${others}`)
}

function describeCut(sides: readonly Outcomes[], panels: readonly Panel[], same: Tasks, changed: Tasks): string[] {
  const { environment } = panels[0]!
  const kept = new Set(same.map(({ id }) => id))
  const [left, right] = panels.map(({ tasks }, side) => {
    const ids = tasks.map(({ id }) => id).filter((id) => !kept.has(id))
    return `${String(ids.length)} of ${sides[side]!.source}${ids.length === 0 ? '' : ` (${shortList(ids)})`}`
  })
  return [
    ...(panels.every(({ tasks }) => tasks.length === same.length)
      ? []
      : [
          `${environment}: compared on the ${count(same.length, 'task')} that both have; left out are ${left!} and ${right!}.`,
        ]),
    ...(changed.length === 0
      ? []
      : [
          `${environment}: ${count(changed.length, 'task')} left out for other content under the same id: ${shortList(changed.map(({ id }) => id))}.`,
        ]),
  ]
}

function cutTo(outcomes: Outcomes, { environment, tasks: all }: Panel, same: Tasks): Outcomes {
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

/** The first few of a list, bounded in length, and how many more there are. */
export function shortList(names: readonly string[], max = 5): string {
  const shown = names.slice(0, max).map((name) => (name.length > 80 ? `${name.slice(0, 80)}…` : name))
  return `${shown.join(', ')}${names.length > max ? ` and ${String(names.length - max)} more` : ''}`
}
