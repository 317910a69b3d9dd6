import type { Group, Scope } from '../aggregate.js'
import { about } from './figures.js'

/** A reason is given if something is at least this much more frequent than in the clean twin. */
const noticeable = 0.05

/** Why a group scored lower than its clean twin, in sentences, the most informative first. */
export function explain({ pooled }: Group, clean: Group): string[] {
  const { adaptedShare: adapted, memorisedPerAction = 0, memorisedPerRefusal = 0 } = pooled.behaviour
  const [now, before] = [ratesOf(pooled), ratesOf(clean.pooled)]
  const rises = (rate: keyof typeof now): boolean => now[rate] - before[rate] >= noticeable
  const reasons: string[] = []
  if (memorisedPerAction >= noticeable)
    reasons.push(`${about(memorisedPerRefusal)} of refused actions are in the old wording.`)
  if (adapted !== undefined && adapted < 0.5 && rises('refused') && rewords(pooled)) {
    reasons.push(`${adapted === 0 ? 'No episode' : `Only ${about(adapted)} of episodes`} ever found the new wording.`)
  }
  if (memorisedPerAction < noticeable && rises('refused')) {
    const twin = `against ${about(before.refused)} in the clean twin`
    reasons.push(`${about(now.refused)} of actions are not understood, ${twin}.`)
  }
  for (const [rate, sentence] of sentences) if (rises(rate)) reasons.push(`${about(now[rate])} ${sentence}.`)
  return reasons
}

/** Whether action forms or names got another wording in any episode. */
function rewords({ behaviour: { dose, memorisedPerAction = 0 } }: Scope): boolean {
  const { forms = 0, commandsSaid = 0, commandsSeen = 0, names = 0 } = dose ?? {}
  return [forms, commandsSaid, commandsSeen, names, memorisedPerAction].some((count) => count > 0)
}

const sentences = [
  ['repeats', 'of actions repeat one that was just refused'],
  ['formatErrors', 'of replies are not in the expected format'],
  ['cut', 'of replies reached the token limit'],
  ['empty', 'of replies are empty'],
  ['overflow', 'of episodes no longer fit the context'],
] as const

/** Rates of a group as shares of 1; 0 where they are unknown. */
function ratesOf({ behaviour, outcomes, coverage: { valid } }: Scope) {
  return {
    refused: 1 - (behaviour.grounding ?? 1),
    repeats: behaviour.repeatsPerAction ?? 0,
    formatErrors: behaviour.formatErrorsPerAction ?? 0,
    cut: behaviour.faultsPerAction?.length ?? 0,
    empty: behaviour.faultsPerAction?.empty ?? 0,
    overflow: valid === 0 ? 0 : (outcomes['context-overflow'] ?? 0) / valid,
  }
}
