import type { Group } from '../../aggregate/aggregate.js'
import { about } from './figures.js'

/**
 * Why a group scored as it did, in sentences, the most telling first; each is about something that is at least five
 * points more frequent than in the clean twin, which all of the group's figures are measured against.
 */
export function explain({ pooled }: Group, clean: Group | undefined): string[] {
  const { behaviour, outcomes, coverage } = pooled
  const before = clean?.pooled.behaviour
  const rise = (now = 0, then = 0): boolean => now - then >= noticeable
  const refused = 1 - (behaviour.grounding ?? 1)
  const refusedBefore = 1 - (before?.grounding ?? 1)
  const overflow = share(outcomes['context-overflow'], coverage.valid)
  const faults = behaviour.faultsPerAction
  return [
    ...((behaviour.memorisedPerAction ?? 0) >= noticeable
      ? [`${about(behaviour.memorisedPerRefusal ?? 0)} of refused actions are the old wording.`]
      : []),
    ...(behaviour.adaptedShare !== undefined && behaviour.adaptedShare < 0.5 && rise(refused, refusedBefore)
      ? [
          behaviour.adaptedShare === 0
            ? 'No episode ever found the new wording.'
            : `Only ${about(behaviour.adaptedShare)} of episodes ever found the new wording.`,
        ]
      : []),
    ...(rise(refused, refusedBefore) && (behaviour.memorisedPerAction ?? 0) < noticeable
      ? [`${about(refused)} of actions are not understood, ${about(refusedBefore)} in the twin.`]
      : []),
    ...(rise(behaviour.repeatsPerAction, before?.repeatsPerAction)
      ? [`${about(behaviour.repeatsPerAction!)} of actions repeat one that was just refused.`]
      : []),
    ...(rise(behaviour.formatErrorsPerAction, before?.formatErrorsPerAction)
      ? [`${about(behaviour.formatErrorsPerAction!)} of replies are not of the expected layout.`]
      : []),
    ...(rise(faults?.length, before?.faultsPerAction?.length)
      ? [`${about(faults!.length)} of replies ran into the limit of tokens.`]
      : []),
    ...(rise(faults?.empty, before?.faultsPerAction?.empty) ? [`${about(faults!.empty)} of replies are empty.`] : []),
    ...(rise(overflow, share(clean?.pooled.outcomes['context-overflow'], clean?.pooled.coverage.valid))
      ? [`${about(overflow)} of episodes no longer fit the context.`]
      : []),
  ]
}

const noticeable = 0.05

function share(part = 0, whole = 0): number {
  return whole === 0 ? 0 : part / whole
}
