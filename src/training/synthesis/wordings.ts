/**
 * Wordings of the actions that every world has, as templates that begin with a verb. `{thing}` is what is carried,
 * `{holder}` what it comes from or goes to.
 */
export const wordings = {
  move: list(
    'walk to {place}, head for {place}, go over to {place}, make for {place}, cross to {place}, move on to {place}, ' +
      'proceed to {place}, hurry to {place}, stroll to {place}, go to {place}, visit {place}, set off for {place}, ' +
      'make your way to {place}, run over to {place}, wander to {place}, march to {place}',
  ),
  enter: list('step into {place}, enter {place}, go into {place}, slip into {place}, walk into {place}'),
  takeOff: list(
    'pick up {thing} from {holder}, take {thing} off {holder}, lift {thing} off {holder}, collect {thing} from {holder}, ' +
      'gather {thing} from {holder}, grab {thing} off {holder}, fetch {thing} from {holder}, remove {thing} from {holder}, ' +
      'from {holder} pick {thing}, snatch {thing} from {holder}, off {holder} take {thing}',
  ),
  takeOut: list(
    'lift {thing} out of {holder}, pull {thing} out of {holder}, draw {thing} from {holder}, dig {thing} out of {holder}, ' +
      'fish {thing} out of {holder}, reach into {holder} and take {thing}, out of {holder} take {thing}, ' +
      'unpack {thing} from {holder}, extract {thing} from {holder}, haul {thing} out of {holder}, withdraw {thing} from {holder}',
  ),
  take: list(
    'take {thing} from {holder}, pick up {thing} from {holder}, get {thing} from {holder}, collect {thing} from {holder}, ' +
      'retrieve {thing} from {holder}, obtain {thing} from {holder}, fetch {thing} from {holder}, ' +
      'from {holder} take {thing}, acquire {thing} from {holder}, seize {thing} from {holder}',
  ),
  putOn: list(
    'set {thing} down on {holder}, lay {thing} on {holder}, place {thing} on {holder}, rest {thing} on {holder}, ' +
      'stand {thing} on {holder}, leave {thing} on {holder}, on {holder} place {thing}, balance {thing} on {holder}, ' +
      'spread {thing} on {holder}, position {thing} on {holder}, put {thing} down on {holder}',
  ),
  putInto: list(
    'drop {thing} into {holder}, tuck {thing} into {holder}, slip {thing} into {holder}, stow {thing} in {holder}, ' +
      'pack {thing} into {holder}, store {thing} in {holder}, lower {thing} into {holder}, stash {thing} in {holder}, ' +
      'into {holder} put {thing}, insert {thing} into {holder}, hide {thing} in {holder}',
  ),
  put: list(
    'carry {thing} over to {holder}, bring {thing} to {holder}, deliver {thing} to {holder}, deposit {thing} at {holder}, ' +
      'leave {thing} at {holder}, take {thing} across to {holder}, to {holder} bring {thing}, ' +
      'return {thing} to {holder}, transport {thing} to {holder}',
  ),
  open: list(
    'open {box}, unlatch {box}, pull open {box}, unfasten {box}, slide open {box}, pop open {box}, undo {box}, ' +
      'uncover {box}, force open {box}, crack {box} open, pull {box} open, break into {box}',
  ),
  close: list(
    'close {box}, shut {box}, push {box} shut, latch {box}, fasten {box}, cover {box}, pull {box} shut, slam {box} shut',
  ),
  unlock: list(
    'unlock {box} with {key}, use {key} on {box}, try {key} on {box}, turn {key} to unlock {box}, ' +
      'apply {key} to {box}, release {box} using {key}, fit {key} into the lock of {box}',
  ),
  inspect: list(
    'examine {thing}, inspect {thing}, look closely at {thing}, study {thing}, size up {thing}, have a look at {thing}, ' +
      'investigate {thing}, observe {thing}',
  ),
} as const

/** Names of slots to choose from. */
export const slotNames: Readonly<Record<string, readonly string[]>> = {
  thing: list('thing, item, object, article, obj'),
  holder: list('holder, spot, target, recep, goal_spot'),
  place: list('place, room, area, location'),
  box: list('box, container, vessel, store'),
  tool: list('tool, device, equipment'),
  key: list('key, opener'),
  base: list('base, other, partner'),
}

export const keyNames: readonly string[] = list('brass key, iron key, small key, spare key, copper key, master key')

function list(text: string): readonly string[] {
  return text.split(', ')
}
