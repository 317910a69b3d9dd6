import type { GameName } from '../wording.js'
import type { Situation } from './situation.js'

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
