import type { Vocabulary } from 'shaketable'

/**
 * Other verbs for the actions of the four PDDL games, a draw each. The games read an action by its verb and take objects
 * in the order in which they are named, so the rest of a wording stays.
 */
const verbs: Readonly<Record<string, readonly [string, string, string, string, string]>> = {
  // gripper
  move: ['go', 'travel', 'drive', 'head', 'roll'],
  pick: ['grab', 'lift', 'collect', 'seize', 'gather'],
  drop: ['release', 'deposit', 'unload', 'discharge', 'lower'],
  // blockworld
  pickup: ['lift', 'grab', 'raise', 'collect', 'hoist'],
  putdown: ['lower', 'deposit', 'rest', 'release', 'settle'],
  stack: ['pile', 'heap', 'mount', 'place', 'set'],
  unstack: ['unpile', 'detach', 'remove', 'strip', 'dismount'],
  // barman
  grasp: ['seize', 'grab', 'clasp', 'clutch', 'take'],
  leave: ['deposit', 'release', 'lower', 'rest', 'abandon'],
  'fill-shot': ['charge-shot', 'load-shot', 'top-shot', 'pump-shot', 'supply-shot'],
  'refill-shot': ['recharge-shot', 'reload-shot', 'retop-shot', 'repump-shot', 'resupply-shot'],
  'empty-shot': ['drain-shot', 'void-shot', 'clear-shot', 'flush-shot', 'vacate-shot'],
  'clean-shot': ['rinse-shot', 'wash-shot', 'scrub-shot', 'wipe-shot', 'purify-shot'],
  'pour-shot-to-clean-shaker': [
    'tip-shot-to-clean-shaker',
    'decant-shot-to-clean-shaker',
    'tilt-shot-to-clean-shaker',
    'transfer-shot-to-clean-shaker',
    'drip-shot-to-clean-shaker',
  ],
  'pour-shot-to-used-shaker': [
    'tip-shot-to-used-shaker',
    'decant-shot-to-used-shaker',
    'tilt-shot-to-used-shaker',
    'transfer-shot-to-used-shaker',
    'drip-shot-to-used-shaker',
  ],
  'empty-shaker': ['drain-shaker', 'void-shaker', 'clear-shaker', 'flush-shaker', 'vacate-shaker'],
  'clean-shaker': ['rinse-shaker', 'wash-shaker', 'scrub-shaker', 'wipe-shaker', 'purify-shaker'],
  shake: ['mix', 'agitate', 'blend', 'jolt', 'stir'],
  'pour-shaker-to-shot': [
    'tip-shaker-to-shot',
    'decant-shaker-to-shot',
    'tilt-shaker-to-shot',
    'transfer-shaker-to-shot',
    'drip-shaker-to-shot',
  ],
  // tyreworld
  open: ['unlatch', 'unseal', 'unbolt', 'uncover', 'unclose'],
  close: ['shut', 'seal', 'bolt', 'cover', 'latch'],
  fetch: ['take', 'get', 'retrieve', 'collect', 'grab'],
  'put-away': ['stow', 'store', 'stash', 'replace', 'shelve'],
  loosen: ['slacken', 'ease', 'relax', 'untighten', 'unwind'],
  tighten: ['torque', 'clamp', 'cinch', 'secure', 'firm'],
  'jack-up': ['raise', 'hoist', 'elevate', 'lift', 'heighten'],
  'jack-down': ['lower', 'descend', 'drop', 'sink', 'let-down'],
  undo: ['release', 'detach', 'untie', 'disengage', 'unscrew'],
  'do-up': ['refit', 'attach', 'retie', 'engage', 'screw-on'],
  'remove-wheel': ['detach-wheel', 'strip-wheel', 'pull-wheel', 'unmount-wheel', 'take-wheel'],
  'put-on-wheel': ['mount-wheel', 'fit-wheel', 'install-wheel', 'attach-wheel', 'set-wheel'],
  inflate: ['pump-up', 'blow-up', 'aerate', 'swell', 'fill-up'],
}

