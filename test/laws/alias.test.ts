import { describe, expect, it } from 'vitest'
import { perturbations } from '../../perturbations/index.js'
import { openEnvironment } from '../../src/environments/index.js'
import type { Environment } from '../../src/index.js'
import { bothWordings } from '../../src/laws/both-wordings.js'
import { parseColumn } from '../../src/run/columns.js'
import { createToy } from '../toy-environment.js'
import { outcomes } from './describe.js'

const environments = {
  household: await openEnvironment('household'),
  babyai: await openEnvironment('babyai'),
  pddl: await openEnvironment('pddl'),
} as const
const kinds = Object.keys(environments) as (keyof typeof environments)[]

/** Two tasks, which begin with different wordings, or one of each PDDL game. */
const tasksOf = ({ name, tasks }: Environment) =>
  name === 'pddl' ? tasks.filter(({ id }) => id.endsWith('/0')) : tasks.slice(20, 22)

const actions = [
  'synonyms',
  'synonyms:draw=3:intensity=0.5',
  'symbols',
  'pseudo-verbs',
  'call-syntax',
  'call-syntax:style=json',
]
const names = ['item-style', 'item-style:style=hash:intensity=0.5', 'item-pseudo-words']
const stacks = ['list-order+synonyms', 'decoy-actions+synonyms', 'agentrefine-4+synonyms', 'error-messages+item-style']

/** These have no such items or forms. */
const isUnchanged = (kind: string, column: string): boolean => kind === 'pddl' && column === 'item-style:mode=alias'

describe.each(kinds)('the laws in mode alias on %s', (kind) => {
  const environment = environments[kind]
  const columns = [...actions, ...names, ...stacks, 'argument-order', 'item-synonyms']
  it.each(columns.map((column) => `${column}:mode=alias`))('hold under %s', async (column) => {
    const { applied } = parseColumn(column, perturbations)
    if (applied.some(({ perturbation }) => (perturbation.environment ?? kind) !== kind)) return
    const seen = await outcomes({ environment, tasks: tasksOf(environment), label: kind }, applied)
    expect(seen.filter((one) => one !== 'unchanged' || isUnchanged(kind, column))).toEqual(
      isUnchanged(kind, column) ? ['unchanged'] : ['holds'],
    )
  })
})

describe('the law of both wordings', () => {
  it.each<[columns: readonly string[], broken: RegExp | undefined]>([
    [['agentrefine-3:mode=alias'], undefined],
    [['agentrefine-3:mode=alias', 'list-order'], /are not listed side by side/],
    [['agentrefine-3:mode=alias', 'agentrefine-4'], undefined],
  ])('judges %j', async (columns, broken) => {
    const environment = createToy()
    const applied = columns.flatMap((column) => parseColumn(column, perturbations).applied)
    const { detail } = await bothWordings.check({ environment, task: environment.tasks[0]!, applied, seed: '0' })
    if (broken === undefined) expect(detail).toBeUndefined()
    else expect(detail).toMatch(broken)
  })
})
