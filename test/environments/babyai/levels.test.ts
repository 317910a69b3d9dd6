import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createRandom, hashOf, textOf } from '../../../src/index.js'
import { wall } from '../../../src/environments/babyai/simulator/board.js'
import { levelNumbers } from '../../../src/environments/babyai/simulator/levels.js'
import { type MadeLevel, makeLevel } from '../../../src/environments/babyai/simulator/simulation.js'
import { encodeView } from '../../../src/environments/babyai/simulator/view.js'
import { sharedData, sharedRows } from '../../shared-data.js'
import { openEnvironment } from '../../../src/environments/index.js'
import { syncWorld } from '../../sync-world.js'
import { control, playAll } from '../../baselines/_play.js'

type RecordedLevel = Readonly<{
  level: number
  seed: number
  rng_after: { readonly state: string; readonly has_uint32: number }
  rejections: readonly string[]
}>

/** A level in the format of the recordings. */
function describeLevel(made: MadeLevel) {
  const simulation = made.start()
  const { board, mission, maxSteps } = simulation
  const { width, height, agent, direction, things, doors } = board
  const all = Array.from(board.cells)
  return {
    ...{ name: `BabyAI-${made.name}-v0`, w: width, h: height },
    walls: all.map((thing) => (thing === wall ? '#' : '.')).join(''),
    cells: all.flatMap((thing, cell) => {
      if (thing <= wall) return []
      const { kind, colour } = things[thing]!
      const place = { x: cell % width, y: Math.floor(cell / width) }
      return [{ ...place, t: kind, c: colour, ...(kind === 'door' && { s: doors[thing] }) }]
    }),
    agent: [agent.x, agent.y, direction],
    ...{ mission, max_steps: maxSteps, rejections: made.rejections },
    image: encodeView(board, simulation.view()),
  }
}

it.skipIf(sharedData === undefined)(
  'recorded levels are generated identically: walls, objects, agent, mission, view, rejections and the final state of the generator',
  () => {
    const rows = sharedRows<RecordedLevel>('babyai/levels.jsonl').filter(({ level }) => levelNumbers.includes(level))
    expect(new Set(rows.map(({ level }) => level)).size).toBe(levelNumbers.length)
    expect(rows.some(({ rejections }) => rejections.length > 3)).toBe(true)
    for (const row of rows) {
      const made = makeLevel(row.level, row.seed)
      const { state, hasUint32 } = made.random
      expect(row, `level ${String(row.level)}, seed ${String(row.seed)}`).toMatchObject({
        ...describeLevel(made),
        rng_after: { state: String(state), has_uint32: Number(hasUint32) },
      })
    }
  },
)

it('levels are those that matched the recordings', () => {
  const made = levelNumbers.flatMap((level) => [1234, 99].map((seed) => describeLevel(makeLevel(level, seed))))
  expect(hashOf(made, 16)).toMatchInlineSnapshot(`"62baf00b9a42de60"`)
})

/** Plays the oracle's solutions of some tasks. @returns the tasks without one, and the longest length */
async function solveAll(split: string, pick: (index: number) => boolean) {
  const environment = await openEnvironment('babyai', { split })
  const unsolved: string[] = []
  let longest = 0
  for (const task of environment.tasks.filter((_, index) => pick(index))) {
    const world = await environment.begin(task, createRandom('oracle'))
    const solution = syncWorld(world).solve()
    if (solution === undefined) unsolved.push(task.id)
    else longest = Math.max(longest, solution.length)
    const turns = []
    for (const action of solution ?? []) turns.push(await world.step(action))
    const played = turns.map(({ understood, ended }) => `${String(understood)} ${String(ended)}`)
    const expected = turns.map((_, index) => `true ${index === turns.length - 1 ? 'success' : 'false'}`)
    expect({ task, played }).toEqual({ task, played: expected })
  }
  return { unsolved, longest }
}

it('the oracle solves every task of the benchmark well within its 30 steps', async () => {
  const { unsolved, longest } = await solveAll('test', () => true)
  expect(unsolved).toEqual([])
  expect(longest).toBeLessThanOrEqual(30)
})

it('the oracle finds levels that cannot be solved: a key behind the door that it opens', async () => {
  const { unsolved } = await solveAll('train', (index) => index >= 150 && index < 177)
  expect(unsolved).toEqual(['train/156', 'train/164'])
})

it('the oracle continues from any state, even if the agent holds the object that it has to go to', async () => {
  const environment = await openEnvironment('babyai', { split: 'train' })
  const world = await environment.begin(environment.find('train/176'), createRandom('oracle'))
  expect(textOf(world.opening)).not.toContain('red ball')
  for (const action of ['turn left', 'pickup red ball 1']) {
    expect(await world.step(action)).toMatchObject({ understood: true, ended: false })
  }
  const solution = syncWorld(world).solve()!
  expect(solution).toContain('drop')
  let ended: unknown = false
  for (const action of solution) ({ ended } = await world.step(action))
  expect(ended).toBe('success')
})

it.skipIf(sharedData === undefined)('AgentBoard’s labels give the oracle its original result', async () => {
  const babyai = await openEnvironment('babyai', { labels: join(sharedData!, 'agentboard_labels/babyai_test.jsonl') })
  const played = await playAll(control('oracle'), babyai, babyai.tasks)
  const results = played.map(({ result }) => result)
  expect(results).toHaveLength(112)
  expect(results.filter(({ outcome }) => outcome === 'success')).toHaveLength(76)
  expect(((100 * results.reduce((sum, { progress }) => sum + progress, 0)) / 112).toFixed(2)).toBe('80.04')
})
