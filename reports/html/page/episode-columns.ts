import { unknownCount } from '../packed.js'
import type { Part } from './dom.js'
import { make, percent, untrusted } from './dom.js'
import { refusedSteps } from './episode-filter.js'
import type { Axis, EpisodeIndex } from './episode-index.js'
import { byName } from './report-table.js'

/** One column of the list of episodes. */
interface EpisodeColumn {
  readonly title: string
  readonly isFigure: boolean
  /** The value by which rows are sorted. */
  value(row: number): number
  cell(row: number): Part
}

/**
 * The columns in which this run's episodes differ, and those of their results.
 * @param addressOf the address of a row's episode
 */
export function episodeColumns(index: EpisodeIndex, addressOf: (row: number) => string): EpisodeColumn[] {
  const { packed, digits, tasks, changes } = index
  const environments = packed.environments.map(({ name }) => name)
  const named = (title: string, axis: Axis | 'environment', names: readonly string[]): EpisodeColumn => {
    const ranks = ranksOf(names)
    const value = (row: number): number => ranks[digits[axis][row]!]!
    return { title, isFigure: false, value, cell: (row) => untrusted(names[digits[axis][row]!]!) }
  }
  const figure = (
    title: string,
    value: (row: number) => number,
    text: (value: number) => string = String,
  ): EpisodeColumn => {
    return { title, isFigure: true, value, cell: (row) => text(value(row)) }
  }
  const countOrDash = (value: number): string => (value === unknownCount ? '–' : String(value))
  const ifSeveral = (values: readonly unknown[], column: EpisodeColumn): EpisodeColumn[] =>
    values.length > 1 ? [column] : []
  return [
    {
      ...named('Task', 'task', tasks),
      cell: (row) => {
        const { title, id } = taskNames(index, row)
        const link = make('a', { href: addressOf(row), class: 'open', tabindex: -1 }, untrusted(title))
        return [link, id !== undefined && make('div', { class: 'task-id' }, untrusted(id))]
      },
    },
    ...ifSeveral(environments, named('Environment', 'environment', environments)),
    ...ifSeveral(packed.models, named('Model', 'model', packed.models)),
    ...ifSeveral(packed.agents, named('Agent', 'agent', packed.agents)),
    ...ifSeveral(packed.columns, named('Column', 'column', packed.columns)),
    ...ifSeveral(
      packed.temperatures,
      figure('T', (row) => packed.temperatures[digits.temperature[row]!]!),
    ),
    ...ifSeveral(
      packed.seeds,
      figure('Seed', (row) => packed.seeds[digits.seed[row]!]!),
    ),
    {
      title: 'Outcome',
      isFigure: false,
      value: (row) => packed.outcome[row]!,
      cell: (row) => outcomeBadge(packed.outcomes[packed.outcome[row]!]!),
    },
    {
      title: 'Against twin',
      isFigure: false,
      value: (row) => ['lost', 'gained', 'none'].indexOf(changes[row]!),
      cell: (row) => changes[row] !== 'none' && make('span', { class: `change ${changes[row]!}` }, changes[row]!),
    },
    figure('Progress', (row) => packed.progress[row]!, percent),
    figure('Steps', (row) => packed.steps[row]!),
    figure('Refused', (row) => refusedSteps(index, row), countOrDash),
    figure('Memorised', (row) => packed.memorised[row]!, countOrDash),
  ]
}

/** A task by its goal with its id, or by its id alone where the goal is not known. */
export function taskNames({ tasks, goals, digits }: EpisodeIndex, row: number): { title: string; id?: string } {
  const task = digits.task[row]!
  return goals[task] === '' ? { title: tasks[task]! } : { title: goals[task]!, id: tasks[task]! }
}

/** An outcome in words, coloured by whether it is a success, a failure or an error. */
export function outcomeBadge(outcome: string): HTMLElement {
  const kind = outcome === 'success' ? 'success' : outcome.endsWith('-error') ? 'broken' : 'failure'
  return make('span', { class: `outcome ${kind}` }, outcome.replace('-', ' '))
}

/** The rank of each name in alphabetical order. */
function ranksOf(names: readonly string[]): number[] {
  const ranks: number[] = []
  names
    .map((name, index) => ({ name, index }))
    .sort((one, other) => byName.compare(one.name, other.name))
    .forEach(({ index }, rank) => (ranks[index] = rank))
  return ranks
}
