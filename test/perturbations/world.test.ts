import { describe, expect, it } from 'vitest'
import distractorObjects from '../../perturbations/distractor-objects.js'
import listVisibility from '../../perturbations/list-visibility.js'
import misinformation from '../../perturbations/misinformation.js'
import { openEnvironment } from '../../src/environments/index.js'
import { type AppliedPerturbation, type Task, type World, createRandom, perturb, textOf } from '../../src/index.js'

const environments = {
  household: await openEnvironment('household'),
  babyai: await openEnvironment('babyai'),
  pddl: await openEnvironment('pddl'),
} as const

/** How to see once more what was just seen. */
const lookAgain = {
  household: (action: string): readonly string[] => [action.replace(/^(?:go to|open)/, 'examine')],
  babyai: (): readonly string[] => ['turn left', 'turn right'],
  pddl: (): readonly string[] => ['look around'],
} as const

describe.each(Object.keys(lookAgain) as (keyof typeof lookAgain)[])('misinformation on %s', (name) => {
  const environment = environments[name]
  const tasks = environment.tasks.filter((_, place) => place % 8 === 0)

  it('misstates one fact at most five times, each corrected by a second look, and does not stop an agent that takes one', async () => {
    let corrupted = 0
    for (const task of tasks) {
      const [perturbed, clean] = [
        await perturb(environment, [{ perturbation: misinformation }]).begin(task, createRandom('0')),
        await environment.begin(task, createRandom('0')),
      ]
      expect(textOf(perturbed.opening)).toBe(textOf(clean.opening))
      const step = async (action: string, world: World = perturbed) => {
        const turn = await world.step(action)
        return { ...turn, text: textOf(turn.observation) }
      }
      let [said, ended]: [number, boolean] = [0, false]
      for (const action of (await clean.solve!())!) {
        const first = await step(action)
        ended = first.ended === 'success'
        if (ended || first.text === first.original) continue
        said++
        const shared = [...first.original].findIndex((letter, place) => letter !== first.text[place])
        const sentence = first.original
          .slice(first.original.lastIndexOf('.', shared) + 1)
          .split('.')[0]!
          .trim()
        expect(first.text).not.toContain(sentence)
        const looks = []
        for (const look of lookAgain[name](action)) looks.push(await step(look))
        expect(looks[0]!.text).toBe(looks[0]!.original)
        expect(looks.at(-1)!.text).toContain(sentence.split(': ').at(-1))
        said += looks.filter(({ text, original }) => text !== original).length
      }
      expect(ended).toBe(true)
      expect(said).toBeLessThanOrEqual(5)
      expect(perturbed.dose!().views ?? 0).toBeGreaterThanOrEqual(said)
      corrupted += said
    }
    expect(corrupted).toBeGreaterThan(tasks.length / 4)
  })
})

describe.each(['household', 'babyai'] as const)('distractor-objects on %s', (name) => {
  const environment = environments[name]
  const begin = async (task: Task, settings: Omit<AppliedPerturbation, 'perturbation'> = {}, seed = '0') =>
    perturb(environment, [{ perturbation: distractorObjects, ...settings }]).begin(task, createRandom(seed))

  it('add to every task what its goal does not mean, and the expert solves it within 30 steps where it did before', async () => {
    let [changed, tooLong] = [0, 0]
    const tasks = environment.tasks.filter((_, place) => place % 4 === 0)
    for (const task of tasks) {
      const [clean, enlarged] = [await environment.begin(task, createRandom('0')), await begin(task)]
      expect(enlarged.briefing.goal).toBe(clean.briefing.goal)
      const before = (await clean.solve!())!.length
      let [steps, ended]: [number, string | false] = [0, false]
      for (const action of (await enlarged.solve!()) ?? []) {
        ended = (await enlarged.step(action)).ended
        steps++
        if (ended !== false) break
      }
      expect([task.id, ended]).toEqual([task.id, 'success'])
      if (before <= 30 && steps > 30) tooLong++
      const { objects = 0 } = enlarged.dose!()
      if (objects > 0) changed++
    }
    expect([tooLong, changed > 0.7 * tasks.length]).toEqual([0, true])
  }, 60_000)

  it('are the same for every seed, others in another draw, fewer at a lower intensity, and none at 0', async () => {
    const task = environment.tasks[environment.tasks.length - 1]!
    const read = async (settings: Omit<AppliedPerturbation, 'perturbation'>, seed?: string) => {
      const world = await begin(task, settings, seed)
      const texts = [textOf(world.opening)]
      for (const action of (await world.solve!())!) texts.push(textOf((await world.step(action)).observation))
      return { all: texts.join() + [...world.names].join(), objects: world.dose!().objects ?? 0 }
    }
    const [one, again, half, none] = [
      await read({}),
      await read({}, '7'),
      await read({ intensity: 0.5 }),
      await read({ intensity: 0 }),
    ]
    expect(again).toEqual(one)
    expect([none.objects, half.objects > 0, half.objects < one.objects]).toEqual([0, true, true])
    expect(one.all).not.toBe(none.all)
  })
})

it('objects cannot be added to games from files, as is said before anything is played', async () => {
  const { enlarge, ...fromFiles } = environments.household
  expect(enlarge).toBeDefined()
  const begun = perturb(fromFiles, [{ perturbation: distractorObjects }]).begin(fromFiles.tasks[0]!, createRandom('0'))
  await expect(begun).rejects.toThrow("'distractor-objects' needs an environment that can add objects to its tasks")
})

describe.each(Object.keys(lookAgain) as (keyof typeof lookAgain)[])('list-visibility on %s', (name) => {
  it.each([
    ['never', [false, false]],
    ['on-request', [false, true]],
    ['always', [true, true]],
  ])('shown=%s', async (shown, expected) => {
    const environment = environments[name]
    const task = environment.tasks[0]!
    const one = { perturbation: listVisibility, options: { shown } }
    const world = await perturb(environment, [one]).begin(task, createRandom('0'))
    const plan = (await world.solve!())!
    const isListed = async (action: string): Promise<boolean> => {
      const { observation } = await world.step(action)
      const possible = await world.admissible!()
      return observation.some(
        (piece) =>
          typeof piece !== 'string' &&
          'list' in piece &&
          piece.list.length > 0 &&
          (shown !== 'always' || piece.list.length >= possible.length),
      )
    }
    expect([await isListed(plan[0]!), await isListed(world.briefing.help[0]!)]).toEqual(expected)
  })
})
