import { pairsOf } from '../../../src/define.js'
import type { Aggregate, Group } from '../../../src/results/aggregate.js'
import { findGroup, findProfile } from '../../../src/results/find.js'
import { isHeldIn } from '../../../src/results/published/paper-tasks.js'
import type { FamilyProfile } from '../../../src/results/schema.js'
import { type Verdict, explain, judge } from '../../../src/results/summary/verdict.js'
import { type Subject, cleanLabel } from '../../tables/rows.js'

/** The effect of one family of perturbations on one model. */
export interface Effect {
  readonly family: FamilyProfile
  readonly verdict: Verdict
  /** Reasons of the draw that lowered success most. */
  readonly reasons: readonly string[]
}

/** A model and agent in an environment, with the effect of each family. */
export interface Affected extends Subject {
  /** Whether the model was trained on the environment; absent if that was not declared. */
  readonly heldIn?: boolean
  /** Absent in a run without a clean condition. */
  readonly clean?: Group
  /** The most harmful first, controls last. Empty without a clean condition. */
  readonly effects: readonly Effect[]
}

/** Every model and agent in every environment, the one with the largest drop first within its environment. */
export function affectedBy(aggregate: Aggregate): Affected[] {
  const harmOf = ({ effects }: Affected): number =>
    Math.max(0, ...effects.filter(counts).map(({ family }) => -(family.success.mean ?? 0)))
  return aggregate.environments.flatMap(({ name: environment }) =>
    pairsOf(aggregate)
      .map(({ model, agent }): Affected => {
        const names = { environment, model: model.name, agent: agent.name }
        const groupOf = (label?: string) => findGroup(aggregate, environment, model.name, agent.name, label)
        const [clean, heldIn] = [groupOf(cleanLabel(aggregate)), isHeldIn(model, environment)]
        const effects = (findProfile(aggregate, environment, names)?.families ?? []).map((family): Effect => {
          const { success, lowest = family.conditions[0] } = family
          const group = groupOf(lowest)
          const verdict = judge(family, success.clean ?? clean?.pooled.success.mean)
          return { family, verdict, reasons: clean && group?.pooled.difference ? explain(group, clean) : [] }
        })
        return { ...names, ...(clean && { clean }), ...(heldIn !== undefined && { heldIn }), effects }
      })
      .sort((one, other) => harmOf(other) - harmOf(one)),
  )
}

/** Whether a family enters sentences on all families: not a control, not adversarial. */
export function counts({ family }: Effect): boolean {
  return !family.identity && family.adversarial !== true
}
