import type { ComponentChildren, VNode } from 'preact'
import { grouped } from '../../../src/tables/words.js'
import { untrusted, visible, visibleText } from '../visible.js'
import type { Episode } from './episodes.js'
import { type EpisodeFilter, choiceFields, choicesOf } from './filter.js'
import { Failure, outcomeBadge, percent } from './parts.js'
import type { FoundLine } from './search.js'

/** How far a search is. */
export interface SearchProgress {
  readonly of: number
  searched: number
  isRunning: boolean
  /** The first line that was found in the episode of each place. */
  readonly found: Map<number, FoundLine>
  /** Why the rest could not be searched. */
  thrown?: unknown
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
              {columns.map(([title, , isFigure]) => (
                <th scope="col" class={isFigure ? 'number' : undefined}>
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map((episode) => {
              const line = search?.found.get(episode.place)
              const cells = columns.map(([, cell, isFigure]) => (
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
    const choose = ({ currentTarget: { value } }: { readonly currentTarget: HTMLSelectElement }): void =>
      change({ [field]: value })
    return (
      <select aria-label={titleOf(field)} value={filter[field]} onInput={choose}>
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

/** One column of the list; figures are aligned right. */
type EpisodeColumn = readonly [title: string, cell: (episode: Episode) => ComponentChildren, isFigure?: true]

/** The columns in which these episodes differ, and those of their results. */
function columnsOf(all: readonly Episode[], addressOf: (episode: Episode) => string): EpisodeColumn[] {
  const named = (['environment', 'model', 'agent', 'condition', 'temperature', 'seed'] as const)
    .filter((field) => choicesOf(all, field).length > 1)
    .map((field): EpisodeColumn => [
      titleOf(field),
      ({ [field]: name, rule }) => {
        const text = untrusted(String(name))
        return field === 'condition' ? <span title={visibleText(rule)}>{text}</span> : text
      },
    ])
  return [
    ['Task', (episode) => taskCell(episode, addressOf(episode))],
    ...named,
    ['Outcome', ({ outcome }) => outcomeBadge(outcome)],
    ['Against twin', ({ change }) => <span class={`change ${change}`}>{change}</span>],
    ['Progress', ({ progress }) => percent(progress), true],
    ['Steps', ({ steps }) => steps, true],
    ['Refused', ({ refused = '–' }) => refused, true],
    ['Memorised', ({ memorised = '–' }) => memorised, true],
  ]
}

const titleOf = (field: string): string => `${field.charAt(0).toUpperCase()}${field.slice(1)}`

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
