import type { ComponentChildren, VNode } from 'preact'
import { grouped } from '../../../src/tables/words.js'
import { untrusted, visible, visibleText } from '../visible.js'
import type { Episode } from './episodes.js'
import type { EpisodeFilter } from './filter.js'
import { choiceFields, choicesOf } from './filter.js'
import { Failure, outcomeBadge, percent } from './parts.js'
import type { FoundLine } from './search.js'

/** How far a search is. */
export interface SearchProgress {
  readonly of: number
  readonly searched: number
  readonly isRunning: boolean
  /** The first line that was found in the episode of each place. */
  readonly found: ReadonlyMap<number, FoundLine>
  /** Why the rest could not be searched. */
  readonly thrown?: unknown
}

interface ListProps {
  readonly all: readonly Episode[]
  readonly filter: EpisodeFilter
  /** Those that the filter and the search select, in order. */
  readonly listed: readonly Episode[]
  readonly search: SearchProgress | undefined
  readonly address: (episode?: Episode, step?: string) => string
  readonly change: (fields: Partial<EpisodeFilter>) => void
}

const pageLength = 100

/** The list of episodes: searches, filters, and a table of a hundred episodes at a time. */
export function EpisodeList({ all, filter, listed, search, address, change }: ListProps): VNode {
  const columns = columnsOf(all, (episode) => address(episode, search?.found.get(episode.place)?.step?.toString()))
  const wanted = pageLength * ((Math.trunc(Number(filter.page)) || 1) - 1)
  const first = wanted > 0 && wanted < listed.length ? wanted : 0
  const shown = listed.slice(first, first + pageLength)
  const range = shown.length === 0 ? 'none' : `${grouped(first + 1)} to ${grouped(first + shown.length)}`
  const field = (name: 'find' | 'text', placeholder: string, label: string): VNode => {
    const attributes = { class: name, type: 'search', value: filter[name], placeholder, 'aria-label': label }
    return <input {...attributes} onInput={({ currentTarget: { value } }) => change({ [name]: value })} />
  }
  const turn = (name: string, to: number): VNode => {
    const show = (): void => change({ page: to === 0 ? '' : String(to / pageLength + 1) })
    return (
      <button type="button" onClick={show} disabled={to < 0 || to >= listed.length}>
        {name}
      </button>
    )
  }
  return (
    <>
      <div class="filters">
        {field('find', 'Search actions, observations, prompts', 'Search the text of episodes')}
        {field('text', 'Task, model, condition or key', 'Filter episodes by text')}
        {choices(all, filter, change)}
        <output class="shown">{`${grouped(listed.length)} of ${grouped(all.length)} episodes`}</output>
      </div>
      {search && (
        <div class="searching muted" role="status">
          {search.isRunning ? 'Searching …' : 'Searched'} {grouped(search.searched)} of {grouped(search.of)} episodes
          {search.thrown !== undefined && <Failure thrown={search.thrown} />}
        </div>
      )}
      <div class="scroll">
        <table class="grid">
          <thead>
            <tr>
              {columns.map(({ title, isFigure }) => (
                <th scope="col" class={isFigure ? 'number' : undefined}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((episode) => {
              const line = search?.found.get(episode.place)
              const cells = columns.map(({ isFigure, cell }) => (
                <td class={isFigure ? 'number' : undefined}>{cell(episode)}</td>
              ))
              return [<tr>{cells}</tr>, line && foundRow(line, columns.length)]
            })}
          </tbody>
        </table>
      </div>
      <div class="pager">
        {turn('Previous', first - pageLength)}
        <span class="number">{range}</span>
        {turn('Next', first + pageLength)}
      </div>
    </>
  )
}

/** A drop-down list for each field that has several choices. */
function choices(all: readonly Episode[], filter: EpisodeFilter, change: ListProps['change']): VNode[] {
  return choiceFields.flatMap((field) => {
    const names = choicesOf(all, field)
    if (names.length < 2 && field !== 'change') return []
    const label = `${field.charAt(0).toUpperCase()}${field.slice(1)}`
    const choose = ({ currentTarget: { value } }: { readonly currentTarget: HTMLSelectElement }): void =>
      change({ [field]: value })
    return (
      <select aria-label={label} value={filter[field]} onInput={choose}>
        <option value="">{`Every ${field}`}</option>
        {names.map((name) => (
          <option value={name}>{visibleText(name)}</option>
        ))}
      </select>
    )
  })
}

/** Below an episode that a search found: the line, with the text that was searched for marked. */
function foundRow({ label, step, line, from, to }: FoundLine, columns: number): VNode {
  const where = step === undefined ? label : step === 0 ? `start, ${label}` : `step ${String(step)}, ${label}`
  const parts = [visible(line.slice(0, from)), <mark>{visible(line.slice(from, to))}</mark>, visible(line.slice(to))]
  return (
    <tr class="found">
      <td colSpan={columns}>{[<span class="label">{where}</span>, ' ', <bdi class="text">{parts}</bdi>]}</td>
    </tr>
  )
}

/** One column of the list. */
interface EpisodeColumn {
  readonly title: string
  readonly isFigure: boolean
  cell(episode: Episode): ComponentChildren
}

/** The columns in which these episodes differ, and those of their results. */
function columnsOf(all: readonly Episode[], addressOf: (episode: Episode) => string): EpisodeColumn[] {
  const named = (['environment', 'model', 'agent', 'condition', 'temperature', 'seed'] as const)
    .filter((field) => choicesOf(all, field).length > 1)
    .map((field) => ({
      ...{ title: `${field.charAt(0).toUpperCase()}${field.slice(1)}`, isFigure: false },
      cell: (episode: Episode) =>
        field === 'condition' ? (
          <span title={visibleText(episode.rule)}>{untrusted(episode.condition)}</span>
        ) : (
          untrusted(String(episode[field]))
        ),
    }))
  const figure = (
    title: string,
    field: 'progress' | 'steps' | 'refused' | 'memorised',
    text: (value: number) => string = String,
  ) => ({
    ...{ title, isFigure: true },
    cell: ({ [field]: value }: Episode) => (value === undefined ? '–' : text(value)),
  })
  return [
    { title: 'Task', isFigure: false, cell: (episode) => taskCell(episode, addressOf(episode)) },
    ...named,
    { title: 'Outcome', isFigure: false, cell: ({ outcome }) => outcomeBadge(outcome) },
    {
      ...{ title: 'Against twin', isFigure: false },
      cell: ({ change }) => <span class={`change ${change}`}>{change}</span>,
    },
    figure('Progress', 'progress', percent),
    figure('Steps', 'steps'),
    figure('Refused', 'refused'),
    figure('Memorised', 'memorised'),
  ]
}

/** A task by its goal with its id, or by its id alone where the goal is not known. */
function taskCell({ place, goal, task }: Episode, address: string): VNode {
  return (
    <>
      <a href={address} class="open" data-place={place}>
        {untrusted(goal === '' ? task : goal)}
      </a>
      {goal !== '' && <div class="task-id">{untrusted(task)}</div>}
    </>
  )
}
