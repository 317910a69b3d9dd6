import type { EpisodeChunks } from './chunks.js'
import type { Part } from './dom.js'
import { byId, failure, fill, make, makeButton, number, titleOf, visibleParts } from './dom.js'
import { episodeColumns } from './episode-columns.js'
import type { ChoiceField, EpisodeFilter } from './episode-filter.js'
import { choicesOf, filterRows, noFilter, writeAddress } from './episode-filter.js'
import type { EpisodeIndex } from './episode-index.js'
import { keysButton } from './episode-keys.js'
import { createSearch } from './episode-search.js'
import type { FoundLine } from './episode-text.js'
import { addSortButtons, choice } from './report-table.js'
import { addRoving } from './roving.js'

/** The list of episodes on the page. */
export interface EpisodeTable {
  /** The number of rows listed now. */
  listed(): number
  /** A row's position in the list; undefined if it is not listed. */
  positionOf(row: number): number | undefined
  /** The row `by` positions after a row; undefined if there is none. */
  neighbour(row: number, by: number): number | undefined
  /** Applies another filter. */
  filter(filter: EpisodeFilter): void
  /** Scrolls to an episode and focuses it, if it is listed. */
  focus(row: number): void
  /** Focuses the episode `by` positions after the one that the Tab key reaches. */
  move(by: number): void
  /** Calls a function whenever the rows listed have changed. */
  whenListed(listener: () => void): void
  /** Focuses the search in the texts of episodes. */
  focusSearch(): void
  /** The address of the list with its current filter, or of a row's episode and one of its steps. */
  address(row?: number, step?: string): string
}

const pageRows = 100
/** Milliseconds from the last key in the search to its start. */
const searchAfter = 150

