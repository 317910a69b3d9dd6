import type { PackedTrajectory } from '../packed.js'
import { align, partingRow } from './align.js'
import type { OpenedEpisode } from './chunks.js'
import type { Part } from './dom.js'
import { make } from './dom.js'
import { outcomeBadge } from './episode-columns.js'
import type { EpisodeIndex } from './episode-index.js'
import { number } from './episode-table.js'
import { folded, longText } from './long-text.js'
import { attemptText, percent, stepView } from './step-view.js'
import { untrusted } from './untrusted.js'

/** An episode of the list with all that is stored of it. */
export interface ViewedEpisode extends OpenedEpisode {
  readonly row: number
}

/** An episode, beside its clean twin where it has one: aligned, with the first difference marked. */
export function viewEpisode(index: EpisodeIndex, clean: ViewedEpisode | undefined, episode: ViewedEpisode): Part {
  const sides = clean === undefined ? [episode] : [clean, episode]
  return [
    make(
      'div',
      { class: `sides ${clean === undefined ? 'single' : 'pair'}` },
      sides.map((side) => sideHead(index, side)),
    ),
    ...(clean?.episode.said && episode.episode.said
      ? pair(clean.episode.said, episode.episode.said)
      : sides.map(({ episode: { said } }) => said && single(said))),
  ]
}

function sideHead(index: EpisodeIndex, { row, episode, messages }: ViewedEpisode): HTMLElement {
  const { packed, digits } = index
  const label = packed.columns[digits.column[row]!]!
  const { calls, changed, error, said } = episode
  const isClean = digits.column[row] === packed.clean
  const facts = [
    `progress ${percent(packed.progress[row]!)}`,
    counted(packed.steps[row]!, 'step'),
    `${number(packed.understood[row]!)} understood`,
    ...(packed.formatErrors[row]! > 0 ? [counted(packed.formatErrors[row]!, 'format error')] : []),
    ...(packed.memorised[row]! > 0 ? [`${number(packed.memorised[row]!)} in memorised wording`] : []),
    ...(calls.promptTokens + calls.completionTokens > 0
      ? [`${number(calls.promptTokens)} tokens in, ${number(calls.completionTokens)} out`]
      : []),
  ]
  return make(
    'section',
    { class: 'side' },
    make('p', { class: 'label' }, isClean ? 'clean' : 'perturbed'),
    make('h3', {}, untrusted(label), ' ', outcomeBadge(packed.outcomes[packed.outcome[row]!]!)),
    make('p', { class: 'facts' }, facts.join(' · ')),
    changed &&
      make(
        'p',
        { class: 'facts' },
        `reworded: ${counted(changed.forms, 'action form')}, ${counted(changed.commandsSaid, 'command')} said, ${number(changed.commandsSeen)} seen, ${counted(changed.names, 'name')}`,
      ),
    error !== undefined && make('div', { class: 'error' }, longText(error)),
    make('p', { class: 'facts key' }, episode.key),
    said === undefined
      ? make('p', { class: 'muted' }, 'What was said in this episode is not in the run.')
      : [
          folded(
            `Prompt, ${counted(said.prompt.length, 'message')}`,
            said.prompt.map((place) => {
              const { role, content } = messages[place]!
              return make('div', {}, make('span', { class: 'label' }, role), longText(content))
            }),
          ),
          make('div', { class: 'opening' }, longText(said.opening.observation)),
          said.opening.original !== undefined &&
            make(
              'div',
              { class: 'underneath' },
              make('span', { class: 'label' }, 'environment said'),
              longText(said.opening.original),
            ),
        ],
  )
}

function pair(clean: PackedTrajectory, episode: PackedTrajectory): Part[] {
  const rows = align(clean.steps, episode.steps)
  const parts = partingRow(rows)
  const cell = ({ steps }: PackedTrajectory, place: number | undefined): HTMLElement =>
    place === undefined ? make('div', { class: 'step absent' }) : stepView(steps[place]!, steps[place - 1], place + 1)
  return [
    make(
      'p',
      { class: 'parting' },
      parts === -1 ? 'They never part: the environment heard and said the same in both.' : partingButton(),
    ),
    make(
      'ol',
      { class: 'steps' },
      rows.map(({ left, right, same }, at) =>
        make(
          'li',
          {
            class: `sides pair${same ? '' : ' differs'}${at === parts ? ' parts' : ''}`,
            id: at === parts ? 'parting' : undefined,
            tabindex: at === parts ? -1 : undefined,
          },
          at === parts && make('p', { class: 'parting-mark' }, 'First difference'),
          cell(clean, left),
          cell(episode, right),
        ),
      ),
    ),
    make('div', { class: 'sides pair' }, failedCall(clean), failedCall(episode)),
  ]
}

function partingButton(): HTMLElement {
  const button = make('button', { type: 'button' }, 'Go to the first difference')
  button.addEventListener('click', toFirstDifference)
  return button
}

/** Moves to where the two episodes part. */
export function toFirstDifference(): void {
  const parting = document.getElementById('parting')
  parting?.scrollIntoView({ block: 'center' })
  parting?.focus({ preventScroll: true })
}

function single(said: PackedTrajectory): Part[] {
  return [
    make(
      'ol',
      { class: 'steps' },
      said.steps.map((step, place) =>
        make('li', { class: 'sides single' }, stepView(step, said.steps[place - 1], place + 1)),
      ),
    ),
    failedCall(said),
  ]
}

function failedCall({ failedCall: attempts = [] }: PackedTrajectory): HTMLElement {
  return make('div', {}, attempts.length > 0 && `No reply: ${attempts.map(attemptText).join('; ')}`)
}

function counted(count: number, noun: string): string {
  return `${number(count)} ${noun}${count === 1 ? '' : 's'}`
}
