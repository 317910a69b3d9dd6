import type { Board } from './board.js'
import type { Description } from './descriptions.js'
import { match, wordDescription } from './descriptions.js'
import type { Room } from './rooms.js'

/** What is to be done, BabyAI's language. `strict`: doing it to another thing fails the task. */
export type Instruction = Deed | Pair

/** One thing to do. */
export type Deed =
  | { readonly verb: 'goto' | 'open' | 'pickup'; readonly what: Description; readonly strict?: boolean }
  | { readonly verb: 'putnext'; readonly what: Description; readonly beside: Description }

/** Two in order (`before`: the first first; `after`: the second first), or in any order. */
export interface Pair {
  readonly verb: 'before' | 'after' | 'and'
  readonly first: Instruction
  readonly second: Instruction
}

/** The instruction in BabyAI's words; `room` is the agent's. */
export function wordInstruction(instruction: Instruction, board: Board, room: Room): string {
  if (isPair(instruction)) {
    const first = wordInstruction(instruction.first, board, room)
    const second = wordInstruction(instruction.second, board, room)
    if (instruction.verb === 'before') return `${first}, then ${second}`
    return `${first} ${instruction.verb === 'after' ? 'after you' : 'and'} ${second}`
  }
  const word = (what: Description): string => wordDescription(what, match(board, what, room).things.length)
  const what = word(instruction.what)
  switch (instruction.verb) {
    case 'goto':
      return `go to ${what}`
    case 'open':
      return `open ${what}`
    case 'pickup':
      return `pick up ${what}`
    case 'putnext':
      return `put ${what} next to ${word(instruction.beside)}`
  }
}

/** Whether an instruction is of two parts. */
export function isPair(instruction: Instruction): instruction is Pair {
  return instruction.verb === 'before' || instruction.verb === 'after' || instruction.verb === 'and'
}

/** How many ways across the level an instruction may take: what its limit of steps is made of. */
export function countWays(instruction: Instruction): number {
  if (isPair(instruction)) return countWays(instruction.first) + countWays(instruction.second)
  return instruction.verb === 'putnext' ? 2 : 1
}

/** The single deeds of an instruction, in the order of its words. */
export function deedsOf(instruction: Instruction): readonly Deed[] {
  return isPair(instruction) ? [...deedsOf(instruction.first), ...deedsOf(instruction.second)] : [instruction]
}
