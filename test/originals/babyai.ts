import { readView } from '../../src/environments/babyai/sight.js'
import { findMoves } from '../../src/environments/babyai/moves.js'
import { wall } from '../../src/environments/babyai/simulator/board.js'
import { levelNumbers } from '../../src/environments/babyai/simulator/levels.js'
import { type MadeLevel, type Simulation, makeLevel } from '../../src/environments/babyai/simulator/simulation.js'
import { encodeView } from '../../src/environments/babyai/simulator/view.js'
import type { Episode, Original, State } from './original.js'

/** Every level of AgentBoard in Minigrid 2.3.0, from fresh seeds, by Minigrid's own actions. */
export const babyai: Original = {
  name: 'babyai',
  driver: 'play_babyai.py',
  episodes({ random, isShort }) {
    const [seeds, steps] = isShort ? [2, 40] : [20, 80]
    const found: Episode[] = []
    for (const level of levelNumbers) {
      for (let number = 0; number < seeds; number++) {
        const seed = random.int(1_000_000_000)
        const made = makeLevel(level, seed)
        const name = `BabyAI-${made.name}-v0`
        const simulation = made.start()
        const own = random.fork(`${name}/${String(seed)}`)
        let played = 0
        const path: number[] = []
        found.push({
          id: `${name}, seed ${String(seed)}`,
          begin: { name, seed },
          ours: () => ({
            opening: { ...stateOf(simulation, made), score: 0, done: false },
            step(action) {
              const { verdict, reward } = simulation.step(Number(action))
              return { ...stateOf(simulation), score: reward, done: verdict !== 'continue' }
            },
          }),
          next({ done }) {
            if (done || played++ >= steps) return undefined
            if (path.length === 0 && own.int(4) > 0) {
              const { possible } = findMoves(simulation.board, readView(simulation.board, simulation.view()))
              path.push(...own.pick([...possible.values()]))
            }
            return String(path.shift() ?? own.int(7))
          },
        })
      }
    }
    return found
  },
}

function stateOf(simulation: Simulation, made?: MadeLevel): Pick<State, 'observation' | 'valid'> {
  const { board, mission, maxSteps } = simulation
  const cells: unknown[] = []
  const walls: number[] = []
  board.cells.forEach((thing, cell) => {
    if (thing === wall) walls.push(cell)
    if (thing <= wall) return
    const { kind, colour } = board.things[thing]!
    const place = [cell % board.width, Math.floor(cell / board.width)]
    cells.push([...place, kind, colour, kind === 'door' ? board.doors[thing]! : 0, ''])
  })
  function nameOf(thing: number | undefined): string {
    return thing === undefined ? '' : `${board.things[thing]!.colour} ${board.things[thing]!.kind}`
  }
  const { state, hasUint32 } = made?.random ?? {}
  const state_ = {
    ...(made && { mission, maxSteps, drawn: [String(state), Number(hasUint32)] }),
    size: [board.width, board.height],
    agent: [board.agent.x, board.agent.y, board.direction],
    carrying: nameOf(board.carrying),
    walls,
    cells,
    view: encodeView(board, simulation.view()),
  }
  return { observation: JSON.stringify(state_), valid: [] }
}
