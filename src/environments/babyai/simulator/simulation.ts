import type { Enlargement } from '../../../core/environment.js'
import { createRandom } from '../../../core/random.js'
import type { Board, Direction, Place } from './board.js'
import { addThing, colours, copyBoard, doorStates, empty, frontOf, setThing, thingAt, wall } from './board.js'
import { type Subtask, type Instruction, countCrossings, subtasksOf, match, wordInstruction } from './instructions.js'
import { type Level, levelOf } from './levels.js'
import { type NumpyRandom, createNumpyRandom } from './numpy-random.js'
import { type Rooms, Rejection, createRooms } from './rooms.js'
import { type Verdict, type Verifier, actions, createVerifier } from './verifier.js'
import { type View, look } from './view.js'

/** The result of an action. */
export interface Outcome {
  readonly verdict: Verdict
  /** 1 − 0.9 · steps / maxSteps on success, else 0. */
  readonly reward: number
}

/** A subtask with the things that matched its descriptions at the start. */
export interface Target {
  readonly subtask: Subtask
  readonly things: readonly number[]
}

/** A level that is being played: Minigrid without text. */
export interface Simulation {
  readonly board: Board
  readonly instruction: Instruction
  /** The single subtasks of the instruction, in the order of its words. */
  readonly subtasks: readonly Target[]
  /** BabyAI's words for it. */
  readonly mission: string
  readonly maxSteps: number
  /** Whether each subtask has been done at a time when it counted. */
  done(): readonly boolean[]
  /** One of {@link actions}. */
  step(action: number): Outcome
  /** What the agent sees. */
  view(): View
  /** An independent copy in the same state. */
  copy(): Simulation
}

/** A level that was made from a seed; can be played any number of times. */
export interface MadeLevel {
  readonly name: string
  /** The lines that Minigrid prints about rejected attempts. */
  readonly rejections: readonly string[]
  /** The generator after the last draw. */
  readonly random: ReturnType<NumpyRandom['state']>
  start(): Simulation
}

/** Makes a level (1 to 40) from a seed, exactly as Minigrid 2.3.0 does, with further things if any are given. */
export function makeLevel(number: number, seed: number, more?: Enlargement): MadeLevel & { readonly added: number } {
  const level = levelOf(number)
  const random = createNumpyRandom(BigInt(seed))
  const rejections: string[] = []
  for (;;) {
    try {
      const rooms = createRooms(random, level.floor)
      const instruction = level.build(rooms)
      const added = more === undefined ? 0 : addThings(rooms, instruction, more)
      return { ...finish(level, rooms, instruction, { rejections, random: random.state() }), added }
    } catch (thrown) {
      if (!(thrown instanceof Rejection)) throw thrown
      rejections.push(thrown.line)
    }
  }
}

/**
 * Adds balls, boxes and keys that no description of the instruction matches. Each comes into a cell without a
 * neighbour, so that every way stays open. Fewer are added where there is no such cell.
 */
function addThings({ board }: Rooms, instruction: Instruction, { share, seed }: Enlargement): number {
  const random = createRandom(seed)
  const described = subtasksOf(instruction).map(({ what }) => what)
  const kinds = (['ball', 'box', 'key'] as const).flatMap((kind) => colours.map((colour) => ({ kind, colour })))
  const others = kinds.filter(
    ({ kind, colour }) =>
      !described.some((phrase) => (phrase.kind ?? kind) === kind && (phrase.colour ?? colour) === colour),
  )
  const movable = board.things.filter(({ kind }) => kind !== 'wall' && kind !== 'door').length
  const cells = Array.from(board.cells.keys(), (cell) => ({
    x: cell % board.width,
    y: Math.floor(cell / board.width),
  }))
  const isFree = ({ x, y }: Place): boolean =>
    [-1, 0, 1].every((down) =>
      [-1, 0, 1].every((right) => {
        const place = { x: x + right, y: y + down }
        const isAgent = place.x === board.agent.x && place.y === board.agent.y
        return !isAgent && thingAt(board, place) === empty
      }),
    )
  let added = 0
  for (const place of random.shuffle(cells)) {
    if (others.length === 0 || added >= Math.round(share * Math.max(1, movable))) break
    if (!isFree(place)) continue
    const thing = addThing(board, random.pick(others))
    setThing(board, place, thing)
    board.places[thing] = place
    added++
  }
  return added
}

function finish(
  level: Level,
  rooms: Rooms,
  instruction: Instruction,
  made: Pick<MadeLevel, 'rejections' | 'random'>,
): MadeLevel {
  const { board, floor } = rooms
  const room = rooms.roomAt(board.agent)
  const mission = wordInstruction(instruction, board, room)
  const maxSteps = level.maxSteps ?? countCrossings(instruction) * floor.roomSize ** 2 * floor.rows * floor.columns
  const subtasks = subtasksOf(instruction).map((subtask) => ({
    subtask,
    things: match(board, subtask.what, room).things,
  }))
  const verifier = createVerifier(instruction, board, room)
  return {
    name: level.name,
    ...made,
    start: () => play({ board: copyBoard(board), instruction, subtasks, mission, maxSteps }, verifier.copy(), 0),
  }
}

function play(
  what: Pick<Simulation, 'board' | 'instruction' | 'subtasks' | 'mission' | 'maxSteps'>,
  verifier: Verifier,
  already: number,
): Simulation {
  let steps = already
  const { board, maxSteps } = what
  return {
    ...what,
    step(action) {
      steps++
      act(board, action)
      if (action === actions.drop) verifier.refresh(board)
      const verdict = verifier.verify(board, action)
      return { verdict, reward: verdict === 'success' ? 1 - (0.9 * steps) / maxSteps : 0 }
    },
    done: () => verifier.done(),
    view: () => look(board),
    copy: () => play({ ...what, board: copyBoard(board) }, verifier.copy(), steps),
  }
}

function act(board: Board, action: number): void {
  const front = frontOf(board)
  const thing = thingAt(board, front)
  switch (action) {
    case actions.left:
      board.direction = ((board.direction + 3) % 4) as Direction
      return
    case actions.right:
      board.direction = ((board.direction + 1) % 4) as Direction
      return
    case actions.forward:
      if (thing === empty || (board.things[thing]!.kind === 'door' && board.doors[thing] === doorStates.open)) {
        board.agent = front
      }
      return
    case actions.pickup:
      if (thing > wall && board.things[thing]!.kind !== 'door' && board.carrying === undefined) {
        board.carrying = thing
        board.places[thing] = undefined
        setThing(board, front, empty)
      }
      return
    case actions.drop:
      if (thing === empty && board.carrying !== undefined) {
        setThing(board, front, board.carrying)
        board.places[board.carrying] = front
        board.carrying = undefined
      }
      return
    case actions.toggle:
      if (thing > wall) toggle(board, thing)
  }
}

/** A locked door opens with its key; another door opens or closes; a box, which is empty, disappears. */
function toggle(board: Board, thing: number): void {
  const { kind, colour } = board.things[thing]!
  if (kind === 'box') setThing(board, frontOf(board), empty)
  if (kind !== 'door') return
  const { open, closed, locked } = doorStates
  const held = board.carrying === undefined ? undefined : board.things[board.carrying]
  if (board.doors[thing] !== locked) board.doors[thing] = board.doors[thing] === open ? closed : open
  else if (held?.kind === 'key' && held.colour === colour) board.doors[thing] = open
}
