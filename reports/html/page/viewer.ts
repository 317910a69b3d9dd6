import type { PackedTrajectory } from '../packed.js'
import { unknownCount } from '../packed.js'
import { align, firstDifference } from './align.js'
import type { OpenedEpisode } from './chunks.js'
import type { Part } from './dom.js'
import { folded, longText, make, makeButton, number, percent, untrusted } from './dom.js'
import { outcomeBadge } from './episode-columns.js'
import type { EpisodeIndex } from './episode-index.js'
import { endView, observationView, stepView } from './step-view.js'

/** An episode beside its clean twin, if it has one, with their steps aligned and the first difference marked. */
export function viewEpisode(index: EpisodeIndex, clean: ViewedEpisode | undefined, episode: ViewedEpisode): Part {
  const sides = clean === undefined ? [episode] : [clean, episode]
  const [kind, trajectories] = [sides.length > 1 ? 'pair' : 'single', sides.map((side) => side.episode.said)]
  return [
    make(
      'div',
      { class: `sides ${kind}` },
      sides.map((side) => episodeHead(index, side)),
    ),
    trajectories.length === 2 && trajectories.every((trajectory) => trajectory !== undefined)
      ? pairView(trajectories[0]!, trajectories[1]!)
      : trajectories.map((trajectory) => trajectory && singleView(trajectory)),
  ]
}

function pairView(clean: PackedTrajectory, episode: PackedTrajectory): Part[] {
  const rows = align(clean.steps, episode.steps)
  const first = firstDifference(rows)
  const cell = (trajectory: PackedTrajectory, step: number | undefined): HTMLElement =>
    step === undefined ? make('div', { class: 'step absent' }) : make('div', {}, stepView(trajectory, step))
  return [
    make(
      'p',
      { class: 'difference' },
      first === -1
        ? 'No difference: the environment received the same commands and gave the same observations in both.'
        : makeButton('Go to the first difference', toFirstDifference),
    ),
    make(
      'ol',
      { class: 'steps' },
      openingRow([clean, episode]),
      rows.map(({ left, right }, at) =>
        make(
          'li',
          at === first
            ? { class: 'sides pair differs', id: 'first-difference', tabindex: -1 }
            : { class: 'sides pair' },
          at === first && make('p', { class: 'difference-mark' }, 'First difference'),
          cell(clean, left),
          cell(episode, right),
        ),
      ),
    ),
    make('div', { class: 'sides pair' }, endView(clean), endView(episode)),
  ]
}

function singleView(trajectory: PackedTrajectory): Part[] {
  const steps = trajectory.steps.map((_, at) =>
    make('li', { class: 'sides single' }, make('div', {}, stepView(trajectory, at))),
  )
  return [make('ol', { class: 'steps' }, openingRow([trajectory]), steps), endView(trajectory)]
}

/** The observations before the first step. */
function openingRow(sides: readonly PackedTrajectory[]): HTMLElement {
  return make(
    'li',
    { class: `sides ${sides.length > 1 ? 'pair' : 'single'}` },
    sides.map(({ opening }) => make('div', { class: 'step' }, make('div'), make('div', {}, observationView(opening)))),
  )
}

/** Scrolls to the first difference and focuses it. */
export function toFirstDifference(): void {
  const row = document.getElementById('first-difference')
  row?.scrollIntoView({ block: 'center' })
  row?.focus({ preventScroll: true })
}

/** A row of the list with its episode. */
interface ViewedEpisode extends OpenedEpisode {
  readonly row: number
}

/** Outcome, figures and prompt of an episode. */
function episodeHead(index: EpisodeIndex, { row, episode, messages }: ViewedEpisode): HTMLElement {
  const { packed, digits } = index
  const label = packed.columns[digits.column[row]!]!
  const { calls, changed, error, shrunk, said: trajectory } = episode
  const isClean = digits.column[row] === packed.clean
  const facts = [
    `progress ${percent(packed.progress[row]!)}`,
    counted(packed.steps[row]!, 'step'),
    ...(packed.understood[row] === unknownCount ? [] : [`${number(packed.understood[row]!)} understood`]),
    ...(trajectory?.trials ? [counted(trajectory.trials.length, 'trial')] : []),
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
        `reworded: ${counted(changed.forms, 'action form')}, ${counted(changed.commandsSaid, 'command')} given, ${number(changed.commandsSeen)} seen, ${counted(changed.names, 'name')}`,
      ),
    shrunk !== undefined && make('div', { class: 'facts' }, longText(shrunk)),
    error !== undefined && make('div', { class: 'error' }, longText(error)),
    make('p', { class: 'facts key' }, episode.key),
    trajectory === undefined
      ? make('p', { class: 'muted' }, 'The run has no trajectory of this episode.')
      : folded(
          `Prompt, ${counted(trajectory.prompt.length, 'message')}`,
          trajectory.prompt.map((number) => {
            const { role, content } = messages[number]!
            return make('div', {}, make('span', { class: 'label' }, role), longText(content))
          }),
        ),
  )
}

function counted(count: number, noun: string): string {
  return `${number(count)} ${noun}${count === 1 ? '' : 's'}`
}
