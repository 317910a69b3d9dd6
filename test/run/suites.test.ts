import { describe, expect, it } from 'vitest'
import { perturbations } from '../../perturbations/index.js'
import { type Lens, definePerturbation } from '../../src/core/perturbation.js'
import { conditionsIn } from '../../src/run/plan.js'
import { cells, countCells } from '../../src/run/cells.js'
import type { GivenExperiment } from '../../src/run/experiment-schema.js'
import { playCell } from '../../src/run/play-cell.js'
import { type Entered, createRegistry } from '../../src/run/registry.js'
import { suites } from '../../src/run/suites.js'
import { threeRooms } from '../environments/three-rooms.js'
import { complete, prepare } from './_experiments.js'

/** Perturbations of a plug-in: two whose words collide, and one whose names do. */
const reword = (name: string, lens: Lens): Entered => ({
  kind: 'lens',
  path: 'own.js',
  definition: definePerturbation({ name, summary: '', source: '', promise: 'invariant', open: () => lens }),
})
const fetching = (verbs: RegExp): Lens => ({
  form: (template) => (verbs.test(template) ? 'fetch {obj} {recep}' : template),
})
const own = createRegistry([
  reword('fetch', fetching(/^take/)),
  reword('bring', fetching(/^(?:put|move)/)),
  reword('one-name', { name: (name) => name.replace(/ \d+$/, '') }),
  { kind: 'environment', path: 'own.js', definition: threeRooms },
])

const prepareOwn = (given: GivenExperiment) =>
  prepare({}, { environments: ['household'], models: ['reader'], ...given }, { registry: own })
const prepareOne = (flags: GivenExperiment, file?: GivenExperiment) =>
  prepare({ tasks: 1, models: ['reader'], environments: ['household'], ...flags }, file)

const labelsOf = (conditions: readonly { readonly label: string }[]) => conditions.map(({ label }) => label)
const labels = async (flags: GivenExperiment, file?: GivenExperiment) =>
  labelsOf((await prepareOne(flags, file)).grid.plan.conditions)

describe('draws', () => {
  it.each<[string, GivenExperiment, readonly string[]]>([
    [
      'all that have several wordings, by one number',
      { draws: 2, perturbations: ['synonyms', 'agentrefine-1', 'clean-repeats'] },
      ['synonyms', 'synonyms:draw=2', 'agentrefine-1', 'clean-repeats', 'clean-repeats:draw=2'],
    ],
    [
      'one perturbation, by a number of its own',
      { perturbations: [{ name: 'synonyms', draws: 2 }, 'list-order'] },
      ['synonyms', 'synonyms:draw=2', 'list-order'],
    ],
    ['one draw that is given', { draws: 3, perturbations: ['synonyms:draw=4'] }, ['synonyms:draw=4']],
    [
      'stacks, draw by draw',
      { draws: 2, perturbations: ['synonyms:intensity=0.5+item-style+list-order'] },
      ['synonyms:intensity=0.5+item-style+list-order', 'synonyms:intensity=0.5:draw=2+item-style+list-order:draw=2'],
    ],
  ])('multiply %s', async (_, given, expected) => {
    expect(await labels(given)).toEqual(['none', ...expected])
    expect(await labels({}, given)).toEqual(['none', ...expected])
  })

  it('are all meant where the primary endpoint names their perturbation', async () => {
    const perturbations = ['synonyms', 'list-order']
    const { grid } = await prepareOne({ draws: 2, perturbations, primary: { perturbations: ['synonyms'] } })
    expect(grid.plan.primary!.conditions).toEqual(['synonyms', 'synonyms:draw=2'])
  })

  it.each<[GivenExperiment, string]>([
    [{ draws: 9, perturbations: ['synonyms'] }, "1 to 5, the number of its wordings, got '9'."],
    [{ perturbations: ['argument-order:draw=2'] }, "1 to 1, the number of its wordings, got '2'."],
    [{ perturbations: ['synonyms:draw=1..2'] }, "1 to 5, the number of its wordings, got '1..2'."],
  ])('that do not exist are refused: %j', async (given, message) => {
    const refused = prepareOne({}, given)
    await expect(refused).rejects.toThrow(/^grid\.yaml: perturbations\.0: /)
    await expect(refused).rejects.toThrow(`takes a whole number from ${message}`)
  })
})

describe('clean repeats of a control', () => {
  it('begin with a copy of the clean twin, and are plays of their own from the second draw on', async () => {
    const axes = { tasks: 2, models: ['random'], seeds: 1, temperatures: [1], stepLimit: 8 }
    const { grid } = await prepareOne({ ...axes, perturbations: [{ name: 'clean-repeats', draws: 3 }] })
    const played = await Promise.all(cells(grid.plan).map((cell) => playCell(grid, cell)))
    const said = (condition: string) =>
      played
        .filter(({ row }) => row.condition === condition)
        .map(({ trajectory }) => trajectory.steps.map(({ action }) => action).join())
    expect(said('clean-repeats')).toEqual(said('none'))
    const all = ['none', 'clean-repeats:draw=2', 'clean-repeats:draw=3'].map((condition) => said(condition).join())
    expect(new Set(all).size).toBe(3)
    expect(played.every(({ row }) => row.seed === 0)).toBe(true)
  })
})