/** Each action as lists of actions say it, and as AgentBoard's prompt file advertises it. */
const templates = [
  'Move from {from} to {to}',
  'move {from} {to}',
  'Pick up {ball} at {room} with arm {gripper}',
  'pick {ball} {room} {gripper}',
  'drop {ball} {room} {gripper}',
  'Pickup {block}',
  'pickup {block}',
  'Putdown {block}',
  'putdown {block}',
  'Stack {block} on {under}',
  'stack {block} {under}',
  'Unstack {block} from {under}',
  'unstack {block} {under}',
  '{hand} grasp {container}',
  '{hand} leave {container}',
  'fill-shot glass {shot} with {ingredient} with {hand} and {other} holding {dispenser}',
  'fill-shot {shot} {ingredient} {hand} {other} {dispenser}',
  'refill-shot {shot} with {ingredient} with {hand} and {other} holding {dispenser}',
  'refill-shot {shot} {ingredient} {hand} {other} {dispenser}',
  'use hand {hand} to empty-shot glass {shot} with beverage {beverage}',
  'empty-shot {hand} {shot} {beverage}',
  'clean-shot glass {shot} with {beverage} with hand {hand} holding shot glass and {other}',
  'clean-shot {shot} {beverage} {hand} {other}',
  'pour-shot-to-clean-shaker from a shot glass {shot} with {ingredient} to a clean shaker {shaker} with hand {hand} from level {level} to level {next}',
  'pour-shot-to-clean-shaker {shot} {ingredient} {shaker} {hand} {level} {next}',
  'pour-shot-to-used-shaker from a shot glass {shot} with {ingredient} to a used shaker {shaker} with hand {hand} from level {level} to level {next}',
  'pour-shot-to-used-shaker {shot} {ingredient} {shaker} {hand} {level} {next}',
  'use hand {hand} to empty-shaker {shaker} with ingredient {cocktail} from level {level} to level {empty}',
  'empty-shaker {hand} {shaker} {cocktail} {level} {empty}',
  'use hand {hand} and hand {other} to clean-shaker {shaker}',
  'clean-shaker {hand} {other} {shaker}',
  'shake a cocktail {cocktail} with ingredient {first} and ingredient {second} in a shaker {shaker} with hand {hand} and hand {other}',
  'shake {cocktail} {first} {second} {shaker} {hand} {other}',
  'pour-shaker-to-shot to a shot glass {beverage} the ingredient {shot} with hand {hand} from shaker {shaker} from level {level} to level {next}',
  'pour-shaker-to-shot {beverage} {shot} {hand} {shaker} {level} {next}',
  'Open {container}',
  'open {container}',
  'Close {container}',
  'close {container}',
  'Fetch {obj} from {container}',
  'fetch {obj} {container}',
  'Put-away {obj} in {container}',
  'put-away {obj} {container}',
  'Loosen the nut {nut} on the hub {hub}',
  'loosen {nut} {hub}',
  'Tighten the nut {nut} on the hub {hub}',
  'tighten {nut} {hub}',
  'jack-up the hub {hub}',
  'jack-up {hub}',
  'Jack-down the hub {hub}',
  'jack-down {hub}',
  'Undo the fastening of the nut {nut} on the hub {hub}',
  'undo {nut} {hub}',
  'Do-up the nut {nut} on the hub {hub}',
  'do-up {nut} {hub}',
  'Remove-wheel {wheel} from the hub {hub}',
  'remove-wheel {wheel} {hub}',
  'put-on-wheel {wheel} on the hub {hub}',
  'put-on-wheel {wheel} {hub}',
  'Inflate the wheel {wheel}',
  'inflate {wheel}',
]

/** The PDDL games gripper, blockworld, barman and tyreworld in AgentBoard's words. */
export const pddl: Vocabulary = {
  actions: Object.fromEntries(templates.map((template) => [template, reword(template)])),
  items: {
    ball: ['orb', 'sphere', 'globe'],
    shot: ['glass', 'tumbler', 'jigger'],
    shaker: ['mixer', 'blender', 'jug'],
    ingredient: ['liquor', 'syrup', 'juice'],
    cocktail: ['drink', 'beverage', 'mixture'],
    dispenser: ['tap', 'spout', 'pump'],
    nut: ['bolt', 'fastener', 'lugnut'],
    wheel: ['tyre', 'rim', 'disc'],
    hub: ['axle', 'boss', 'spindle'],
  },
  swaps: [
    ['Pick up {ball} at {room} with arm {gripper}', 'drop {ball} {room} {gripper}'],
    ['Pickup {block}', 'Putdown {block}'],
    ['Stack {block} on {under}', 'Unstack {block} from {under}'],
    ['{hand} grasp {container}', '{hand} leave {container}'],
    ['Open {container}', 'Close {container}'],
    ['Loosen the nut {nut} on the hub {hub}', 'Tighten the nut {nut} on the hub {hub}'],
    ['jack-up the hub {hub}', 'Jack-down the hub {hub}'],
  ],
  // Actions are read by their verbs, wherever they stand, and by words with blanks between them.
  calls: { prefix: 'do_', equals: '= ' },
}

/** A template with each of the other verbs in place of its own; `pick up` is one verb. */
function reword(template: string): readonly string[] {
  const verb = template.split(' ').find((word) => verbs[word.toLowerCase()] !== undefined)!
  const isLarge = verb !== verb.toLowerCase()
  return verbs[verb.toLowerCase()]!.map((other) =>
    template.replace(
      template.includes(`${verb} up `) ? `${verb} up` : verb,
      isLarge ? other[0]!.toUpperCase() + other.slice(1) : other,
    ),
  )
}
