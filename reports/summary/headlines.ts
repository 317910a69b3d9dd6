import type { FamilyProfile } from '../aggregate/schema.js'
import type { Aggregate } from '../aggregate/aggregate.js'
import { listWords } from '../../src/tables/words.js'
import { points } from './figures.js'
import type { VerdictKind } from './verdict.js'
import { judge } from './verdict.js'

/** What a run shows of a model and agent in an environment, in one sentence with names and figures. */
export interface Headline {
  readonly environment: string
  readonly model: string
  readonly agent: string
  readonly kind: VerdictKind
  /** `parrot falls from 100 to 0 under synonyms; also worse under argument-order and item-style.` */
  readonly text: string
}

/** The headlines of a run, the largest drop first. */
export function headlinesOf({ profiles }: Aggregate): Headline[] {
  const largest = ({ families }: Aggregate['profiles'][number]): number =>
    Math.min(...families.filter(isCompared).map(({ success }) => success.mean ?? 0), 0)
  return [...profiles]
    .sort((one, other) => largest(one) - largest(other))
    .map(({ environment, model, agent, families }): Headline => {
      const judged = families.filter(isCompared).map((family) => ({
        family,
        verdict: judge({ ...family, unchanged: 0 }, family.success.clean),
      }))
      const worse = judged.filter(({ verdict }) => verdict.kind === 'worse')
      const subject = { environment, model, agent }
      const [first, ...others] = worse
      if (first !== undefined) {
        const { clean = 0, perturbed = 0 } = first.family.success
        const also =
          others.length === 0 ? '' : `; also worse under ${listWords(others.map(({ family }) => family.family))}`
        return {
          ...subject,
          kind: 'worse',
          text: `${model} falls from ${whole(clean)} to ${whole(perturbed)} under ${first.family.family}${also}.`,
        }
      }
      const lowest = Math.min(...judged.map(({ family }) => family.success.interval?.low ?? -1))
      return {
        ...subject,
        kind: judged.every(({ verdict }) => verdict.kind === 'steady') ? 'steady' : 'unclear',
        text: `${model} shows no significant drop under ${String(judged.length)} ${judged.length === 1 ? 'family' : 'families'}; a drop of more than ${points(lowest).slice(1)} points is ruled out.`,
      }
    })
}

function isCompared({ identity, adversarial, pairs }: FamilyProfile): boolean {
  return !identity && adversarial !== true && pairs > 0
}

function whole(share: number): string {
  return String(Math.round(100 * share))
}
