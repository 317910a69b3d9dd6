import { count } from '../tables/words.js'
import { ShaketableError } from '../core/errors.js'
import { placesOf, takeParts } from '../results/passes.js'
import type { OutcomeCell, Outcomes, Panel } from './outcomes.js'

/** Both sides of a comparison on the same tasks in the same order. */
interface Aligned {
  readonly first: Outcomes
  readonly second: Outcomes
  /** How many tasks were left out on which side, in sentences. */
  readonly notes: readonly string[]
}

/**
 * Cuts the panels of each environment to the tasks that both sides have, in the order of the first: those of the same
 * id and, where both sides know it, the same content. An environment that only one side has is left out.
 * @throws ShaketableError `bad-input` where there is no environment in common, and where an environment has another
 * version, other settings or no task in common.
 */
export function alignPanels(first: Outcomes, second: Outcomes): Aligned {
  const others = new Map(second.panels.map((panel) => [panel.environment, panel]))
  const common = first.panels.filter(({ environment }) => others.has(environment))
  if (common.length === 0) {
    const list = ({ panels }: Outcomes): string => panels.map(({ environment }) => environment).join(', ')
    throw new ShaketableError(
      'bad-input',
      `Expected an environment that both have, got ${list(first)} in ${first.source} and ${list(second)} in ${second.source}. Only results on the same tasks can be compared.`,
    )
  }
  const notes: string[] = []
  const [before, after] = [new Map<string, Cut>(), new Map<string, Cut>()]
  for (const panel of common) {
    const other = others.get(panel.environment)!
    const places = panel.hash === other.hash ? undefined : matchTasks(panel, other, first.source, second.source)
    if (places !== undefined) notes.push(...describeCut(panel, other, places, first.source, second.source))
    const tasks = places === undefined ? panel.tasks : places.first.map((place) => panel.tasks[place]!)
    before.set(panel.environment, { panel: { ...panel, tasks }, ...(places && { places: places.first }) })
    after.set(panel.environment, { panel: { ...panel, tasks }, ...(places && { places: places.second }) })
  }
  return { first: cutTo(first, before), second: cutTo(second, after), notes }
}

/**
 * A panel as both sides have it, and the places of its tasks on one side; absent where that is all of them in order.
 */
interface Cut {
  readonly panel: Panel
  readonly places?: readonly number[]
}

interface Places {
  readonly first: readonly number[]
  readonly second: readonly number[]
  /** Ids of tasks whose content differs. */
  readonly changed: readonly string[]
  /** A side does not know the content of its tasks. */
  readonly byIdOnly: boolean
}

function matchTasks(first: Panel, second: Panel, firstSource: string, secondSource: string): Places {
  const refuse = (what: string): ShaketableError =>
    new ShaketableError(
      'bad-input',
      `Expected ${first.environment} on the same tasks, but ${firstSource} and ${secondSource} differ: ${what}. Only results on the same tasks can be compared: play one of them again on the tasks of the other.`,
    )
  if (first.version !== second.version) throw refuse(`version ${first.version} there, ${second.version} here`)
  if (first.settings !== undefined && second.settings !== undefined && first.settings !== second.settings)
    throw refuse('other settings of the environment')
  const placeOf = new Map(second.tasks.map(({ id }, place) => [id, place]))
  const both = first.tasks.flatMap(({ id, hash }, place) => {
    const at = placeOf.get(id)
    if (at === undefined) return []
    const other = second.tasks[at]!.hash
    return { id, place, at, isKnown: hash !== undefined && other !== undefined, isChanged: hash !== other }
  })
  const isChanged = (one: (typeof both)[number]): boolean => one.isKnown && one.isChanged
  const same = both.filter((one) => !isChanged(one))
  const byIdOnly = same.some(({ isKnown }) => !isKnown)
  const changed = both.filter(isChanged).map(({ id }) => id)
  const isWhole = same.length === first.tasks.length && same.length === second.tasks.length
  // The hash of a panel is over its tasks in order: where all ids are the same and in order, something else differs.
  if (byIdOnly && isWhole && same.every(({ place, at }) => place === at))
    throw refuse('the tasks have the same ids, but other content or other settings of the environment')
  if (same.length === 0)
    throw refuse(
      `no task in common${changed.length > 0 ? `, ${count(changed.length, 'task')} with the same id but other content` : ''}`,
    )
  return { first: same.map(({ place }) => place), second: same.map(({ at }) => at), changed, byIdOnly }
}

function describeCut(first: Panel, second: Panel, places: Places, firstSource: string, secondSource: string): string[] {
  const leftOut = ({ tasks }: Panel, kept: readonly number[], source: string): string => {
    const known = new Set(kept)
    const ids = tasks.flatMap(({ id }, place) => (known.has(place) ? [] : [id]))
    return `${String(ids.length)} of ${source}${ids.length === 0 ? '' : ` (${shortList(ids)})`}`
  }
  const isWhole = places.first.length === first.tasks.length && places.first.length === second.tasks.length
  const { environment } = first
  return [
    ...(isWhole
      ? []
      : [
          `${environment}: compared on the ${count(places.first.length, 'task')} that both have; left out are ${leftOut(first, places.first, firstSource)} and ${leftOut(second, places.second, secondSource)}.`,
        ]),
    ...(places.changed.length === 0
      ? []
      : [
          `${environment}: ${count(places.changed.length, 'task')} left out for other content under the same id: ${shortList(places.changed)}.`,
        ]),
    ...(places.byIdOnly
      ? [
          `${environment}: tasks are matched by id alone, since ${firstSource} or ${secondSource} does not say what they contain.`,
        ]
      : []),
  ]
}

function cutTo(outcomes: Outcomes, cuts: ReadonlyMap<string, Cut>): Outcomes {
  const cutCell = (cell: OutcomeCell): OutcomeCell => {
    const tasks = cuts.get(cell.environment)?.places
    return tasks === undefined
      ? cell
      : { ...cell, played: takeParts(cell.played, { ...placesOf(cell.played.shape), tasks }) }
  }
  const panels = outcomes.panels.map((panel) => cuts.get(panel.environment)?.panel ?? panel)
  return { ...outcomes, panels, cells: outcomes.cells.map(cutCell) }
}

/** The first few of a list, bounded in length, and how many more there are. */
export function shortList(names: readonly string[], max = 5): string {
  const shown = names.slice(0, max).map((name) => (name.length > 80 ? `${name.slice(0, 80)}…` : name))
  return `${shown.join(', ')}${names.length > max ? ` and ${String(names.length - max)} more` : ''}`
}
