import { describe, expect, it } from 'vitest'
import { hashOf } from '../../../src/core/episode.js'
import { wall } from '../../../src/environments/babyai/simulator/board.js'
import { levelNumbers } from '../../../src/environments/babyai/simulator/levels.js'
import type { MadeLevel } from '../../../src/environments/babyai/simulator/simulation.js'
import { makeLevel } from '../../../src/environments/babyai/simulator/simulation.js'
import { encodeView } from '../../../src/environments/babyai/simulator/view.js'
import { sharedData, sharedRows } from '../../shared-data.js'

interface RecordedLevel {
  readonly level: number
  readonly name: string
  readonly seed: number
  readonly rng_after: { readonly state: string; readonly has_uint32: number }
  readonly rejections: readonly string[]
}

/** A level in the format of the recordings. */
function describeLevel(made: MadeLevel) {
  const simulation = made.start()
  const { board, mission, maxSteps } = simulation
  const cells: object[] = []
  let walls = ''
  board.cells.forEach((thing, cell) => {
    walls += thing === wall ? '#' : '.'
    if (thing <= wall) return
    const { kind, colour } = board.things[thing]!
    cells.push({
      x: cell % board.width,
      y: Math.floor(cell / board.width),
      t: kind,
      c: colour,
      ...(kind === 'door' && { s: board.doors[thing] }),
    })
  })
  return {
    name: `BabyAI-${made.name}-v0`,
    w: board.width,
    h: board.height,
    walls,
    cells,
    agent: [board.agent.x, board.agent.y, board.direction],
    mission,
    max_steps: maxSteps,
    rejections: made.rejections,
    image: encodeView(board, simulation.view()),
  }
}

describe.skipIf(sharedData === undefined)('recorded levels', () => {
  it('are generated identically: walls, objects, agent, mission, view, rejections and the final state of the generator', () => {
    const rows = sharedRows<RecordedLevel>('babyai/levels.jsonl').filter(({ level }) => levelNumbers.includes(level))
    expect(new Set(rows.map(({ level }) => level)).size).toBe(levelNumbers.length)
    expect(rows.some(({ rejections }) => rejections.length > 3)).toBe(true)
    for (const row of rows) {
      const made = makeLevel(row.level, row.seed)
      const found = describeLevel(made)
      expect(row, `level ${String(row.level)}, seed ${String(row.seed)}`).toMatchObject(found)
      expect({ state: String(made.random.state), kept: made.random.hasUint32 }).toEqual({
        state: row.rng_after.state,
        kept: row.rng_after.has_uint32 === 1,
      })
    }
  })
})

describe('levels', () => {
  it('are those that matched the recordings', () => {
    const made = levelNumbers.flatMap((level) => [1234, 99].map((seed) => describeLevel(makeLevel(level, seed))))
    expect(hashOf(made, 16)).toMatchInlineSnapshot(`"62baf00b9a42de60"`)
  })
})
