import type { Figures, Primary } from '../schema.js'
import { listWords } from '../../tables/words.js'
import { interval as intervalText, points, pValue } from './figures.js'

const maxNamed = 3

/** What the primary endpoint of a run shows, in one sentence; none where the run has none, or nothing is measured. */
export function primaryHeadline({ primary, partial, environments, agents }: Figures) {
  const known = (primary?.comparisons ?? [])
    .filter(({ p }) => p !== undefined)
    .sort((one, other) => one.difference.mean! - other.difference.mean!)
  const [lowest] = known
  if (primary === undefined || lowest === undefined) return []
  const nameOf = ({ model, agent, environment }: typeof lowest): string =>
    `${model}${agents.length > 1 ? ` with ${agent}` : ''}${environments.length > 1 ? ` on ${environment}` : ''}`
  const change = ({ difference: { mean, interval } }: typeof lowest): string =>
    `${points(mean!)} points${interval === undefined ? '' : ` ${intervalText(interval)}`}`
  const noun = environments.length > 1 ? 'comparisons' : agents.length > 1 ? 'pairs of model and agent' : 'models'
  const found = known.filter(({ holm }) => holm! < 0.05)
  const named = found.slice(0, maxNamed).map((one) => `${nameOf(one)} (${change(one)})`)
  const others = found.length > maxNamed ? [`${String(found.length - maxNamed)} more`] : []
  const said =
    known.length === 1
      ? `is ${change(lowest)} for ${nameOf(lowest)}, ${pValue(lowest.p!)}`
      : found.length === 0
        ? `is significant for none of ${String(known.length)} ${noun} (Holm); the lowest is ${change(lowest)} for ${nameOf(lowest)}`
        : `is significant for ${String(found.length)} of ${String(known.length)} ${noun} (Holm; intervals are not adjusted): ${listWords([...named, ...others])}`
  const endpoint = describePrimary(primary)
  return [
    {
      kind: 'primary' as const,
      text: `${partial ? 'Primary endpoint so far' : 'Primary endpoint'}: the ${endpoint[0]!.toLowerCase()}${endpoint.slice(1)} ${said}.`,
      models: (found.length > 0 ? found : [lowest]).map(({ model }) => model),
      families: [],
    },
  ]
}

/** `Mean change of success over agentrefine-1 and agentrefine-2`. */
export function describePrimary({ metric, conditions }: Pick<Primary, 'metric' | 'conditions'>): string {
  return `Mean change of ${metric} over ${conditions.length > 4 ? `${String(conditions.length)} conditions` : listWords(conditions)}`
}
