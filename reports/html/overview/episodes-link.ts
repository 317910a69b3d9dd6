import type { Group } from '../../aggregate/aggregate.js'
import type { Child, Markup } from '../markup.js'
import { element } from '../markup.js'
import { wellFormed } from '../visible.js'

/** A link to those episodes of a group whose change against the twin is as said, or to all of them. */
export function episodesLink(
  { environment, model, agent, column }: Pick<Group, 'environment' | 'model' | 'agent' | 'column'>,
  text: Child,
  change?: 'lost' | 'gained',
): Markup {
  const chosen = Object.entries({ environment, model, agent, column, ...(change && { change }) })
  const query = chosen.map(([name, value]) => `${name}=${encodeURIComponent(wellFormed(value))}`).join('&')
  return element('a', { href: `#episodes?${query}` }, text)
}
