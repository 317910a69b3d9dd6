import { type Board, type Kind, directions, doorStates, empty, thingAt, wall } from './board.js'

/** The side of the agent's view in cells; the agent is in the middle of the nearest row. */
export const viewSize = 7

/**
 * The agent's view: the number of the thing in each cell, at `j · 7 + i` where row 0 is the farthest and column 0 the
 * leftmost; {@link unseen} for hidden cells.
 */
export type View = Int16Array
/** The number of a hidden cell. */
export const unseen = -2

/**
 * The agent's view. Walls and doors that are not open hide what is behind them; visibility spreads row by row from the
 * agent, sideways and ahead (Minigrid's `process_vis`). The agent's own cell shows what it carries.
 */
export function look(board: Board): View {
  const { agent, direction, carrying } = board
  const ahead = directions[direction]!
  const view = new Int16Array(viewSize * viewSize)
  const middle = (viewSize - 1) / 2
  for (let j = 0; j < viewSize; j++) {
    const forward = viewSize - 1 - j
    for (let i = 0; i < viewSize; i++) {
      const aside = i - middle
      view[j * viewSize + i] = thingAt(board, {
        x: agent.x + forward * ahead.x - aside * ahead.y,
        y: agent.y + forward * ahead.y + aside * ahead.x,
      })
    }
  }
  const seen = findVisible(board, view, middle)
  for (let cell = 0; cell < view.length; cell++) if (seen[cell] === 0) view[cell] = unseen
  view[(viewSize - 1) * viewSize + middle] = carrying ?? empty
  return view
}

function findVisible(board: Board, view: View, middle: number): Uint8Array {
  const seen = new Uint8Array(view.length)
  seen[(viewSize - 1) * viewSize + middle] = 1
  for (let j = viewSize - 1; j >= 0; j--) {
    const row = j * viewSize
    const spread = (i: number, step: number): void => {
      if (seen[row + i] === 0 || !isTransparent(board, view[row + i]!)) return
      seen[row + i + step] = 1
      if (j === 0) return
      seen[row + i + step - viewSize] = 1
      seen[row + i - viewSize] = 1
    }
    for (let i = 0; i < viewSize - 1; i++) spread(i, 1)
    for (let i = viewSize - 1; i > 0; i--) spread(i, -1)
  }
  return seen
}

function isTransparent({ things, doors }: Board, thing: number): boolean {
  if (thing === empty) return true
  return thing !== wall && (things[thing]!.kind !== 'door' || doors[thing] === doorStates.open)
}

const kindNumbers: Readonly<Record<Kind, number>> = { wall: 2, door: 4, key: 5, ball: 6, box: 7 }
const colourNumbers = { red: 0, green: 1, blue: 2, purple: 3, yellow: 4, grey: 5 } as const

/** A view as Minigrid returns it: kind, colour and state of each cell, column by column. */
export function encodeView({ things, doors }: Board, view: View): number[] {
  const image: number[] = []
  for (let i = 0; i < viewSize; i++) {
    for (let j = 0; j < viewSize; j++) {
      const thing = view[j * viewSize + i]!
      if (thing === unseen) image.push(0, 0, 0)
      else if (thing === empty) image.push(1, 0, 0)
      else image.push(kindNumbers[things[thing]!.kind], colourNumbers[things[thing]!.colour], doors[thing]!)
    }
  }
  return image
}
