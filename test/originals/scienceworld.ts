import { join } from 'node:path'
import { Engines } from '../../src/environments/scienceworld/engine.js'
import { checkValidActions } from '../../src/environments/scienceworld/forms.js'
import { type Variation, isElectrical, taskTypes } from '../../src/environments/scienceworld/tasks.js'
import { Game } from '../../src/environments/scienceworld/world.js'
import { type Episode, type Original, type Plan, type State, follow, wander } from './original.js'

const simplifications = ['selfWateringFlowerPots', 'openContainers', 'openDoors', 'noElectricalAction']

/**
 * All types of task in ScienceWorld's Python package, with the engine of its wheel: one variation by the engine's own
 * solution, and one by random actions on the way.
 */
export const scienceworld: Original = {
  name: 'scienceworld',
  driver: 'play_scienceworld.py',
  needs: 'java',
  // The order of things in sets would otherwise depend on what a process did before; see `javaOptions`.
  environment: { JAVA_TOOL_OPTIONS: '-XX:+UnlockExperimentalVMOptions -XX:hashCode=2' },
  episodes,
}

async function episodes({ random, isShort, packages }: Plan): Promise<readonly Episode[]> {
  const options = { jar: join(packages, 'scienceworld', 'scienceworld.jar'), java: 'java', deadlineMs: 120_000 }
  const engines = new Engines(options)
  const types = isShort ? random.shuffle(taskTypes()).slice(0, 6) : taskTypes()
  const found: Episode[] = []
  for (const [index, { name: type, variations }] of types.entries()) {
    // A list takes the package a quarter of a second, and a state has one or two: more would take hours.
    for (let number = 0; number < (isShort ? 1 : 2); number++) {
      const task = { type, variation: random.int(variations) }
      const id = `${type}/${String(task.variation)}`
      const own = random.fork(id)
      const parts = simplifications.filter((part) => !(isElectrical(type) && part === 'noElectricalAction'))
      const rules = { simplifications: parts.join(','), listedAfter: (index + number) % 2 === 1 }
      const begin = { ...task, simplifications: rules.simplifications, again: rules.listedAfter }
      const add = (policy: string, next: Episode['next']): void => {
        found.push({ id: `${id}, ${policy}`, begin, ours: () => play(engines, task, rules), next })
      }
      // Of the short comparison every second task is played by the engine's own solution, which takes time to find.
      const gold = isShort && index % 2 === 0 ? [] : await solutionOf(engines, task, rules.simplifications)
      if (gold.length > 0 && number === 0) add('gold', follow(isShort ? gold.slice(0, 10) : gold))
      else add('random', withChecks(own, wander(own, isShort ? 10 : 40, gold)))
    }
  }
  return found
}

async function play(engines: Engines, task: Variation, rules: ConstructorParameters<typeof Game>[2]) {
  const game = new Game(engines, task, rules)
  const { description, opening } = await game.begin()
  // Nobody asks for the score before the first action.
  let last = { score: Number.NaN, completed: false }
  const state = async (observation: string): Promise<State> => {
    const valid = await game.actions()
    // AgentBoard's own list has another order, and nobody sees it.
    const shown = rules.listedAfter ? [...valid].sort() : valid
    return { observation, score: last.score, done: last.completed, valid: shown }
  }
  return {
    opening: await state(`${description}\n${opening}`),
    async step(action: string) {
      if (action === checkValidActions) {
        const kinds = (await game.kinds()).filter((kind) => !kind.includes('reset'))
        return state(`Choose an action from these valid actions: ${[...kinds, action].join(', ')}`)
      }
      const stepped = await game.step(action)
      last = stepped
      return state(stepped.observation)
    },
    close: () => game.close(),
  }
}

/** One action in eight is AgentBoard's own, for which the engine does not step. */
function withChecks(random: Plan['random'], next: Episode['next']): Episode['next'] {
  return (state) => (random.int(8) === 0 ? next(state) && checkValidActions : next(state))
}

/** The engine's own solution of a task. */
async function solutionOf(engines: Engines, { type, variation }: Variation, given: string): Promise<readonly string[]> {
  const engine = await engines.take()
  await engine.load(type, variation, given, true)
  const gold = await engine.solution()
  engines.release(engine)
  return gold
}
