import type { Plan } from '../core/report.js'
import { countCells } from '../run/cells.js'
import type { Grid } from '../run/grid.js'
import { layOut, number } from './_lines.js'

/** A grid as `--dry-run` shows it: what is on each axis, and how much that is. */
export function describeGrid({ plan, live }: Grid, folder: string): string {
  const episodes = countCells(plan)
  const rows: (readonly [string, string])[] = [
    ...plan.environments.map(
      ({ name, version, tasks }) =>
        ['environment', `${name} (version ${version}), ${number(tasks.length)} tasks`] as const,
    ),
    ['perturbations', listed(plan.columns.map(({ label }) => label))],
    ['models', listed(plan.models.map(describeModel))],
    ['agents', listed(plan.agents.map(({ name }) => name))],
    ['temperatures', listed(plan.temperatures.map(String))],
    ['seeds', listed(plan.seeds.map(String))],
    ['limits', `${number(plan.stepLimit)} steps an episode, ${number(plan.maxTokens)} tokens a reply`],
    ['episodes', number(episodes)],
    [
      'model calls',
      `at most ${number(episodes * plan.stepLimit)}${live ? ', and more where replies are thoughts without an action' : ''}`,
    ],
    ['goes to', folder],
  ]
  return layOut(rows)
}

function describeModel({ name, withoutInDomain, heldIn, variantOf }: Plan['models'][number]): string {
  const roles = [
    ...(withoutInDomain === undefined ? [] : [`without in-domain data: ${withoutInDomain}`]),
    ...(heldIn === undefined ? [] : [`held in: ${heldIn.join(', ')}`]),
    ...(variantOf === undefined ? [] : [`variant of ${variantOf}`]),
  ]
  return roles.length === 0 ? name : `${name} (${roles.join('; ')})`
}

function listed(values: readonly string[]): string {
  const shown = values.length > 12 ? [...values.slice(0, 10), `… ${values.at(-1)!}`] : values
  return `${number(values.length)}: ${shown.join(', ')}`
}
