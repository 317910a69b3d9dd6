import type { Outcomes } from '../compare/outcomes.js'
import type { Plan } from '../core/report.js'
import { conditionsOf, isOtherColumn } from '../gate/conditions.js'

/** What was played, and under which plan. */
interface Side {
  readonly plan: Plan
  readonly outcomes: Outcomes
}

/**
 * Leaves out of the second side the columns that are other perturbations than the first side has under the same name,
 * and adds to its notes what else the two were not played alike in.
 */
export function leaveOutOthers(first: Side, second: Side): [Outcomes, Outcomes] {
  const [before, after] = [conditionsOf(first.plan), conditionsOf(second.plan)]
  const changed = (kind: 'models' | 'agents'): string[] =>
    after[kind]
      .filter(({ name, hash }) => before[kind].some((known) => known.name === name && known.hash !== hash))
      .map(({ name }) => name)
  const others = after.columns.filter(({ environment, name }) => isOtherColumn(before, after, environment, name))
  const limits = (['stepLimit', 'maxTokens'] as const).filter((limit) => before[limit] !== after[limit])
  const words = { stepLimit: 'steps an episode', maxTokens: 'tokens a reply' }
  const notes = [
    ...others.map(
      ({ environment, name }) =>
        `The column ${name} of ${environment} is left out: it is another perturbation, or another version of it, than in ${first.outcomes.source}.`,
    ),
    ...changed('models').map((name) => `The settings of the model ${name} are not those of ${first.outcomes.source}.`),
    ...changed('agents').map((name) => `The settings of the agent ${name} are not those of ${first.outcomes.source}.`),
    ...limits.map(
      (limit) => `Played with at most ${String(after[limit])} ${words[limit]}, not ${String(before[limit])}.`,
    ),
  ]
  const { outcomes } = second
  return [
    first.outcomes,
    {
      ...outcomes,
      cells: outcomes.cells.filter(
        (cell) => !others.some(({ environment, name }) => environment === cell.environment && name === cell.column),
      ),
      notes: [...outcomes.notes, ...notes],
    },
  ]
}
