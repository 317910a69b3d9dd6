import type { StoredRun } from 'shaketable'
import { count, grouped } from '../../../src/tables/words.js'
import type { EpisodeList } from './list-episodes.js'

/** What the page says above its list of episodes: what is listed, and what is not. */
export function describeEpisodes(run: StoredRun, { episodes, stored, everyNth }: EpisodeList): string[] {
  return [
    'Open an episode to see it step by step beside its clean twin: the same task, seed and temperature without the perturbation.',
    ...(everyNth === undefined
      ? []
      : [
          `This page lists ${grouped(episodes.length)} of ${count(stored, 'episode')}: those that ended otherwise than their clean twin, and the twins` +
            `${everyNth === 1 ? '' : `, of every ${ordinal(everyNth)} task, seed and temperature with such an episode`}. ` +
            'The tables and charts are of all of them.',
        ]),
    ...(run.trajectories === undefined ? ['What was said in the episodes is not part of this page.'] : []),
  ]
}

function ordinal(number: number): string {
  const ending = { one: 'st', two: 'nd', few: 'rd', other: 'th', many: 'th', zero: 'th' }
  return `${String(number)}${ending[new Intl.PluralRules('en', { type: 'ordinal' }).select(number)]}`
}
