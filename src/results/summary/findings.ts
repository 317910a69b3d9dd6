import { pairsOf } from '../../define.js'
import type { Aggregate, AggregateCondition, Group, Scope } from '../aggregate.js'
import { isHeldIn } from '../published/paper-tasks.js'
import { about } from './figures.js'
import type { Verdict } from './verdict.js'
import { judge } from './verdict.js'

/** A change of a rate in shares of 1, with its 95 % interval. */
export interface Change {
  readonly mean: number
  readonly interval?: { readonly low: number; readonly high: number }
}

/** One perturbation and its effect on one model. */
export interface Finding {
  readonly group: Group
  readonly condition: AggregateCondition
  readonly clean: Group
  readonly verdict: Verdict
  readonly reasons: readonly string[]
}

/** The findings of one model and agent in one environment. */
export interface Subject {
  readonly environment: string
  readonly model: string
  readonly agent: string
  /** Whether the model was trained on the environment; absent if that was not declared. */
  readonly heldIn?: boolean
  /** Absent in a run without a clean condition. */
  readonly clean?: Group
  /** One for each condition except the clean one, in the plan's order. */
  readonly findings: readonly Finding[]
}

/** Judges every condition of every environment × model × agent. */
export function findingsOf(aggregate: Aggregate): Subject[] {
  const { environments, conditions, groups } = aggregate
  return environments.flatMap(({ name: environment }) =>
    pairsOf(aggregate).map(({ model: planned, agent: { name: agent } }) => {
      const ofSubject = groups.filter(
        (group) => group.environment === environment && group.model === planned.name && group.agent === agent,
      )
      const groupOf = (condition: AggregateCondition): Group | undefined =>
        ofSubject.find(({ condition: label }) => label === condition.label)
      const heldIn = isHeldIn(planned, environment)
      const cleanCondition = conditions.find((condition) => condition.clean)
      const clean = cleanCondition && groupOf(cleanCondition)
      return {
        environment,
        model: planned.name,
        agent,
        ...(clean && { clean }),
        ...(heldIn !== undefined && { heldIn }),
        findings: conditions.flatMap((condition) => {
          const group = groupOf(condition)
          const difference = group?.pooled.difference
          if (group === undefined || clean === undefined || difference === undefined) return []
          const verdict = judge({ ...difference, identity: condition.identity }, clean.pooled.success.mean)
          return { group, condition, clean, verdict, reasons: explain(group, clean) }
        }),
      }
    }),
  )
}

/** Perturbed minus clean success in shares of 1; undefined if no pair was measured. */
export function figuresOf({ group }: Finding): Change | undefined {
  const success = group.pooled.difference?.success
  if (success?.mean === undefined) return undefined
  return { mean: success.mean, ...(success.interval && { interval: success.interval }) }
}

/** A reason is given if something is at least this much more frequent than in the clean twin. */
const noticeable = 0.05

/** Why a group scored lower than its clean twin, in sentences, the most informative first. */
function explain({ pooled }: Group, clean: Group): string[] {
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
