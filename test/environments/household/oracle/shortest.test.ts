import { describe, expect, it } from 'vitest'
import type { Random } from '../../../../src/core/random.js'
import { createRandom } from '../../../../src/core/random.js'
import type { Engine } from '../../../../src/environments/household/engine/engine.js'
import { compileGame } from '../../../../src/environments/household/engine/engine.js'
import { solveHousehold } from '../../../../src/environments/household/oracle/solve.js'
import type { Goal, TaskKind } from '../../../../src/environments/household/scenes/goal.js'
import { taskKinds } from '../../../../src/environments/household/scenes/goal.js'
import { rooms } from '../../../../src/environments/household/scenes/rooms.js'
import { problemText } from '../../../../src/environments/household/scenes/problem.js'
import type { Item, Receptacle } from '../../../../src/environments/household/scenes/scene.js'
import { domainText } from '../../../../src/environments/household/text/domain.js'
import { applicableActions, applyAction, goalHolds } from '../../../../src/environments/pddl/play.js'

const verbOf = (command: string): string => command.split(' ', 1)[0]!

const goals: Readonly<Record<TaskKind, readonly [object: string, target: string]>> = {
  pick_and_place_simple: ['Mug', 'Cabinet'],
  look_at_obj_in_light: ['Mug', 'DeskLamp'],
  pick_clean_then_place_in_recep: ['Mug', 'CounterTop'],
  pick_heat_then_place_in_recep: ['Mug', 'Cabinet'],
  pick_cool_then_place_in_recep: ['Mug', 'CoffeeMachine'],
  pick_two_obj_and_place: ['Mug', 'Cabinet'],
}

/**
 * A room of a few objects in which every complication is likely: shared places, doors, objects in two receptacles, cold
 * ones.
 */
function tinyGame(kind: TaskKind, random: Random): Engine {
  const [object, target] = goals[kind]
  const appliance = { pick_clean_then_place_in_recep: 'SinkBasin', pick_heat_then_place_in_recep: 'Microwave' }
  const kinds = ['CounterTop', target === 'DeskLamp' ? 'Shelf' : target, 'Cabinet']
  kinds.push((appliance as Partial<Record<TaskKind, string>>)[kind] ?? 'Fridge')
  const receptacles = kinds.map((receptacle, index): Receptacle => ({
    id: `${receptacle}_bar_${index}`,
    kind: receptacle,
    location: `loc_bar_${random.int(4)}`,
    openable: receptacle === 'Fridge' || (receptacle === 'Cabinet' && random.next() < 0.7),
    point: { x: 0, y: 0, z: 0 },
  }))
  const item = (name: string, index: number): Item => {
    const inside = [...new Set([random.pick(receptacles), ...(random.next() < 0.3 ? [random.pick(receptacles)] : [])])]
    return { id: `${name}_bar_${index}`, kind: name, location: inside[0]!.location, inside: inside.map(({ id }) => id) }
  }
  const mugs = Array.from({ length: 2 + random.int(2) }, (_, index) => item(object, index))
  // No receptacle accepts a paper towel roll: an agent that takes it can never put it down.
  const other = item(random.pick(['Pencil', 'Plate', 'PaperTowelRoll']), 7)
  const lamps = kind === 'look_at_obj_in_light' ? [item('DeskLamp', 8)] : []
  const problem = problemText('tiny', {
    scene: { room: rooms().kitchen, number: 1, receptacles, kinds: new Set(kinds), overlaps: [], fixtures: lamps },
    goal: { kind, object, target } satisfies Goal,
    items: [...mugs, other],
    cool: random.next() < 0.3 ? [mugs[0]!.id] : [],
    nested: [],
    start: 'loc_bar_9',
  })
  const texts = { pddlDomain: domainText('old'), pddlProblem: problem }
  return compileGame({ ...texts, generation: 'old', goalSentence: 'tidy up.' }, 'tiny').start()
}

/** The minimum number of commands to the goal by breadth-first search; undefined if the goal is out of reach. */
function fewest({ game: { task }, facts }: Engine): number | undefined {
  const idle = ['look', 'inventory', 'examinereceptacle', 'examineobject', 'sliceobject']
  const seen = new Set([facts.key()])
  let front = [facts.clone()]
  for (let length = 0; front.length > 0; length++) {
    if (front.some((state) => goalHolds(task, state))) return length
    const next: typeof front = []
    for (const state of front) {
      for (const ground of applicableActions(task, state, { dropIdle: true })) {
        if (idle.includes(ground.action.name)) continue
        const after = state.clone()
        applyAction(task, ground, after)
        const key = after.key()
        if (!seen.has(key)) next.push(after)
        seen.add(key)
      }
    }
    front = next
  }
  return undefined
}

describe('solveHousehold', () => {
  it.each(taskKinds)('is never longer than a search through all states, from any state of a game: %s', (kind) => {
    const lengths = new Set<number | undefined>()
    for (let seed = 0; seed < 120; seed++) {
      const random = createRandom(`${kind} ${seed}`)
      const engine = tinyGame(kind, random)
      for (let steps = random.int(14); steps > 0; steps--) {
        const commands = engine.admissible().filter((command) => !/^(look|inventory|examine|slice)/.test(command))
        if (commands.length === 0) break
        const verb = random.pick([...new Set(commands.map(verbOf))])
        engine.step(random.pick(commands.filter((command) => verbOf(command) === verb)))
      }
      const plan = solveHousehold(engine)
      expect({ kind, seed, length: plan?.length }).toEqual({ kind, seed, length: fewest(engine) })
      for (const command of plan ?? []) expect(engine.step(command).accepted).toBe(true)
      expect(engine.won).toBe(plan !== undefined)
      lengths.add(plan?.length)
    }
    expect(lengths).toContain(undefined)
    expect(lengths.size).toBeGreaterThan(5)
  })
})
