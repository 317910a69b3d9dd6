import type { Board } from './board.js'
import { doorStates, frontOf, thingAt } from './board.js'
import type { Subtask, Instruction, Matches } from './instructions.js'
import { isPair, match, placesOf } from './instructions.js'
import type { Profile } from './level.js'
import type { Room } from './rooms.js'
import { distance } from './rooms.js'

/** What has come of an instruction. */
export type Verdict = 'continue' | 'success' | 'failure'

/** Minigrid's numbers of what an agent can do. */
export const actions = { left: 0, right: 1, forward: 2, pickup: 3, drop: 4, toggle: 5, done: 6 } as const

/**
 * Watches over an instruction (Minigrid's `core/verifier.py`): asked after every action, it says what has come of it.
 * Things are those that fitted the description at the start.
 */
export interface Verifier {
  verify(board: Board, action: number): Verdict
  /** Looks up again where the things are; done after every drop, and only then. */
  refresh(board: Board): void
  /** For each subtask in the instruction's order of words, whether it has been done. */
  done(): readonly boolean[]
  /** One that has seen the same and goes on by itself. */
  copy(): Verifier
}

/** Starts to watch over an instruction, with the board as it is at the start; `room` is the agent's. */
export function createVerifier(instruction: Instruction, board: Board, room: Room, profile: Profile): Verifier {
  if (isPair(instruction)) {
    const first = createVerifier(instruction.first, board, room, profile)
    const second = createVerifier(instruction.second, board, room, profile)
    if (instruction.verb === 'and') return watchBoth(first, second, [false, false])
    return watchOrder(
      first,
      second,
      { isInOrder: instruction.verb === 'before', isLenient: profile === 'fixed' },
      false,
    )
  }
  return remember(watchSubtask(instruction, board, room), false)
}

type Watch = Omit<Verifier, 'done' | 'copy'> & { copy(): Watch }

function watchSubtask(subtask: Subtask, board: Board, room: Room): Watch {
  const target = match(board, subtask.what, room)
  const strict = subtask.verb !== 'putnext' && subtask.strict === true
  switch (subtask.verb) {
    case 'goto':
      return watchWalk(target)
    case 'open':
      return watchDoors(target.things, strict)
    case 'pickup':
      return watchHands(target.things, strict, undefined)
    case 'putnext':
      return watchDrop(target.things, match(board, subtask.beside, room), undefined)
  }
}

function remember(watch: Watch, already: boolean): Verifier {
  let done = already
  return {
    verify(board, action) {
      const verdict = watch.verify(board, action)
      done ||= verdict === 'success'
      return verdict
    },
    refresh: (board) => watch.refresh(board),
    done: () => [done],
    copy: () => remember(watch.copy(), done),
  }
}

function watchWalk(target: Matches): Watch {
  let { places } = target
  return {
    verify(board) {
      const { x, y } = frontOf(board)
      return places.some((place) => place.x === x && place.y === y) ? 'success' : 'continue'
    },
    refresh: (board) => (places = placesOf(board, target.things)),
    copy: () => watchWalk({ ...target, places }),
  }
}

/** The door in front is looked at after it was toggled. */
function watchDoors(things: readonly number[], strict: boolean): Watch {
  return {
    verify(board, action) {
      if (action !== actions.toggle) return 'continue'
      const front = thingAt(board, frontOf(board))
      if (things.includes(front) && isOpenDoor(board, front)) return 'success'
      return strict && board.things[front]?.kind === 'door' ? 'failure' : 'continue'
    },
    refresh: () => undefined,
    copy: () => watchDoors(things, strict),
  }
}

function isOpenDoor({ things, doors }: Board, thing: number): boolean {
  return things[thing]!.kind === 'door' && doors[thing] === doorStates.open
}

/** `before` is what was carried when it was asked last. */
function watchHands(things: readonly number[], strict: boolean, before: number | undefined): Watch {
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
    copy: () => watchHands(things, strict, held),
  }
}

function watchDrop(moved: readonly number[], fixed: Matches, before: number | undefined): Watch {
  let held = before
  let { places } = fixed
  return {
    verify(board, action) {
      const was = held
      held = board.carrying
      if (action !== actions.drop || was === undefined || !moved.includes(was)) return 'continue'
      const dropped = board.places[was]
      const isBeside = dropped !== undefined && places.some((place) => distance(place, dropped) === 1)
      return isBeside ? 'success' : 'continue'
    },
    refresh: (board) => (places = placesOf(board, fixed.things)),
    copy: () => watchDrop(moved, { ...fixed, places }, held),
  }
}

/** Which of two comes first, and whether what finishes it can fail the other. */
interface Order {
  readonly isInOrder: boolean
  readonly isLenient: boolean
}

/**
 * The later one is asked about the action that finished the earlier too: opening the first of two doors fails a strict
 * second one, which is the original's doing; a lenient order leaves it at that.
 */
function watchOrder(first: Verifier, second: Verifier, order: Order, begun: boolean): Verifier {
  let reached = begun
  const [earlier, later] = order.isInOrder ? [first, second] : [second, first]
  return {
    verify(board, action) {
      if (reached) return later.verify(board, action)
      const verdict = earlier.verify(board, action)
      if (verdict !== 'success') return verdict
      reached = true
      const next = later.verify(board, action)
      return order.isLenient && next === 'failure' ? 'continue' : next
    },
    refresh(board) {
      first.refresh(board)
      second.refresh(board)
    },
    done: () => [...first.done(), ...second.done()],
    copy: () => watchOrder(first.copy(), second.copy(), order, reached),
  }
}

/** A part that fails is asked again: only success is kept. */
function watchBoth(first: Verifier, second: Verifier, already: readonly boolean[]): Verifier {
  let done = already
  const parts = [first, second]
  return {
    verify(board, action) {
      done = parts.map((part, index) => done[index]! || part.verify(board, action) === 'success')
      return done.every(Boolean) ? 'success' : 'continue'
    },
    refresh: (board) => parts.forEach((part) => part.refresh(board)),
    done: () => parts.flatMap((part) => part.done()),
    copy: () => watchBoth(first.copy(), second.copy(), done),
  }
}
