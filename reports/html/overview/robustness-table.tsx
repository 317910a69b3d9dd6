import type { VNode } from 'preact'
import type { Aggregate } from '../../../src/results/aggregate.js'
import { familiesByHarm, familiesOf } from '../../../src/results/families.js'
import type { FamilyProfile } from '../../../src/results/schema.js'
import { percent, points, size } from '../../../src/results/summary/figures.js'
import { count } from '../../../src/tables/words.js'
import { untrusted, wellFormed } from '../visible.js'
import { summariesOf } from './conditions.js'
import type { Affected, Effect } from './effects.js'

/** How many shades a drop or a gain can have. */
export const shades = 8

/**
 * A row for each model, a column for each family with the change of success that it caused, shaded by its size: the
 * most harmful family and model first, controls last. Undefined without a clean condition.
 */
export function robustnessTable(aggregate: Aggregate, subjects: readonly Affected[]): VNode | undefined {
  const all = familiesOf(aggregate.conditions)
  const families = familiesByHarm(aggregate.profiles).map((name) => all.find((family) => family.name === name)!)
  const shown = subjects.filter(({ effects }) => effects.length > 0)
  if (families.length === 0 || shown.length === 0) return undefined
  const firstControl = families.find(({ identity }) => identity)
  const rateOf = (mean: number | undefined): string => (mean === undefined ? '–' : size(mean))
  return (
    <table class="grid shaded" aria-label="Change of success by model and family">
      <thead>
        <tr>
          <th scope="col">Model</th>
          <th scope="col" class="number">
            Clean
          </th>
          {families.map((family) => (
            <th
              scope="col"
              class={`number change${family === firstControl ? ' first' : ''}`}
              title={summariesOf(aggregate, family).join('; ')}
            >
              {untrusted(family.name)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {shown.map((subject) => (
          <tr>
            <th scope="row">{subjectName(aggregate, subject)}</th>
            <td class="number">{rateOf(subject.clean?.pooled.success.mean)}</td>
            {families.map((family) => {
              const effect = subject.effects.find((effect) => effect.family.family === family.name)
              return changeCell(subject, effect, family === firstControl)
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A model, with its agent and environment where there are several. */
export function subjectName({ agents, environments }: Aggregate, subject: Affected): VNode {
  const { model, agent, environment, heldIn } = subject
  const remarks = [
    agents.length > 1 && ['with ', untrusted(agent)],
    environments.length > 1 && ['on ', untrusted(environment)],
    heldIn === true && 'trained on it',
  ]
  return (
    <>
      {untrusted(model)}
      {remarks.map((remark) => remark && <span class="remark">{remark}</span>)}
    </>
  )
}

function changeCell(subject: Affected, effect: Effect | undefined, isFirst: boolean): VNode {
  const { kind } = effect?.verdict ?? {}
  const mean = kind === 'untouched' ? undefined : effect?.family.success.mean
  const shade = mean === undefined ? 'none' : shadeOf(mean)
  const attributes = {
    class: `number change${isFirst ? ' first' : ''} ${shade}`,
    title: effect && describeEffect(subject, effect),
  }
  if (effect === undefined || mean === undefined) return <td {...attributes}>{kind === 'untouched' ? '·' : '–'}</td>
  const isSignificant = kind === 'worse' || kind === 'better'
  return (
    <td {...attributes}>
      <a href={episodesOf(subject, effect.family)}>{isSignificant ? <strong>{points(mean)}</strong> : points(mean)}</a>
    </td>
  )
}

/** The address of the episodes of a family: those of its most harmful draw where it has several. */
function episodesOf({ environment, model, agent }: Affected, { conditions, lowest = conditions[0]! }: FamilyProfile) {
  const query = Object.entries({ environment, model, agent, condition: lowest })
  return `#episodes?${query.map(([name, value]) => `${name}=${encodeURIComponent(wellFormed(value))}`).join('&')}`
}

/**
 * `parrot under synonyms: 100.0 % clean, 0.0 % perturbed; −100.0 points [−100.0, −85.8], Holm p < 0.001; 150 pairs`.
 */
function describeEffect({ model }: Affected, { family, verdict: { figures, remark, title } }: Effect): string {
  const { success, pairs, conditions } = family
  const name = `${model} under ${family.family}`
  if (figures === undefined) return `${name}: ${remark ?? title}`
  const draws = conditions.length > 1 ? ` over ${String(conditions.length)} draws` : ''
  const rates = `${percent(success.clean ?? 0)} clean, ${percent(success.perturbed ?? 0)} perturbed${draws}`
  return `${name}: ${rates}; ${figures}; ${count(pairs, 'pair')}`
}

/** The class of a change's shade: `drop-8` for −100 points; shades follow the root, so that small changes show. */
function shadeOf(change: number): string {
  const step = Math.ceil(shades * Math.sqrt(Math.min(1, Math.abs(change))) - 1e-9)
  return step === 0 ? 'level' : `${change < 0 ? 'drop' : 'gain'}-${String(step)}`
}