/** Creates the list of episodes in its section: searches, filters, and a sortable table of a hundred rows at a time. */
export function createEpisodeTable(index: EpisodeIndex, chunks: EpisodeChunks): EpisodeTable {
  const address = (row?: number, step?: string): string =>
    writeAddress(current, row === undefined ? undefined : index.keyOf(row), step)
  const columns = episodeColumns(index, (row) => address(row, stepOf(search.found(row))))
  let current = noFilter
  let rows: readonly number[] = []
  let first = 0
  /** The position of the row that the Tab key reaches. */
  let reached = 0
  let isSearching = false
  let listener = (): void => undefined

  const search = createSearch(index, chunks, () => {
    reportSearch()
    list(false)
  })
  const find = make('input', {
    type: 'search',
    class: 'find',
    placeholder: 'Search actions, observations, prompts',
    'aria-label': 'Search the text of episodes',
    'aria-describedby': 'find-help',
  })
  const names = make('input', {
    type: 'search',
    placeholder: 'Task, model, column or key',
    'aria-label': 'Filter episodes by text',
  })
  const selects = Object.entries(choicesOf(index))
    .filter(([, { length }]) => length > 1)
    .map(([field, choices]) => ({
      field: field as ChoiceField,
      select:
        field === 'refused' ? choice('Refused actions', choices, 'Refused or not') : choice(titleOf(field), choices),
    }))
  const shown = make('output', { class: 'shown' })
  const searched = make('span', { role: 'status' })
  const stop = makeButton('Stop', () => search.stop())
  const goOn = makeButton('Go on', () => list(true))
  const problem = make('div')
  const searching = make('div', { class: 'searching muted', hidden: true }, searched, ' ', stop, goOn, problem)
  const headers = columns.map(({ title, isFigure }) => make('th', { scope: 'col', class: isFigure && 'number' }, title))
  const body = make('tbody')
  const previous = makeButton('Previous', () => turnTo(first - pageRows))
  const next = makeButton('Next', () => turnTo(first + pageRows))
  const range = make('span', { class: 'number' })

  /** Lists the rows of the filter; without `isNew` because a search found more of them. */
  const list = (isNew: boolean): void => {
    const found = filterRows(index, current)
    if (isNew) isSearching = search.start(current.find, found)
    const selected = isSearching ? [...found].filter((row) => search.found(row) !== undefined) : [...found]
    const column = columns.find(({ title }) => sortName(title) === current.sort.replace('-', ''))
    if (column !== undefined) {
      const sign = current.sort.startsWith('-') ? -1 : 1
      selected.sort((one, other) => sign * (column.value(one) - column.value(other)) || one - other)
    }
    const [kept, hasFocus] = [rows[reached], body.contains(document.activeElement)]
    rows = selected
    const position = kept === undefined || !hasFocus ? -1 : rows.indexOf(kept)
    show(position === -1 ? pageRows * (Math.max(1, Math.trunc(Number(current.page)) || 1) - 1) : startOf(position))
    if (hasFocus) reach(Math.max(position, first))
    if (isNew) reportSearch()
    listener()
  }
  const show = (from: number): void => {
    first = from < rows.length ? from : 0
    reached = first
    const page = rows.slice(first, first + pageRows)
    fill(
      body,
      page.map((row) => [
        make(
          'tr',
          {},
          columns.map(({ title, isFigure, cell }) =>
            make('td', { class: isFigure && 'number', 'data-title': title }, cell(row)),
          ),
        ),
        isSearching && foundRow(search.found(row), columns.length),
      ]),
    )
    links()[0]?.setAttribute('tabindex', '0')
    fill(shown, `${number(rows.length)} of ${number(index.count)} episodes`)
    fill(range, rows.length === 0 ? 'none' : `${number(first + 1)} to ${number(first + page.length)}`)
    previous.disabled = first === 0
    next.disabled = first + pageRows >= rows.length
  }
  const links = (): HTMLAnchorElement[] => [...body.querySelectorAll<HTMLAnchorElement>('a.open')]
  const reportSearch = (): void => {
    const { searched: done, untold, of, isRunning, failure: failed } = search.progress()
    const count = `${number(done)} of ${number(of)} episodes`
    const isStopped = !isRunning && done < of && failed === undefined
    searching.hidden = !isSearching
    stop.hidden = !isRunning
    goOn.hidden = !isStopped
    fill(
      searched,
      isRunning ? `Searching … ${count}` : isStopped ? `Stopped: searched ${count}` : `Searched ${count}`,
      untold > 0 && `, ${number(untold)} of them without a trajectory`,
    )
    fill(problem, failed !== undefined && failure(failed))
  }
  const apply = (filter: EpisodeFilter): void => {
    current = filter
    names.value = filter.text
    find.value = filter.find
    for (const { field, select } of selects) select.value = filter[field]
    markOrder(
      columns.findIndex(({ title }) => sortName(title) === filter.sort.replace('-', '')),
      filter.sort.startsWith('-'),
    )
    list(true)
  }
  const change = (fields: Partial<EpisodeFilter>): void => {
    current = { ...current, page: '', ...fields }
    history.replaceState(null, '', address())
    list(true)
  }
  const turnTo = (from: number): void => {
    current = { ...current, page: from === 0 ? '' : String(from / pageRows + 1) }
    history.replaceState(null, '', address())
    show(from)
  }
  const reach = (position: number): void => {
    if (position < 0 || position >= rows.length) return
    if (startOf(position) !== first) turnTo(startOf(position))
    const all = links()
    all[reached - first]?.setAttribute('tabindex', '-1')
    reached = position
    all[reached - first]?.setAttribute('tabindex', '0')
    all[reached - first]?.focus()
  }

  names.addEventListener('input', () => change({ text: names.value }))
  let timer: ReturnType<typeof setTimeout> | undefined
  find.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => change({ find: find.value }), searchAfter)
  })
  for (const { field, select } of selects) select.addEventListener('input', () => change({ [field]: select.value }))
  const markOrder = addSortButtons(headers, ({ column, descending }) =>
    change({ sort: `${descending ? '-' : ''}${sortName(columns[column]!.title)}` }),
  )
  body.addEventListener('focusin', ({ target }) => {
    const at = links().indexOf(target as HTMLAnchorElement)
    if (at !== -1 && first + at !== reached) reach(first + at)
  })
  body.addEventListener('keydown', (event) => {
    const to = { ArrowDown: reached + 1, ArrowUp: reached - 1, Home: 0, End: rows.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    reach(to)
  })
  for (const field of [names, find]) {
    field.addEventListener('keydown', ({ key }) => {
      if (key === 'ArrowDown') reach(first)
    })
  }
  const head = make('tr', {}, headers)
  addRoving(head)
  fill(
    byId('episode-list'),
    make(
      'div',
      { class: 'filters' },
      find,
      names,
      make(
        'div',
        { class: 'choices' },
        selects.map(({ select }) => select),
      ),
      shown,
    ),
    make(
      'p',
      { id: 'find-help', class: 'muted find-help' },
      'The search finds lines that have the text, in any case. To search one kind of text, begin with refused:, action:, observation:, reply:, prompt: or error:, as in “refused: open”. ',
      keysButton(),
    ),
    searching,
    make('div', { class: 'scroll' }, make('table', { class: 'grid' }, make('thead', {}, head), body)),
    make('div', { class: 'pager' }, previous, range, next),
  )
  const positionOf = (row: number): number | undefined => {
    const position = rows.indexOf(row)
    return position === -1 ? undefined : position
  }
  list(true)
  return {
    listed: () => rows.length,
    positionOf,
    neighbour(row, by) {
      const position = positionOf(row)
      return position === undefined ? undefined : rows[position + by]
    },
    filter: apply,
    address,
    focus(row) {
      const position = positionOf(row)
      if (position !== undefined) reach(position)
    },
    move(by) {
      reach(body.contains(document.activeElement) ? reached + by : reached)
    },
    whenListed: (given) => (listener = given),
    focusSearch: () => find.focus(),
  }
}

/** The position of the first row on the page of a position. */
function startOf(position: number): number {
  return position - (position % pageRows)
}

/** The title of a column as an address names it. */
function sortName(title: string): string {
  return title.toLowerCase().replaceAll(' ', '-')
}

function stepOf(found: FoundLine | undefined): string {
  return found?.step === undefined ? '' : String(found.step)
}

/** Below an episode that a search found: the line, with the text that was searched for marked. */
function foundRow(found: FoundLine | undefined, columns: number): Part {
  if (found === undefined) return undefined
  const { label, step, line, from, to } = found
  const where = step === undefined ? label : step === 0 ? `start, ${label}` : `step ${String(step)}, ${label}`
  return make(
    'tr',
    { class: 'found' },
    make(
      'td',
      { colspan: columns },
      make('span', { class: 'label' }, where),
      ' ',
      make(
        'bdi',
        { class: 'text' },
        visibleParts(line.slice(0, from)),
        make('mark', {}, visibleParts(line.slice(from, to))),
        visibleParts(line.slice(to)),
      ),
    ),
  )
}
