import { findMoves } from '../moves.js'
import { readView, runPath } from '../sight.js'
import type { Board } from '../simulator/board.js'
import type { Simulation } from '../simulator/simulation.js'
import { actions } from '../simulator/verifier.js'
import { poseAt } from './route.js'
import { type Stage, nextStage } from './stage.js'

/** Longer than any solution; a plan of this length goes in circles. */
const maxActions = 150

/**
 * Solves a level in the text game's own actions with full knowledge of the board. Each step takes the action that leads
 * closest to the next subtask. Undefined if the goal cannot be reached, for example if a key is behind the door that it
 * opens.
 */
export function solveLevel(level: Simulation): readonly string[] | undefined {
  const simulation = level.copy()
  const solution: string[] = []
  while (solution.length < maxActions) {
    const stage = nextStage(simulation)
    if (stage === undefined) return undefined
    const command = chooseCommand(simulation, stage)
    if (command === undefined) return undefined
    solution.push(command.command)
    runPath(simulation, command.path)
    if (simulation.done().every(Boolean)) return solution
  }
  return undefined
}

interface Command {
  readonly command: string
  readonly path: readonly number[]
}

function chooseCommand(simulation: Simulation, stage: Stage): Command | undefined {
  const { board } = simulation
  const { possible } = findMoves(board, readView(board, simulation.view()))
  const commands = [...possible].map(([command, path]) => ({ command, path })).filter(({ path }) => path.length > 0)
  const doneBefore = simulation.done().filter(Boolean).length
  const here = stage.route.distance(poseAt(board, board.agent, board.direction))
  const onRoute = stage.route.cells(poseAt(board, board.agent, board.direction))
  let best: Command | undefined
  let least = here
  for (const command of commands) {
    const last = command.path.at(-1)
    const isHandling = last === actions.pickup || last === actions.drop
    // Picking up or dropping another thing can block a later subtask.
    if (isHandling && last !== stage.action) continue
    const after = simulation.copy()
    const ran = runPath(after, command.path)
    if (after.done().filter(Boolean).length > doneBefore) return command
    const isSubtask = last === stage.action && ran.steps === command.path.length
    if (isSubtask && isDone(simulation, after, stage)) return command
    if (isHandling) continue
    if (!opensOnly(board, after.board, onRoute)) continue
    const distance = stage.route.distance(poseAt(after.board, after.board.agent, after.board.direction))
    if (distance < least) [best, least] = [command, distance]
  }
  if (best !== undefined) return best
  const opening = commands.find(({ path }) => path.length === 1 && path[0] === actions.toggle)
  return opening ?? commands[0]
}

/** Whether the subtask of a stage was done from one of its poses. */
function isDone(before: Simulation, after: Simulation, { route, action }: Stage): boolean {
  const { board } = after
  if (route.distance(poseAt(board, board.agent, board.direction)) > 0) return false
  return action === actions.toggle || before.board.carrying !== board.carrying
}

/** Whether every door whose state has changed is on the route. */
function opensOnly(before: Board, after: Board, onRoute: ReadonlySet<number>): boolean {
  return before.doors.every((state, door) => {
    const place = before.places[door]
    return state === after.doors[door] || (place !== undefined && onRoute.has(place.y * before.width + place.x))
  })
}
