import type { PackedTrajectory } from '../packed.js'
import { align, partingRow } from './align.js'
import type { Part } from './dom.js'
import { make } from './dom.js'
import type { ViewedEpisode } from './episode-head.js'
import { episodeHead } from './episode-head.js'
import type { EpisodeIndex } from './episode-index.js'
import { saidView, stepView } from './step-view.js'
import { beginsTrial, trialsAt, trialsBehind } from './trial-view.js'

/** An episode, beside its clean twin where it has one: aligned, with the first difference marked. */
export function viewEpisode(index: EpisodeIndex, clean: ViewedEpisode | undefined, episode: ViewedEpisode): Part {
  const sides = clean === undefined ? [episode] : [clean, episode]
  return [
    make(
      'div',
      { class: `sides ${clean === undefined ? 'single' : 'pair'}` },
      sides.map((side) => episodeHead(index, side)),
    ),
    ...(clean?.episode.said && episode.episode.said
      ? pair(clean.episode.said, episode.episode.said)
      : sides.map(({ episode: { said } }) => said && single(said))),
  ]
}

function pair(clean: PackedTrajectory, episode: PackedTrajectory): Part[] {
  const rows = align(clean.steps, episode.steps)
  const parts = partingRow(rows)
  const cell = (said: PackedTrajectory, place: number | undefined): HTMLElement =>
    place === undefined ? make('div', { class: 'step absent' }) : make('div', {}, stepOf(said, place))
  return [
    make(
      'p',
      { class: 'parting' },
      parts === -1 ? 'They never part: the environment heard and said the same in both.' : partingButton(),
    ),
    make(
      'ol',
      { class: 'steps' },
      openingRow([clean, episode]),
      rows.map(({ left, right }, at) =>
        make(
          'li',
          {
            class: `sides pair${at === parts ? ' parts' : ''}`,
            id: at === parts ? 'parting' : undefined,
            tabindex: at === parts ? -1 : undefined,
          },
          at === parts && make('p', { class: 'parting-mark' }, 'First difference'),
          cell(clean, left),
          cell(episode, right),
        ),
      ),
    ),
    make('div', { class: 'sides pair' }, ending(clean), ending(episode)),
  ]
}

/** What the environment said before the first step. */
function openingRow(sides: readonly PackedTrajectory[]): HTMLElement {
  return make(
    'li',
    { class: `sides ${sides.length > 1 ? 'pair' : 'single'}` },
    sides.map(({ opening }) =>
      make('div', { class: 'step' }, make('div'), make('div', {}, saidView(opening.observation, opening.original))),
    ),
  )
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
      openingRow([said]),
      said.steps.map((_, place) => make('li', { class: 'sides single' }, make('div', {}, stepOf(said, place)))),
    ),
    ending(said),
  ]
}

/** A step, below what stands between two trials. */
function stepOf(said: PackedTrajectory, place: number): Part {
  const previous = beginsTrial(said, place) ? undefined : said.steps[place - 1]
  return [trialsAt(said, place), stepView(said.steps[place]!, previous, place + 1)]
}

function ending(said: PackedTrajectory): HTMLElement {
  return make('div', {}, trialsBehind(said))
}
