import type { Level, Profile } from '../level.js'
import * as generated from './generated.js'
import * as go from './go.js'
import * as open from './open.js'
import * as take from './take.js'
import * as unlock from './unlock.js'

/** The forty levels by AgentBoard's numbers, from 1. */
const levels: readonly Level[] = [
  go.goToRedBallGrey,
  go.goToRedBall,
  go.goToRedBallNoDists,
  go.goToObjS6,
  go.goToLocalS8N7,
  go.goToObjMazeS7,
  unlock.goToImpUnlock,
  generated.goToSeqS5R2,
  go.goToRedBlueBall,
  go.goToDoor,
  go.goToObjDoor,
  open.open,
  open.openRedDoor,
  open.openDoorLoc,
  open.openRedBlueDoorsDebug,
  open.openDoorsOrderN4Debug,
  take.pickup,
  take.unblockPickup,
  generated.pickupLoc,
  take.pickupDistDebug,
  take.pickupAbove,
  take.putNextLocalS6N4,
  take.putNextS7N4Carrying,
  unlock.unlock,
  unlock.unlockLocalDist,
  unlock.keyInBox,
  unlock.unlockPickupDist,
  unlock.blockedUnlockPickup,
  unlock.unlockToUnlock,
  go.actionObjDoor,
  take.findObjS7,
  unlock.keyCorridorS6R3,
  take.oneRoomS20,
  take.moveTwoAcrossS8N9,
  generated.synthS5R2,
  generated.synthLoc,
  generated.synthSeq,
  generated.miniBossLevel,
  generated.bossLevel,
  generated.bossLevelNoUnlock,
]

/** How many levels there are. */
export const levelCount = levels.length

/** A level by AgentBoard's number, 1 to 40. */
export function levelOf(number: number, profile: Profile): Level {
  const level = levels[number - 1]
  if (level === undefined)
    throw new RangeError(`Expected a level from 1 to ${String(levelCount)}, got ${String(number)}.`)
  return profile === 'fixed' && level === go.goToObjS6 ? go.goToObjS6Fixed : level
}
