import { untold } from '../packed.js'
import type { Part } from './dom.js'
import { make } from './dom.js'
import type { Axis, EpisodeIndex } from './episode-index.js'
import { byName } from './sort-headers.js'
import { untrusted } from './untrusted.js'

/** One column of the list of episodes. */
export interface EpisodeColumn {
  readonly title: string
  readonly isFigure: boolean
  /** What rows are sorted by. */
  value(row: number): number
  cell(row: number): Part
}

/** The columns that tell this run's episodes apart, and what came of them. */
export function episodeColumns(index: EpisodeIndex): EpisodeColumn[] {
  const { packed, digits, changes } = index
  const named = (title: string, axis: Axis | 'environment', names: readonly string[]): EpisodeColumn[] => {
    const ranks = ranksOf(names)
    if (names.length < 2) return []
    return [
      {
        title,
        isFigure: false,
        value: (row) => ranks[digits[axis][row]!]!,
        cell: (row) => untrusted(names[digits[axis][row]!]!),
      },
    ]
  }
  const numbered = (title: string, axis: Axis, numbers: readonly number[]): EpisodeColumn[] => {
    if (numbers.length < 2) return []
    const value = (row: number): number => numbers[digits[axis][row]!]!
    return [{ title, isFigure: true, value, cell: (row) => String(value(row)) }]
  }
  const figure = (
    title: string,
    value: (row: number) => number,
    cell = (row: number): Part => value(row),
  ): EpisodeColumn => ({
    title,
    isFigure: true,
    value,
    cell,
  })
  const refused = (row: number): number =>
    packed.understood[row] === untold ? untold : packed.steps[row]! - packed.understood[row]!
  const told = (title: string, value: (row: number) => number): EpisodeColumn =>
    figure(title, value, (row) => (value(row) === untold ? '–' : value(row)))
  return [
    taskColumn(index),
    ...named(
      'Environment',
      'environment',
      packed.environments.map(({ name }) => name),
    ),
    ...named('Model', 'model', packed.models),
    ...named('Agent', 'agent', packed.agents),
    ...named('Column', 'column', packed.columns),
    ...numbered('T', 'temperature', packed.temperatures),
    ...numbered('Seed', 'seed', packed.seeds),
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
    figure(
      'Progress',
      (row) => packed.progress[row]!,
      (row) => `${String(Math.round(100 * packed.progress[row]!))} %`,
    ),
    figure('Steps', (row) => packed.steps[row]!),
    told('Refused', refused),
    told('Memorised', (row) => packed.memorised[row]!),
  ]
}

/** An outcome in words, with a colour that says no more than they do. */
export function outcomeBadge(outcome: string): HTMLElement {
  const kind = outcome === 'success' ? 'success' : outcome.endsWith('-error') ? 'broken' : 'failure'
  return make('span', { class: `outcome ${kind}` }, outcome.replace('-', ' '))
}

function taskColumn(index: EpisodeIndex): EpisodeColumn {
  const { digits, tasks } = index
  const ranks = ranksOf(tasks)
  return {
    title: 'Task',
    isFigure: false,
    value: (row) => ranks[digits.task[row]!]!,
    cell: (row) => make('a', { href: `#${index.keyOf(row)}`, class: 'open' }, untrusted(tasks[digits.task[row]!]!)),
  }
}

/** The place of each name in the alphabet. */
function ranksOf(names: readonly string[]): number[] {
  const ranks: number[] = []
  names
    .map((name, index) => ({ name, index }))
    .sort((one, other) => byName.compare(one.name, other.name))
    .forEach(({ index }, rank) => (ranks[index] = rank))
  return ranks
}