describe('planning', () => {
  it.each<[GivenExperiment, string]>([
    [
      { perturbations: ['fetch+bring'] },
      "collides with 'fetch {obj} {recep}': 'fetch alarmclock 1 bed 1' would be both.",
    ],
    [{ perturbations: ['one-name'] }, "The items 'book 3' and 'book 2' would both be called 'book'."],
    [{ environments: ['three-rooms'], perturbations: ['synonyms'] }, "'synonyms' needs a vocabulary with 'actions'"],
    [{ perturbations: ['synonyms:environment=babyai'] }, "Unknown environment of this experiment 'babyai'."],
  ])('refuses what cannot be opened, with its place: %j', async (given, message) => {
    await expect(prepareOwn(given)).rejects.toThrow(/^grid\.yaml: perturbations\.0: /)
    await expect(prepareOwn(given)).rejects.toThrow(message)
  })

  it('plays a condition in the environments that it names alone', async () => {
    const perturbations = ['synonyms:environment=babyai', 'alfworld-2024:environment=household']
    const { grid } = await prepareOne({ environments: ['household', 'babyai'], perturbations })
    const labelsIn = (name: string) => labelsOf(conditionsIn(grid.plan.conditions, name))
    expect(labelsIn('household')).toEqual(['none', 'alfworld-2024:environment=household'])
    expect(labelsIn('babyai')).toEqual(['none', 'synonyms:environment=babyai'])
  })
})

describe('a suite', () => {
  it('full has what is made for every environment, and nothing adversarial', () => {
    const [placebo, other] = perturbations.filter(({ name }) => /^(?:placebo|agentrefine-1)$/.test(name))
    const swapped = { ...placebo!, name: 'swapped', adversarial: true as const }
    expect(suites['full']!([placebo!, other!, swapped]).perturbations).toEqual(['placebo'])
  })

  it('stands beside further perturbations, and is replaced by those of flags alone', async () => {
    const four = [1, 2, 3, 4].map((number) => `agentrefine-${String(number)}`)
    const both = await labels({ suite: 'agentrefine', perturbations: ['unicode', 'placebo'] })
    expect(both).toEqual(['none', ...four, 'unicode', 'placebo'])
    expect(await labels({ perturbations: ['unicode'] }, { suite: 'core' })).toEqual(['none', 'unicode'])
    expect(await labels({ suite: 'agentrefine' }, { perturbations: ['unicode'] })).not.toContain('unicode')
  })

  it('is core for models behind a server, and AgentRefine’s for controls', () => {
    const conditions = (given: GivenExperiment) => complete(given).experiment.perturbations
    expect(conditions({ models: ['m'], baseUrl: 'http://localhost:1/v1' })).toContain('synonyms:draw=3')
    expect(conditions({ models: ['reader'] })).toContain('agentrefine-4')
  })

  it('is refused where there is none of that name', async () => {
    await expect(labels({ suite: 'cores' })).rejects.toThrow("--suite: Unknown suite 'cores'. Did you mean 'core'?")
  })

  it('leaves a family out of an environment that has no words for it, with a note', async () => {
    const { grid, notes } = await prepareOwn({ environments: ['three-rooms'], suite: 'core' })
    expect(notes.filter((note) => note.includes('left out of the suite'))).toMatchInlineSnapshot(`
      [
        "three-rooms: left out of the suite: synonyms needs a vocabulary with 'actions', but the environment 'three-rooms' has none; argument-order changes nothing there; item-style changes nothing there; decoy-actions changes nothing there; list-order changes nothing there.",
      ]
    `)
    expect(labelsOf(grid.plan.conditions)).not.toContain('synonyms:draw=2')
  })

  it('leaves a family out of an environment in which it changes nothing, with a note', async () => {
    const environments = ['household', 'babyai', 'pddl']
    const { grid, notes } = await prepareOne({ suite: 'full', tasks: 3, environments, seeds: 1, temperatures: [0] })
    expect(notes.filter((note) => note.includes('left out of the suite'))).toMatchInlineSnapshot(`
      [
        "pddl: left out of the suite: distractor-objects needs an environment that can add objects to its tasks, but 'pddl' cannot with these options; item-style changes nothing there.",
      ]
    `)
    const { plan } = grid
    const here = (environment: string) => labelsOf(conditionsIn(plan.conditions, environment))
    expect(here('household')).toContain('item-style')
    expect(here('pddl')).not.toContain('item-style')
    expect(cells(plan).length).toBe(countCells(plan))
    expect(cells(plan).length).toBe(3 * environments.flatMap(here).length)
    for (const { environment, condition } of cells(plan)) expect(here(environment.name)).toContain(condition.label)
  })
})

describe('the conditions of an experiment that names none', () => {
  const conditionsOf = (environment: string, suite?: string): readonly string[] =>
    complete({ environments: [environment], models: ['random'], suite }, undefined, { registry: own }).experiment
      .perturbations

  it('are rewordings of the household where it is played, and else the families that need no words of a world', () => {
    expect(conditionsOf('household')).toContain('agentrefine-1')
    for (const other of ['process', 'babyai', threeRooms.name]) {
      expect(conditionsOf(other)).not.toContain('agentrefine-1')
      expect(conditionsOf(other)).toEqual(conditionsOf(other, 'core'))
    }
  })
})
