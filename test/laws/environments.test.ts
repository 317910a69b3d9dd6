import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { perturbations } from '../../perturbations/index.js'
import { openEnvironment } from '../../src/environments/index.js'
import { type Environment, type Task, createRandom } from '../../src/index.js'
import { checkConforms } from '../../src/laws/conforms.js'
import { parseCondition } from '../../src/run/conditions.js'
import { writeFolder } from '../environments/games/small-games.js'
import { fakeJava, makeJar } from '../environments/scienceworld/fake.js'
import { scratchFolder } from '../scratch.js'
import { sharedData } from '../shared-data.js'
import { describeEnvironment, describePerturbations, outcomes } from './describe.js'

/** An environment with its options, and a few of its tasks; `shaketable validate --tasks all` checks all of them. */
interface Case {
  readonly label: string
  readonly name: string
  readonly options?: Readonly<Record<string, string>>
  readonly tasks: (environment: Environment) => readonly Task[]
  /** The perturbations made for one environment that change something here. */
  readonly changing: RegExp
  /** Conditions of several perturbations, which keep the laws on the first two tasks. */
  readonly conditions?: readonly string[]
  /** It does not report the actions that it admits. */
  readonly isPartial?: true
}

const oneOfEach = ({ tasks }: Environment): readonly Task[] => [
  ...new Map([...tasks].reverse().map((task) => [task.kind, task])).values(),
]
const every =
  (nth: number) =>
  ({ tasks }: Environment): readonly Task[] =>
    tasks.filter((_, index) => index % nth === 0)
const matching =
  (ids: RegExp) =>
  ({ tasks }: Environment): readonly Task[] =>
    tasks.filter(({ id }) => ids.test(id))

const folder = writeFolder(scratchFolder(), ['problem1'])

const household = { name: 'household', tasks: oneOfEach, changing: /^(?:agentrefine|alfworld)-/ }
const babyai = { name: 'babyai', changing: /^babyai-|^agentrefine-4$/ }
const pddl = { name: 'pddl', changing: /^pddl-/ }
const embedded: readonly Case[] = [
  {
    ...household,
    label: 'generated tasks, old generation',
    conditions: ['agentrefine-1+agentrefine-2+agentrefine-3+agentrefine-4', 'agentrefine-4:intensity=0.5'],
  },
  {
    ...household,
    label: 'generated tasks, new generation',
    options: { generation: 'new', split: 'train' },
    conditions: ['alfworld-2024+agentrefine-2'],
  },
  {
    ...babyai,
    label: 'the benchmark’s levels',
    tasks: every(28),
    conditions: ['babyai-1+babyai-2+babyai-3+babyai-4+babyai-5', 'call-syntax+decoy-actions'],
  },
  {
    ...pddl,
    label: 'a small game',
    options: { data: folder },
    tasks: matching(/^gripper\/0$/),
    conditions: ['pddl-1+pddl-2+pddl-4+pddl-5', 'pddl-4+pddl-3'],
  },
  {
    ...pddl,
    label: 'barman',
    tasks: matching(/^barman\/[12]$/),
    changing: /^none$/,
    conditions: ['call-syntax:style=json', 'error-messages'],
  },
  { label: 'a story', name: 'jericho', tasks: every(1), changing: /^jericho-/ },
  {
    label: 'a script',
    name: 'scripted',
    tasks: ({ tasks }) => tasks.slice(0, 1),
    changing: /^(?:agentrefine-4|scienceworld-2)$/,
  },
  {
    label: 'recorded episodes',
    name: 'scienceworld',
    options: { jar: makeJar(scratchFolder()), java: fakeJava },
    tasks: matching(/^(?:find-living-thing\/225|grow-plant\/0)$/),
    changing: /^scienceworld-/,
    conditions: [
      ...['synonyms', 'symbols:intensity=0.5', 'pseudo-verbs', 'swapped-verbs', 'argument-order', 'call-syntax'],
      ...['typos', 'distractor-text', 'observation-paraphrase', 'examples'],
    ],
    isPartial: true,
  },
]

const inShared = (...path: string[]): string => join(sharedData ?? '', ...path)
const prompt = (file: string): string => inShared('agentboard_prompts', file)
const alfworld = { data: inShared('alfworld'), generation: 'old', prompt: prompt('alfworld_base.json') }
const levels = {
  prompt: prompt('babyai_vanilla_prompt.json'),
  labels: inShared('agentboard_labels', 'babyai_test.jsonl'),
}
const problems = { data: inShared('pddl'), prompt: prompt('pddl_vanilla_prompt.json') }
const real: readonly Case[] = [
  { ...household, label: 'real games, as AgentBoard prompts', options: alfworld },
  { ...babyai, label: 'levels as AgentBoard prompts', options: levels, tasks: every(37) },
  { ...pddl, label: 'problems as AgentBoard prompts', options: problems, tasks: matching(/\/5$/) },
]

for (const { label, name, options, tasks, changing, conditions = [], isPartial } of [
  ...embedded,
  ...(sharedData === undefined ? [] : real),
]) {
  const environment = await openEnvironment(name, options)
  const sample = { label: `${name}, ${label}`, environment, tasks: tasks(environment) }
  if (!isPartial) describeEnvironment(sample)
  const own = perturbations.filter((one) => one.name === 'placebo' || changing.test(one.name))
  describePerturbations(own, sample, changing)
  it.each(conditions)(`keep the laws in ${sample.label}: %s`, async (text) => {
    const few = { ...sample, tasks: sample.tasks.slice(0, 2) }
    const seen = await outcomes(few, parseCondition(text, perturbations).applied)
    expect(seen.filter((one) => one !== 'unchanged')).toEqual(['holds'])
  })
}

it('conforms where an action that changes nothing is first, which AgentBoard does not count as valid', async () => {
  const environment = await openEnvironment('babyai')
  const task = environment.find('43')
  const world = await environment.begin(task, createRandom('0'))
  expect(await world.step('go to blue locked door 1')).toMatchObject({ understood: false })
  expect(await checkConforms(environment, [task], '0')).toMatchObject({ misfits: [] })
})

describe.each(['household', 'pddl'])('the laws in mode alias on %s', (name) => {
  const conditions = ['synonyms:draw=3:intensity=0.5', 'call-syntax:style=json', 'item-style', 'decoy-actions+synonyms']
  it.each(conditions.map((condition) => `${condition}:mode=alias`))('hold under %s', async (condition) => {
    const environment = await openEnvironment(name)
    const tasks = name === 'pddl' ? matching(/^gripper\/0$/)(environment) : environment.tasks.slice(20, 22)
    const seen = await outcomes({ environment, tasks, label: name }, parseCondition(condition, perturbations).applied)
    expect(seen.filter((one) => one !== 'unchanged')).toEqual(
      /pddl.*item-style/.test(name + condition) ? [] : ['holds'],
    )
  })
})
