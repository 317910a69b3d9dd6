import type { GameName } from '../wording.js'
import { barmanDomain } from './barman.js'
import { blockworldDomain } from './blockworld.js'
import { gripperDomain } from './gripper.js'
import { tyreworldDomain } from './tyreworld.js'

/**
 * The domains of our own games: PDDL of ours for the games that AgentBoard plays, equal to its domains in what every action needs and does,
 * down to the order of its arguments.
 */
export const domainTexts: Readonly<Record<GameName, string>> = {
  gripper: gripperDomain,
  blockworld: blockworldDomain,
  barman: barmanDomain,
  tyreworld: tyreworldDomain,
}
