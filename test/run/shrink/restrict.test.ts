import { describe, expect, it } from 'vitest'
import { perturbations } from '../../../perturbations/index.js'
import { type Change, changeId, restrict } from '../../../src/run/shrink/restrict.js'
import { openEnvironment } from '../../../src/environments/index.js'
import type { AppliedPerturbation, Environment, Task, World } from '../../../src/index.js'
import { createRandom, definePerturbation, perturb, textOf } from '../../../src/index.js'
import { parseCondition, placeCondition } from '../../../src/run/conditions.js'
import { createToy } from '../../toy-environment.js'
import { syncWorld } from '../../sync-world.js'
import { inProse } from '../../text-hooks.js'

const begin = (environment: Environment, applied: readonly AppliedPerturbation[], task: Task) =>
  perturb(environment, applied).begin(task, createRandom('7'))

/** Everything that an agent reads in an episode, its dose, and what happens to each action. */
async function readOf(world: World, actions: readonly string[]): Promise<unknown> {
  const { forms, ...briefing } = world.briefing
  const turns = []
  for (const action of actions) {
    const turn = await world.step(action)
    turns.push([action, textOf(turn.observation), turn.command, turn.understood, turn.failed, turn.ended])
    if (turn.ended !== false) break
  }
  const lists = await world.admissible?.()
  return {
    briefing: { ...briefing, knownForms: [] },
    forms: forms.map(({ template }) => template),
    opening: textOf(world.opening),
    turns,
    lists,
  }
}

const environments = await Promise.all(['household', 'pddl'].map((name) => openEnvironment(name)))
const stacks = ['synonyms+item-style+action-failures', 'item-synonyms+item-style:style=hash', 'goal-paraphrase+symbols']
const conditions = [
  ...perturbations.filter(({ environment }) => environment === undefined).map(({ name }) => name),
  ...stacks,
]

describe.each(environments.map((one) => [one.name, one] as const))('on %s', (name, environment) => {
  it.each(conditions.filter((condition) => condition !== 'distractor-objects' || environment.enlarge !== undefined))(
    'all changes are the condition and no changes the clean environment, to the byte: %s',
    async (condition) => {
      const { applied } = placeCondition(parseCondition(condition, perturbations), [name], perturbations)
      const task = environment.tasks[20]!
      const clean = syncWorld(await begin(environment, [], task))
      const plan = [...clean.solve()!, 'look', 'nonsense']
      const perturbed = await begin(environment, applied, task)
      const translate = perturbed as World & { fromEnvironment(command: string): string }
      const said = plan.slice(0, 12).flatMap((command) => [command, translate.fromEnvironment(command)])
      const found = new Map<string, Change>()
      const all = await begin(
        environment,
        restrict(applied, (one) => Boolean(found.set(changeId(one), one))),
        task,
      )
      expect(await readOf(all, said)).toEqual(await readOf(perturbed, said))
      expect(all.dose!()).toEqual(perturbed.dose!())
      const nothing = await begin(
        environment,
        restrict(applied, () => false),
        task,
      )
      expect(await readOf(nothing, said)).toEqual(await readOf(clean, said))
      expect(Object.values({ ...nothing.dose!(), leaks: 0 }).every((count) => count === 0)).toBe(true)
      if (['placebo', 'clean-repeats'].includes(condition)) expect(found.size).toBe(0)
    },
  )
})

/** The texts of the toy under some changes of a condition. */
async function toyWith(
  condition: string | readonly AppliedPerturbation[],
  ids: readonly string[],
  actions: readonly string[],
) {
  const toy = createToy()
  const applied = typeof condition === 'string' ? parseCondition(condition, perturbations).applied : condition
  const world = await begin(
    toy,
    restrict(applied, (change) => ids.includes(changeId(change))),
    toy.tasks[0]!,
  )
  const turns = []
  for (const action of actions) {
    const { observation, command, failed } = await world.step(action)
    turns.push([textOf(observation), command, failed])
  }
  return {
    forms: world.briefing.forms.map(({ template }) => template),
    goal: world.briefing.goal,
    names: world.names,
    turns,
  }
}

describe('a part of a condition', () => {
  it('rewords single forms, and refuses the old wording of these alone', async () => {
    const go = definePerturbation({
      ...{ name: 'words', summary: '', source: '', promise: 'invariant' },
      open: () => ({ form: (template) => template.replace(/^(go|take)/, 'do-$1') }),
    })
    const { forms, turns } = await toyWith(
      [{ perturbation: go }],
      ['words form go to {recep}'],
      ['go to drawer 1', 'do-go to drawer 1', 'take pen 1 from drawer 1'],
    )
    expect(forms.slice(0, 2)).toEqual(['do-go to {recep}', 'take {obj} from {recep}'])
    expect(turns.map(([, command]) => command)).toEqual([undefined, 'go to drawer 1', 'take pen 1 from drawer 1'])
  })

  it('renames single kinds of item, also above a lens that renames them too', async () => {
    const condition = 'agentrefine-4+item-style'
    const { names } = await toyWith(condition, ['item-style name drawer', 'agentrefine-4 name mug'], [])
    const { names: none } = await toyWith(condition, [], [])
    expect(names.filter((name, index) => name !== none[index])).toEqual(['drawer1', 'drawer10', 'mug1', 'mug13'])
  })

  it('mentions left-out kinds in prose by their own name', async () => {
    const things = definePerturbation({
      ...{ name: 'things', summary: '', source: '', promise: 'invariant' },
      open: () => ({
        name: (name) => name.replace('mug', 'cup').replace('drawer', 'box'),
        text: inProse((text) => text.replace(/\bmug\b(?! \d)/g, 'cup').replace(/\bdrawer\b(?! \d)/g, 'box')),
      }),
    })
    const { goal } = await toyWith([{ perturbation: things }], ['things name mug'], [])
    expect(goal).toBe('put a clean cup in drawer 10.')
  })

  it('has single failures, counted in each episode', async () => {
    const fails = definePerturbation({
      ...{ name: 'fails', summary: '', source: '', promise: 'harder' },
      open: () => ({ act: (_, { turn }) => (turn % 2 === 0 ? { fails: 'before', answer: 'Busy.' } : undefined) }),
    })
    const looks = Array.from({ length: 6 }, () => 'look')
    const { turns } = await toyWith([{ perturbation: fails }], ['fails act 2'], looks)
    expect(turns.map(([, , failed]) => failed ?? 'no').join(' ')).toBe('no no no before no no')
  })
})
