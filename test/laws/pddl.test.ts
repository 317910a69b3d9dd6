import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { perturbations as all } from '../../perturbations/index.js'
import { openEnvironment } from '../../src/environments/index.js'
import type { Task } from '../../src/index.js'
import { createRandom, perturb } from '../../src/index.js'
import { parseColumn } from '../../src/run/columns.js'
import { writeFolder } from '../environments/games/small-games.js'
import { sharedData } from '../shared-data.js'
import type { Sample } from './describe.js'
import { describeEnvironment, describeNoLeaks, describePerturbations, outcomes } from './describe.js'

/** Families have a test of their own. */
const perturbations = all.filter(({ environment, name }) => environment !== undefined || name === 'placebo')

/** The perturbations that change something here. */
const changing = /^pddl-/
const folder = writeFolder(mkdtempSync(join(tmpdir(), 'shaketable-laws-')), ['problem1'])
afterAll(() => {
  rmSync(folder, { recursive: true })
})

/**
 * One task of each game only; all of AgentBoard's are checked by
 * `shaketable validate --env pddl --set pddl.data=DIR --tasks 60`.
 */
async function sample(
  label: string,
  options: Readonly<Record<string, string>>,
  isChosen: (task: Task) => boolean,
): Promise<Sample> {
  const environment = await openEnvironment('pddl', options)
  return { label, environment, tasks: environment.tasks.filter(isChosen) }
}

const isNumber =
  (number: number) =>
  ({ id }: Task): boolean =>
    id.endsWith(`/${String(number)}`)

const small = await sample('small games', { data: folder }, isNumber(0))
describeEnvironment(small)
// The small versions of the other games lack the actions that some rewordings need.
const carrying = { ...small, label: 'a small game', tasks: small.tasks.filter(({ id }) => id.startsWith('gripper')) }
describePerturbations(perturbations, [carrying], changing)
describeNoLeaks(perturbations, [small])

describe('columns over the PDDL games', () => {
  it.each(['pddl-1+pddl-2+pddl-4+pddl-5', 'pddl-4+pddl-3', 'pddl-3+pddl-4'])('%s keeps the laws', async (text) => {
    expect(await outcomes(carrying, parseColumn(text, perturbations).applied)).toEqual(['holds'])
  })
})

describe('a family over a whole game', async () => {
  const games = await sample('barman', {}, ({ id }) => id === 'barman/1' || id === 'barman/2')
  it.each([
    ['call-syntax:style=json', 'an argument must not have the name of the old action'],
    ['error-messages', 'an answer to an action that is listed, but not possible, may say less'],
  ])('%s keeps the laws: %s', async (text) => {
    expect(await outcomes(games, parseColumn(text, all).applied)).toContain('holds')
    expect(await outcomes(games, parseColumn(text, all).applied)).not.toContainEqual(expect.stringContaining(': '))
  })
})

describe('the wordings of the PDDL games', () => {
  const forms = async (name: string): Promise<readonly (readonly [string, string])[]> => {
    const { environment, tasks } = small
    const { applied } = parseColumn(name, perturbations)
    const pairs = await Promise.all(
      tasks.map(async (task) => {
        const [clean, perturbed] = [environment, perturb(environment, applied)].map((one) =>
          one.begin(task, createRandom('forms')),
        )
        const [before, after] = [(await clean!).briefing.forms, (await perturbed!).briefing.forms]
        return before.map(({ template }, index) => [template, after[index]!.template] as const)
      }),
    )
    return pairs.flat()
  }

  it('together give every action of a game new words', async () => {
    const all = await forms('pddl-1+pddl-2+pddl-5')
    const kept = all.filter(([from, to]) => from === to).map(([from]) => from)
    expect([...new Set(kept)]).toEqual(['check valid actions', 'look around'])
  })
})

describe.skipIf(sharedData === undefined)("over AgentBoard's problems", async () => {
  const data = join(sharedData ?? '', 'pddl')
  const prompt = join(sharedData ?? '', 'agentboard_prompts', 'pddl_vanilla_prompt.json')
  const real =
    sharedData === undefined
      ? []
      : [
          await sample('in our words', { data }, isNumber(3)),
          await sample('as AgentBoard prompts', { data, prompt }, isNumber(5)),
        ]
  for (const one of real) describeEnvironment(one)
  describePerturbations(perturbations, real, changing)
  describeNoLeaks(perturbations, real)
})
