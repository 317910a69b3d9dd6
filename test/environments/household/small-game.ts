import { readFileSync } from 'node:fs'
import type { Game } from '../../../src/environments/household/engine/engine.js'
import type { GameSource } from '../../../src/environments/household/engine/game-file.js'
import { compileGame } from '../../../src/environments/household/engine/engine.js'

function readText(name: string): string {
  return readFileSync(new URL(`../../fixtures/household/${name}.pddl`, import.meta.url), 'utf8')
}

/**
 * A household small enough to be read at a glance, with the peculiarities of ALFWorld's files: the type name with a
 * comma in `examineObject`, the conditional switch, names that are only mentioned, duplicate facts.
 */
export const smallDomain = readText('small-domain')

/** Shelves 1 and 2 stand at one place; the mug is on both; the fridge is closed; the lamp stands on the desk. */
export const smallProblem = problem(
  '(exists (?r - receptacle ?o - object) (and (inReceptacle ?o ?r) (receptacleType ?r FridgeType) (objectType ?o MugType) (isCool ?o)))',
)

/** The small household with another goal. */
export function problem(goal: string): string {
  return readText('small-problem').replace('GOAL', () => goal)
}

/** What the small household is compiled from. */
export function smallSource(generation: 'old' | 'new' = 'new', changes: Partial<GameSource> = {}): GameSource {
  const pddlDomain =
    generation === 'new'
      ? smallDomain.replace(/\)\s*$/, '(:action help :parameters (?a - agent) :precondition () :effect (checked ?a)))')
      : smallDomain
  const goalSentence = 'cool some mug and put it in fridge.'
  return { pddlDomain, pddlProblem: smallProblem, generation, goalSentence, ...changes }
}

/** The small household, ready to play. */
export function smallGame(generation: 'old' | 'new' = 'new', changes: Partial<GameSource> = {}): Game {
  return compileGame(smallSource(generation, changes), 'small')
}
