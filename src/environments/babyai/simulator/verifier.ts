import { type Board, doorStates, frontOf, thingAt } from './board.js'
import { type Subtask, type Instruction, type Matches, isPair, match, placesOf } from './instructions.js'
import type { Room } from './rooms.js'

/** The status of an instruction. */
export type Verdict = 'continue' | 'success' | 'failure'

/** Minigrid's numbers of an agent's actions. */
export const actions = { left: 0, right: 1, forward: 2, pickup: 3, drop: 4, toggle: 5, done: 6 } as const

/**
 * Verifies an instruction after every action (Minigrid's `core/verifier.py`). Its things are those that matched the
 * descriptions at the start.
 */
export interface Verifier {
  verify(board: Board, action: number): Verdict
  /** Looks up the places of the things again; called only after a drop. */
  refresh(board: Board): void
  /** Whether each subtask, in the order of the instruction's words, has been done. */
  done(): readonly boolean[]
  /** An independent copy in the same state. */
  copy(): Verifier
}

/** A verifier for an instruction on the board at the start; `room` is the agent's. */
export function createVerifier(instruction: Instruction, board: Board, room: Room): Verifier {
  if (isPair(instruction)) {
    const first = createVerifier(instruction.first, board, room)
    const second = createVerifier(instruction.second, board, room)
    if (instruction.verb === 'and') return verifyBoth(first, second, [false, false])
    return verifyInOrder(first, second, instruction.verb === 'before', false)
  }
  return remember(checkSubtask(instruction, board, room), false)
}

type Check = Omit<Verifier, 'done' | 'copy'> & { copy(): Check }

function checkSubtask(subtask: Subtask, board: Board, room: Room): Check {
  const target = match(board, subtask.what, room)
  const strict = subtask.strict === true
  switch (subtask.verb) {
    case 'goto':
      return checkGoTo(target)
    case 'open':
      return checkOpen(target.things, strict)
    case 'pickup':
      return checkPickup(target.things, strict, undefined)
  }
}

function remember(check: Check, already: boolean): Verifier {
  let done = already
  return {
    verify(board, action) {
      const verdict = check.verify(board, action)
      done ||= verdict === 'success'
      return verdict
    },
    refresh: (board) => check.refresh(board),
    done: () => [done],
    copy: () => remember(check.copy(), done),
  }
}

function checkGoTo(target: Matches): Check {
  let { places } = target
  return {
    verify(board) {
      const { x, y } = frontOf(board)
      return places.some((place) => place.x === x && place.y === y) ? 'success' : 'continue'
    },
    refresh: (board) => (places = placesOf(board, target.things)),
    copy: () => checkGoTo({ ...target, places }),
  }
}

/** Checks the door in front after it was toggled. */
function checkOpen(things: readonly number[], strict: boolean): Check {
  return {
    verify(board, action) {
      if (action !== actions.toggle) return 'continue'
      const front = thingAt(board, frontOf(board))
      if (things.includes(front) && isOpenDoor(board, front)) return 'success'
      return strict && board.things[front]?.kind === 'door' ? 'failure' : 'continue'
    },
    refresh: () => undefined,
    copy: () => checkOpen(things, strict),
  }
}

function isOpenDoor({ things, doors }: Board, thing: number): boolean {
  return things[thing]!.kind === 'door' && doors[thing] === doorStates.open
}

/** `before` is what was carried at the previous check. */
function checkPickup(things: readonly number[], strict: boolean, before: number | undefined): Check {
  let held = before
  return {
    verify({ carrying }, action) {
      const was = held
      held = carrying
      if (action !== actions.pickup) return 'continue'
      if (was === undefined && carrying !== undefined && things.includes(carrying)) return 'success'
      return strict && carrying !== undefined ? 'failure' : 'continue'
    },
    refresh: () => undefined,
    copy: () => checkPickup(things, strict, held),
  }
}

/**
 * The later part also sees the action that finished the earlier: as in the original, opening the first of two doors
 * fails a strict second one.
 */
function verifyInOrder(first: Verifier, second: Verifier, isInOrder: boolean, begun: boolean): Verifier {
  let reached = begun
  const [earlier, later] = isInOrder ? [first, second] : [second, first]
  return {
    verify(board, action) {
      if (reached) return later.verify(board, action)
      const verdict = earlier.verify(board, action)
      if (verdict !== 'success') return verdict
      reached = true
      return later.verify(board, action)
    },
    refresh(board) {
      first.refresh(board)
      second.refresh(board)
    },
    done: () => [...first.done(), ...second.done()],
    copy: () => verifyInOrder(first.copy(), second.copy(), isInOrder, reached),
  }
}

/** A failed part is checked again: only success is kept. */
function verifyBoth(first: Verifier, second: Verifier, already: readonly boolean[]): Verifier {
  let done = already
  const parts = [first, second]
  return {
    verify(board, action) {
      done = parts.map((part, index) => done[index]! || part.verify(board, action) === 'success')
      return done.every(Boolean) ? 'success' : 'continue'
    },
    refresh: (board) => parts.forEach((part) => part.refresh(board)),
    done: () => parts.flatMap((part) => part.done()),
    copy: () => verifyBoth(first.copy(), second.copy(), done),
  }
}
