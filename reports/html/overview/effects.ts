import type { Aggregate } from '../../../src/results/aggregate.js'
import { findProfile } from '../../../src/results/find.js'
import type { FamilyProfile } from '../../../src/results/schema.js'
import type { Subject } from '../../../src/results/summary/findings.js'
import { findingsOf } from '../../../src/results/summary/findings.js'
import type { Verdict } from '../../../src/results/summary/verdict.js'
import { judge } from '../../../src/results/summary/verdict.js'

/** The effect of one family of perturbations on one model. */
export interface Effect {
  readonly family: FamilyProfile
  readonly verdict: Verdict
  /** Reasons of the draw that lowered success most. */
  readonly reasons: readonly string[]
}

/** A model and agent in an environment, with the effect of each family. */
export interface Affected extends Subject {
  /** The most harmful first, controls last. Empty without a clean condition. */
  readonly effects: readonly Effect[]
}

/** Every model and agent in every environment, the one with the largest drop first within its environment. */
export function affectedBy(aggregate: Aggregate): Affected[] {
  const subjects = findingsOf(aggregate).map((subject): Affected => {
    const { families = [] } = findProfile(aggregate, subject.environment, subject) ?? {}
    return { ...subject, effects: families.map((family) => effectOf(family, subject)) }
  })
  const harmOf = ({ effects }: Affected): number =>
    Math.max(0, ...effects.filter(counts).map(({ family }) => -(family.success.mean ?? 0)))
  return aggregate.environments.flatMap(({ name }) =>
    subjects.filter(({ environment }) => environment === name).sort((one, other) => harmOf(other) - harmOf(one)),
  )
}

/** Whether a family enters sentences on all families: not a control, not adversarial. */
export function counts({ family }: Effect): boolean {
  return !family.identity && family.adversarial !== true
}

function effectOf(family: FamilyProfile, { findings, clean }: Subject): Effect {
  const { success, lowest = family.conditions[0] } = family
  const verdict = judge(family, success.clean ?? clean?.pooled.success.mean)
  return { family, verdict, reasons: findings.find(({ condition }) => condition.label === lowest)?.reasons ?? [] }
}
