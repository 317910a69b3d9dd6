import { type Board, type Colour, type Kind, type Place, directions, empty, wall } from './simulator/board.js'
import type { Simulation } from './simulator/simulation.js'
import type { Verdict } from './simulator/verifier.js'
import { type View, encodeView, unseen, viewSize } from './simulator/view.js'

/** A thing in view. */
export interface Sighting {
  readonly kind: Kind
  readonly colour: Colour
  /** `red ball`, `grey wall`, `blue locked door`. */
  readonly name: string
  readonly place: Place
  /** Steps straight ahead, 0 or more. */
  readonly ahead: number
  /** Steps to the right; below 0 to the left. */
  readonly aside: number
}

/** The things in the agent's view. */
export interface Sight {
  /** Everything, walls too, by distance; at equal distance the farther ahead, then the one more to the left. */
  readonly things: readonly Sighting[]
  /** Walls and boxes straight ahead, the nearest first. */
  readonly barriers: readonly Sighting[]
}

const doorWords = ['open', 'closed', 'locked'] as const

/** Reads a view row by row, the farthest first, as AgentBoard does. */
export function readView(board: Board, view: View): Sight {
  const { agent, direction, things } = board
  const { x, y } = directions[direction]!
  const seen: Sighting[] = []
  for (let j = 0; j < viewSize; j++) {
    const ahead = viewSize - 1 - j
    for (let i = 0; i < viewSize; i++) {
      const thing = view[j * viewSize + i]!
      const aside = i - (viewSize - 1) / 2
      if (thing === unseen || thing === empty || (ahead === 0 && aside === 0)) continue
      const place = { x: agent.x + ahead * x - aside * y, y: agent.y + ahead * y + aside * x }
      if (place.x < 0 || place.y < 0) continue
      const { kind, colour } = things[thing]!
      const name =
        kind === 'door' ? `${colour} ${doorWords[board.doors[thing] as 0 | 1 | 2]} door` : `${colour} ${kind}`
      seen.push({ kind, colour, name, place, ahead, aside })
    }
  }
  const distance = ({ ahead, aside }: Sighting): number => ahead + Math.abs(aside)
  const barriers = seen.filter(({ kind, aside }) => aside === 0 && (kind === 'wall' || kind === 'box'))
  return {
    things: seen.sort((a, b) => distance(a) - distance(b)),
    barriers: barriers.sort((a, b) => a.ahead - b.ahead),
  }
}

/** The name of the carried thing; undefined for empty hands. */
export function heldName({ carrying, things }: Board): string | undefined {
  if (carrying === undefined || carrying === wall) return undefined
  const { kind, colour } = things[carrying]!
  return `${colour} ${kind}`
}

/** AgentBoard's observation: what is in view and what is carried. */
export function wordSight({ things, barriers }: Sight, held: string | undefined): string {
  const counts = new Map<string, number>()
  let text =
    things.length === 0
      ? 'You cannot see any objects within sight.'
      : 'In front of you in this room, you can see several objects: '
  for (const { kind, name, ahead, aside } of things) {
    if (kind === 'wall') continue
    const number = (counts.get(name) ?? 0) + 1
    counts.set(name, number)
    const where =
      aside === 0
        ? `right in front of you ${String(ahead)} steps away. `
        : `${String(ahead)} steps in front of you and ${String(Math.abs(aside))} steps to your ${aside > 0 ? 'right' : 'left'}. `
    text += `There is a ${name} ${String(number)} ${where} `
  }
  text += 'The room has walls around you. '
  const [nearest] = barriers
  if (nearest !== undefined) text += `You are facing a ${nearest.kind} ${String(nearest.ahead)} steps away. `
  return text + (held === undefined ? 'You are not carrying anything.' : `You are carrying a ${held}.`)
}

/**
 * Takes actions until one of them leaves the view unchanged. They continue after the task has ended, and the verdict is
 * that of the last step.
 */
export function runPath(simulation: Simulation, path: readonly number[]) {
  const { board } = simulation
  let verdict: Verdict = 'continue'
  let steps = 0
  let before = encodeView(board, simulation.view())
  for (const action of path) {
    ;({ verdict } = simulation.step(action))
    steps++
    const after = encodeView(board, simulation.view())
    if (after.every((value, index) => value === before[index])) break
    before = after
  }
  return { verdict, steps }
}
