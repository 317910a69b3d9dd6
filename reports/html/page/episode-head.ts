import { untold } from '../packed.js'
import { make } from './dom.js'
import type { OpenedEpisode } from './chunks.js'
import { outcomeBadge } from './episode-columns.js'
import type { EpisodeIndex } from './episode-index.js'
import { number } from './episode-table.js'
import { folded, longText } from './long-text.js'
import { percent } from './step-view.js'
import { untrusted } from './untrusted.js'

/** An episode of the list with all that is stored of it. */
export interface ViewedEpisode extends OpenedEpisode {
  readonly row: number
}

/** What came of an episode, and what it was begun with. */
export function episodeHead(index: EpisodeIndex, { row, episode, messages }: ViewedEpisode): HTMLElement {
  const { packed, digits } = index
  const label = packed.columns[digits.column[row]!]!
  const { calls, changed, error, said } = episode
  const isClean = digits.column[row] === packed.clean
  const facts = [
    `progress ${percent(packed.progress[row]!)}`,
    counted(packed.steps[row]!, 'step'),
    ...(packed.understood[row] === untold ? [] : [`${number(packed.understood[row]!)} understood`]),
    ...(said?.trials ? [counted(said.trials.length, 'trial')] : []),
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
        ],
  )
}

function counted(count: number, noun: string): string {
  return `${number(count)} ${noun}${count === 1 ? '' : 's'}`
}
