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
  const common = first.panels.flatMap((panel) => {
    const other = second.panels.find(({ environment }) => environment === panel.environment)
    return other === undefined ? [] : [{ panel, other }]
  })
  if (common.length === 0) {
    const list = ({ panels }: Outcomes): string => panels.map(({ environment }) => environment).join(', ')
    throw new ShaketableError(
      'bad-input',
      `Expected an environment that both have, got ${list(first)} in ${first.source} and ${list(second)} in ${second.source}. Only results on the same tasks can be compared.`,
    )
  }
  const notes: string[] = []
  const cuts = new Map<string, Cut>()
  for (const { panel, other } of common) {
    if (panel.hash === other.hash) continue
    const cut = matchTasks(panel, other, first.source, second.source)
    cuts.set(panel.environment, cut)
    notes.push(...describeCut(panel, other, cut, first.source, second.source))
  }
  return { first: cutTo(first, cuts, 'first'), second: cutTo(second, cuts, 'second'), notes }
}

/** The tasks that both sides have, and their places on either. */
interface Cut {
  readonly tasks: Panel['tasks']
  readonly first: readonly number[]
  readonly second: readonly number[]
  /** Ids of tasks whose content differs. */
  readonly changed: readonly string[]
}

function matchTasks(first: Panel, second: Panel, firstSource: string, secondSource: string): Cut {
  const refuse = (what: string): ShaketableError =>
    new ShaketableError(
      'bad-input',
      `Expected ${first.environment} on the same tasks, but ${firstSource} and ${secondSource} differ: ${what}. Only results on the same tasks can be compared: play one of them again on the tasks of the other.`,
    )
  if (first.version !== second.version) throw refuse(`version ${first.version} there, ${second.version} here`)
  if (first.settings !== second.settings) throw refuse('other settings of the environment')
  const placeOf = new Map(second.tasks.map(({ id }, place) => [id, place]))
  const both = first.tasks.flatMap((task, place) => {
    const at = placeOf.get(task.id)
    return at === undefined ? [] : [{ task, place, at, isSame: task.hash === second.tasks[at]!.hash }]
  })
  const same = both.filter(({ isSame }) => isSame)
  const changed = both.filter(({ isSame }) => !isSame).map(({ task }) => task.id)
  if (same.length === 0) {
    const others = changed.length > 0 ? `, ${count(changed.length, 'task')} with the same id but other content` : ''
    throw refuse(`no task in common${others}`)
  }
  return {
    tasks: same.map(({ task }) => task),
    first: same.map(({ place }) => place),
    second: same.map(({ at }) => at),
    changed,
  }
}

function describeCut(first: Panel, second: Panel, cut: Cut, firstSource: string, secondSource: string): string[] {
  const leftOut = ({ tasks }: Panel, kept: readonly number[], source: string): string => {
    const known = new Set(kept)
    const ids = tasks.flatMap(({ id }, place) => (known.has(place) ? [] : [id]))
    return `${String(ids.length)} of ${source}${ids.length === 0 ? '' : ` (${shortList(ids)})`}`
  }
  const { environment } = first
  const { tasks, changed } = cut
  const notes =
    tasks.length === first.tasks.length && tasks.length === second.tasks.length
      ? []
      : [
          `${environment}: compared on the ${count(tasks.length, 'task')} that both have; left out are ${leftOut(first, cut.first, firstSource)} and ${leftOut(second, cut.second, secondSource)}.`,
        ]
  if (changed.length > 0)
    notes.push(
      `${environment}: ${count(changed.length, 'task')} left out for other content under the same id: ${shortList(changed)}.`,
    )
  return notes
}

function cutTo(outcomes: Outcomes, cuts: ReadonlyMap<string, Cut>, side: 'first' | 'second'): Outcomes {
  return {
    ...outcomes,
    panels: outcomes.panels.map((panel) => ({ ...panel, tasks: cuts.get(panel.environment)?.tasks ?? panel.tasks })),
    cells: outcomes.cells.map((cell) => {
      const tasks = cuts.get(cell.environment)?.[side]
      if (tasks === undefined) return cell
      return { ...cell, played: takeParts(cell.played, { ...placesOf(cell.played.shape), tasks }) }
    }),
  }
}

/** The first few of a list, bounded in length, and how many more there are. */
export function shortList(names: readonly string[], max = 5): string {
  const shown = names.slice(0, max).map((name) => (name.length > 80 ? `${name.slice(0, 80)}…` : name))
  return `${shown.join(', ')}${names.length > max ? ` and ${String(names.length - max)} more` : ''}`
}
