import type { PackedTrajectory, ShownMessage } from '../packed.js'
import { unknownCount } from '../packed.js'
import { align, firstDifference } from './align.js'
import type { OpenedEpisode } from './chunks.js'
import type { Part } from './dom.js'
import { folded, longText, make, makeButton, number, percent, untrusted } from './dom.js'
import { outcomeBadge } from './episode-columns.js'
import type { EpisodeIndex } from './episode-index.js'
import type { Rewording } from './prompt-difference.js'
import { comparePrompts, rewordingsOf } from './prompt-difference.js'
import { promptComparison } from './prompt-view.js'
import { endView, observationView, stepView } from './step-view.js'

/**
 * An episode beside its clean twin, if it has one, with their prompts compared, their steps aligned and the first
 * difference marked.
 */
export function viewEpisode(index: EpisodeIndex, clean: ViewedEpisode | undefined, episode: ViewedEpisode): Part {
  const sides = clean === undefined ? [episode] : [clean, episode]
  const [ofClean, ofEpisode] = [clean, episode].map((side) => side?.episode.said)
  const kind = sides.length > 1 ? 'pair' : 'single'
  if (clean === undefined || ofClean === undefined || ofEpisode === undefined) {
    return [
      make(
        'div',
        { class: `sides ${kind}` },
        sides.map((side) => episodeHead(index, side, [], promptOf(side))),
      ),
      [ofClean, ofEpisode].map((trajectory) => trajectory && singleView(trajectory)),
    ]
  }
  const prompts = comparePrompts(messagesOf(clean), messagesOf(episode))
  return [
    make(
      'div',
      { class: 'sides pair' },
      episodeHead(index, clean, []),
      episodeHead(index, episode, rewordingsOf(prompts)),
    ),
    promptComparison(prompts),
    pairView(ofClean, ofEpisode),
  ]
}

/** What a step is called beside that of the other episode. */
const sideNames = { clean: 'clean', perturbed: 'perturbed' }

function pairView(clean: PackedTrajectory, episode: PackedTrajectory): Part[] {
  const rows = align(clean.steps, episode.steps)
  const first = firstDifference(rows)
  const cell = (side: string, trajectory: PackedTrajectory, step: number | undefined): HTMLElement =>
    step === undefined
      ? make('div', { class: 'step absent' })
      : make('div', {}, make('span', { class: 'which' }, side), stepView(trajectory, step))
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
          {
            class: `sides pair${at === first ? ' differs' : ''}`,
            id: at === first && 'first-difference',
            'data-step': right === undefined ? `clean-${String(left! + 1)}` : right + 1,
          },
          at === first && make('p', { class: 'difference-mark' }, 'First difference'),
          cell(sideNames.clean, clean, left),
          cell(sideNames.perturbed, episode, right),
        ),
      ),
    ),
    make('div', { class: 'sides pair' }, endView(clean), endView(episode)),
  ]
}

function singleView(trajectory: PackedTrajectory): Part[] {
  const steps = trajectory.steps.map((_, at) =>
    make('li', { class: 'sides single', 'data-step': at + 1 }, make('div', {}, stepView(trajectory, at))),
  )
  return [make('ol', { class: 'steps' }, openingRow([trajectory]), steps), endView(trajectory)]
}

/** The observations before the first step. */
function openingRow(sides: readonly PackedTrajectory[]): HTMLElement {
  return make(
    'li',
    { class: `sides ${sides.length > 1 ? 'pair' : 'single'}`, 'data-step': 0 },
    sides.map(({ opening }, side) =>
      make(
        'div',
        {},
        sides.length > 1 && make('span', { class: 'which' }, side === 0 ? sideNames.clean : sideNames.perturbed),
        make('div', { class: 'step' }, make('div'), make('div', {}, observationView(opening))),
      ),
    ),
  )
}

/** Scrolls to the first difference and focuses it. */
export function toFirstDifference(): void {
  toStep(document.getElementById('first-difference'))
}

/** Scrolls to a step and focuses it. */
export function toStep(row: HTMLElement | null): void {
  row?.scrollIntoView({ block: 'center' })
  row?.focus({ preventScroll: true })
}

/** A row of the list with its episode. */
interface ViewedEpisode extends OpenedEpisode {
  readonly row: number
}

function messagesOf({ episode, messages }: ViewedEpisode): ShownMessage[] {
  return (episode.said?.prompt ?? []).map((number) => messages[number]!)
}

/** The first prompt of an episode, folded. */
function promptOf(side: ViewedEpisode): Part {
  if (side.episode.said === undefined)
    return make('p', { class: 'muted' }, 'The run has no trajectory of this episode.')
  const messages = messagesOf(side)
  return folded(
    `Prompt, ${counted(messages.length, 'message')}`,
    messages.map(({ role, content }) => make('div', {}, make('span', { class: 'label' }, role), longText(content))),
  )
}

/** Rewordings that are shown. */
const maxRewordings = 8

/** What this episode's prompt has in place of words of the clean one. */
function rewordingList(rewordings: readonly Rewording[]): HTMLElement {
  return make(
    'p',
    { class: 'rewordings' },
    make('span', { class: 'label' }, 'in this prompt'),
    rewordings
      .slice(0, maxRewordings)
      .map(({ before, after }) => [
        make('span', { class: 'rewording' }, untrusted(before), ' → ', make('mark', {}, untrusted(after))),
        ' ',
      ]),
    rewordings.length > maxRewordings && '…',
  )
}

/** Condition with its rule and its rewordings in this episode, outcome and figures; `more` comes last. */
function episodeHead(
  index: EpisodeIndex,
  { row, episode }: ViewedEpisode,
  rewordings: readonly Rewording[],
  more?: Part,
): HTMLElement {
  const { packed, digits } = index
  const label = packed.columns[digits.column[row]!]!
  const { calls, changed, error, shrunk, said: trajectory } = episode
  const rule = packed.rules[digits.column[row]!]!
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
    make('p', { class: 'label' }, isClean ? sideNames.clean : sideNames.perturbed),
    make(
      'div',
      { class: 'condition' },
      make('h3', {}, untrusted(label), ' ', outcomeBadge(packed.outcomes[packed.outcome[row]!]!)),
      rule !== '' && make('p', {}, untrusted(rule)),
    ),
    rewordings.length > 0 && rewordingList(rewordings),
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
    more,
  )
}

function counted(count: number, noun: string): string {
  return `${number(count)} ${noun}${count === 1 ? '' : 's'}`
}
