import type { Random } from '../../../core/random.js'
import type { GameName } from '../wording.js'

/** A problem of one of our games, before it is written as PDDL. */
export interface Situation {
  /** As PDDL declares them: `ball1 ball2`, `hub1 hub2 - hub`. */
  readonly objects: readonly string[]
  /** The facts at the start, without parentheses: `at ball1 rooma`. */
  readonly init: readonly string[]
  readonly goal: readonly string[]
  /** The length of a known solution. */
  readonly solutionLength: number
}

/** A generator of the problems of one game. */
export interface Family {
  /** The number of sizes: those of the benchmark's problems, the easy ones first. */
  readonly count: number
  /** The number of easy sizes. */
  readonly easy: number
  /** Draws a problem of one of the sizes; undefined where the draw has to be rejected. */
  draw(place: number, random: Random): Situation | undefined
}

/** A family of problems from a list of sizes. */
export function defineFamily<Size>(
  easy: number,
  sizes: readonly Size[],
  draw: (size: Size, random: Random) => Situation | undefined,
): Family {
  return { count: sizes.length, easy, draw: (place, random) => draw(sizes[place]!, random) }
}

/** `ball1` to `ball4`. */
export function numbered(name: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${name}${String(index + 1)}`)
}

/** `count` random elements of a list, in its order. */
export function some<T>(list: readonly T[], count: number, random: Random): T[] {
  const chosen = new Set(random.shuffle([...list.keys()]).slice(0, count))
  return list.filter((_, index) => chosen.has(index))
}

/** Writes a situation as PDDL. */
export function problemText(name: string, game: GameName, { objects, init, goal }: Situation): string {
  return `(define (problem ${name})
  (:domain ${game})
  (:objects
${lines(objects)})
  (:init
${lines(init.map(atom))})
  (:goal (and
${lines(goal.map(atom))})))
`
}

const atom = (words: string): string => `(${words})`

const lines = (items: readonly string[]): string => items.map((item) => `    ${item}`).join('\n')
