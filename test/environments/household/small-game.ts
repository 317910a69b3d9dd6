import { readFileSync } from 'node:fs'
import type { GameSource } from '../../../src/environments/household/engine/game-file.js'

const readText = (name: string): string =>
  readFileSync(new URL(`../../fixtures/household/${name}.pddl`, import.meta.url), 'utf8')

const goal =
  '(exists (?r - receptacle ?o - object) (and (inReceptacle ?o ?r) (receptacleType ?r FridgeType) (objectType ?o MugType) (isCool ?o)))'
const help = '(:action help :parameters (?a - agent) :precondition () :effect (checked ?a)))'

/**
 * A household small enough to be read at a glance, with the peculiarities of ALFWorld's files: the type name with a
 * comma in `examineObject`, the conditional switch, names that are only mentioned, duplicate facts. Shelves 1 and 2
 * stand at one place; the mug is on both; the fridge is closed; the lamp stands on the desk.
 */
export function smallSource(generation: 'old' | 'new'): GameSource {
  const domain = readText('small-domain')
  return {
    pddlDomain: generation === 'new' ? domain.replace(/\)\s*$/, help) : domain,
    pddlProblem: readText('small-problem').replace('GOAL', () => goal),
    generation,
    goalSentence: 'cool some mug and put it in fridge.',
  }
}
