import type { Vocabulary } from '../../src/define.js'

type Rewording = Readonly<Record<string, string>>

/**
 * Draw 1 of the actions that take and handle things, as lists of actions say them and as AgentBoard's prompt file does.
 */
export const takingVerbs: Rewording = {
  // gripper
  'Pick up {ball} at {room} with arm {gripper}': 'Take up {ball} at {room} using arm {gripper}',
  'pick {ball} {room} {gripper}': 'take {ball} {room} {gripper}',
  // blockworld
  'Pickup {block}': 'Lift {block}',
  'pickup {block}': 'lift {block}',
  'Unstack {block} from {under}': 'Unpile {block} from {under}',
  'unstack {block} {under}': 'unpile {block} {under}',
  // barman
  '{hand} grasp {container}': '{hand} seize {container}',
  'fill-shot glass {shot} with {ingredient} with {hand} and {other} holding {dispenser}':
    'charge-shot glass {shot} with {ingredient} using {hand} and {other} holding {dispenser}',
  'fill-shot {shot} {ingredient} {hand} {other} {dispenser}':
    'charge-shot {shot} {ingredient} {hand} {other} {dispenser}',
  'refill-shot {shot} with {ingredient} with {hand} and {other} holding {dispenser}':
    'recharge-shot {shot} with {ingredient} using {hand} and {other} holding {dispenser}',
  'refill-shot {shot} {ingredient} {hand} {other} {dispenser}':
    'recharge-shot {shot} {ingredient} {hand} {other} {dispenser}',
  'shake a cocktail {cocktail} with ingredient {first} and ingredient {second} in a shaker {shaker} with hand {hand} and hand {other}':
    'mix a cocktail {cocktail} with ingredient {first} and ingredient {second} in a shaker {shaker} using hand {hand} and hand {other}',
  'shake {cocktail} {first} {second} {shaker} {hand} {other}':
    'mix {cocktail} {first} {second} {shaker} {hand} {other}',
  // tyreworld
  'Fetch {obj} from {container}': 'Take {obj} from {container}',
  'fetch {obj} {container}': 'take {obj} {container}',
  'Remove-wheel {wheel} from the hub {hub}': 'Detach-wheel {wheel} from the hub {hub}',
  'remove-wheel {wheel} {hub}': 'detach-wheel {wheel} {hub}',
  'Loosen the nut {nut} on the hub {hub}': 'Slacken the nut {nut} on the hub {hub}',
  'loosen {nut} {hub}': 'slacken {nut} {hub}',
  'Undo the fastening of the nut {nut} on the hub {hub}': 'Release the fastening of the nut {nut} on the hub {hub}',
  'undo {nut} {hub}': 'release {nut} {hub}',
}

/** Draw 1 of the actions that move, stack, pour and lift. */
export const movingVerbs: Rewording = {
  // gripper
  'Move from {from} to {to}': 'Go from {from} to {to}',
  'move {from} {to}': 'go {from} {to}',
  // blockworld
  'Stack {block} on {under}': 'Pile {block} on {under}',
  'stack {block} {under}': 'pile {block} {under}',
  // barman
  'pour-shot-to-clean-shaker from a shot glass {shot} with {ingredient} to a clean shaker {shaker} with hand {hand} from level {level} to level {next}':
    'tip-shot-to-clean-shaker from a shot glass {shot} with {ingredient} to a clean shaker {shaker} with hand {hand} from level {level} to level {next}',
  'pour-shot-to-clean-shaker {shot} {ingredient} {shaker} {hand} {level} {next}':
    'tip-shot-to-clean-shaker {shot} {ingredient} {shaker} {hand} {level} {next}',
  'pour-shot-to-used-shaker from a shot glass {shot} with {ingredient} to a used shaker {shaker} with hand {hand} from level {level} to level {next}':
    'tip-shot-to-used-shaker from a shot glass {shot} with {ingredient} to a used shaker {shaker} with hand {hand} from level {level} to level {next}',
  'pour-shot-to-used-shaker {shot} {ingredient} {shaker} {hand} {level} {next}':
    'tip-shot-to-used-shaker {shot} {ingredient} {shaker} {hand} {level} {next}',
  'pour-shaker-to-shot to a shot glass {beverage} the ingredient {shot} with hand {hand} from shaker {shaker} from level {level} to level {next}':
    'tip-shaker-to-shot to a shot glass {beverage} the ingredient {shot} with hand {hand} from shaker {shaker} from level {level} to level {next}',
  'pour-shaker-to-shot {beverage} {shot} {hand} {shaker} {level} {next}':
    'tip-shaker-to-shot {beverage} {shot} {hand} {shaker} {level} {next}',
  // tyreworld
  'jack-up the hub {hub}': 'raise the hub {hub}',
  'jack-up {hub}': 'raise {hub}',
  'Jack-down the hub {hub}': 'Lower the hub {hub}',
  'jack-down {hub}': 'lower {hub}',
  'put-on-wheel {wheel} on the hub {hub}': 'mount-wheel {wheel} on the hub {hub}',
  'put-on-wheel {wheel} {hub}': 'mount-wheel {wheel} {hub}',
  'Inflate the wheel {wheel}': 'Pump-up the wheel {wheel}',
  'inflate {wheel}': 'pump-up {wheel}',
}

/** Draw 1 of the actions that put down, empty, clean and close. */
export const leavingVerbs: Rewording = {
  // gripper
  'drop {ball} {room} {gripper}': 'release {ball} {room} {gripper}',
  // blockworld
  'Putdown {block}': 'Lower {block}',
  'putdown {block}': 'lower {block}',
  // barman
  '{hand} leave {container}': '{hand} deposit {container}',
  'use hand {hand} to empty-shot glass {shot} with beverage {beverage}':
    'use hand {hand} to drain-shot glass {shot} with beverage {beverage}',
  'empty-shot {hand} {shot} {beverage}': 'drain-shot {hand} {shot} {beverage}',
  'clean-shot glass {shot} with {beverage} with hand {hand} holding shot glass and {other}':
    'rinse-shot glass {shot} with {beverage} with hand {hand} holding shot glass and {other}',
  'clean-shot {shot} {beverage} {hand} {other}': 'rinse-shot {shot} {beverage} {hand} {other}',
  'use hand {hand} to empty-shaker {shaker} with ingredient {cocktail} from level {level} to level {empty}':
    'use hand {hand} to drain-shaker {shaker} with ingredient {cocktail} from level {level} to level {empty}',
  'empty-shaker {hand} {shaker} {cocktail} {level} {empty}': 'drain-shaker {hand} {shaker} {cocktail} {level} {empty}',
  'use hand {hand} and hand {other} to clean-shaker {shaker}':
    'use hand {hand} and hand {other} to rinse-shaker {shaker}',
  'clean-shaker {hand} {other} {shaker}': 'rinse-shaker {hand} {other} {shaker}',
  // tyreworld
  'Open {container}': 'Unlatch {container}',
  'open {container}': 'unlatch {container}',
  'Close {container}': 'Shut {container}',
  'close {container}': 'shut {container}',
  'Put-away {obj} in {container}': 'Stow {obj} in {container}',
  'put-away {obj} {container}': 'stow {obj} {container}',
  'Tighten the nut {nut} on the hub {hub}': 'Fasten the nut {nut} on the hub {hub}',
  'tighten {nut} {hub}': 'fasten {nut} {hub}',
  'Do-up the nut {nut} on the hub {hub}': 'Refit the nut {nut} on the hub {hub}',
  'do-up {nut} {hub}': 'refit {nut} {hub}',
}

/**
 * Another order of the objects of an action. The games take objects in the order of the text, so an action has another
 * wording when objects of different types change places. For objects of one type (blocks, rooms) the old wording would
 * mean the reverse; there the new order comes with another verb.
 */
export const objectOrders: Rewording = {
  // gripper
  'Move from {from} to {to}': 'Head to {to} from {from}',
  'move {from} {to}': 'head to {to} from {from}',
  'Pick up {ball} at {room} with arm {gripper}': 'With arm {gripper} pick up {ball} at {room}',
  'pick {ball} {room} {gripper}': '{gripper} pick {ball} {room}',
  'drop {ball} {room} {gripper}': '{gripper} drop {ball} {room}',
  // blockworld
  'Stack {block} on {under}': 'Cover {under} with {block}',
  'stack {block} {under}': 'cover {under} {block}',
  'Unstack {block} from {under}': 'Strip {under} of {block}',
  'unstack {block} {under}': 'strip {under} {block}',
  // barman
  '{hand} grasp {container}': 'grasp {container} {hand}',
  '{hand} leave {container}': 'leave {container} {hand}',
  'fill-shot glass {shot} with {ingredient} with {hand} and {other} holding {dispenser}':
    'with {hand} and {other} holding {dispenser} fill-shot glass {shot} with {ingredient}',
  'fill-shot {shot} {ingredient} {hand} {other} {dispenser}':
    '{hand} {other} {dispenser} fill-shot {shot} {ingredient}',
  'refill-shot {shot} with {ingredient} with {hand} and {other} holding {dispenser}':
    'with {hand} and {other} holding {dispenser} refill-shot {shot} with {ingredient}',
  'refill-shot {shot} {ingredient} {hand} {other} {dispenser}':
    '{hand} {other} {dispenser} refill-shot {shot} {ingredient}',
  'use hand {hand} to empty-shot glass {shot} with beverage {beverage}':
    'to empty-shot glass {shot} with beverage {beverage} use hand {hand}',
  'empty-shot {hand} {shot} {beverage}': 'empty-shot {shot} {beverage} {hand}',
  'clean-shot glass {shot} with {beverage} with hand {hand} holding shot glass and {other}':
    'with hand {hand} holding shot glass and {other} clean-shot glass {shot} with {beverage}',
  'clean-shot {shot} {beverage} {hand} {other}': '{hand} {other} clean-shot {shot} {beverage}',
  'pour-shot-to-clean-shaker from a shot glass {shot} with {ingredient} to a clean shaker {shaker} with hand {hand} from level {level} to level {next}':
    'with hand {hand} pour-shot-to-clean-shaker from a shot glass {shot} with {ingredient} to a clean shaker {shaker} from level {level} to level {next}',
  'pour-shot-to-clean-shaker {shot} {ingredient} {shaker} {hand} {level} {next}':
    '{hand} pour-shot-to-clean-shaker {shot} {ingredient} {shaker} {level} {next}',
  'pour-shot-to-used-shaker from a shot glass {shot} with {ingredient} to a used shaker {shaker} with hand {hand} from level {level} to level {next}':
    'with hand {hand} pour-shot-to-used-shaker from a shot glass {shot} with {ingredient} to a used shaker {shaker} from level {level} to level {next}',
  'pour-shot-to-used-shaker {shot} {ingredient} {shaker} {hand} {level} {next}':
    '{hand} pour-shot-to-used-shaker {shot} {ingredient} {shaker} {level} {next}',
  'use hand {hand} to empty-shaker {shaker} with ingredient {cocktail} from level {level} to level {empty}':
    'to empty-shaker {shaker} with ingredient {cocktail} from level {level} to level {empty} use hand {hand}',
  'empty-shaker {hand} {shaker} {cocktail} {level} {empty}': 'empty-shaker {shaker} {cocktail} {level} {empty} {hand}',
  'use hand {hand} and hand {other} to clean-shaker {shaker}':
    'to clean-shaker {shaker} use hand {hand} and hand {other}',
  'clean-shaker {hand} {other} {shaker}': 'clean-shaker {shaker} {hand} {other}',
  'shake a cocktail {cocktail} with ingredient {first} and ingredient {second} in a shaker {shaker} with hand {hand} and hand {other}':
    'with hand {hand} and hand {other} shake a cocktail {cocktail} with ingredient {first} and ingredient {second} in a shaker {shaker}',
  'shake {cocktail} {first} {second} {shaker} {hand} {other}':
    '{hand} {other} shake {cocktail} {first} {second} {shaker}',
  'pour-shaker-to-shot to a shot glass {beverage} the ingredient {shot} with hand {hand} from shaker {shaker} from level {level} to level {next}':
    'with hand {hand} pour-shaker-to-shot to a shot glass {beverage} the ingredient {shot} from shaker {shaker} from level {level} to level {next}',
  'pour-shaker-to-shot {beverage} {shot} {hand} {shaker} {level} {next}':
    '{hand} pour-shaker-to-shot {beverage} {shot} {shaker} {level} {next}',
  // tyreworld
  'Fetch {obj} from {container}': 'From {container} fetch {obj}',
  'fetch {obj} {container}': '{container} fetch {obj}',
  'Put-away {obj} in {container}': 'In {container} put-away {obj}',
  'put-away {obj} {container}': '{container} put-away {obj}',
  'Loosen the nut {nut} on the hub {hub}': 'On the hub {hub} loosen the nut {nut}',
  'loosen {nut} {hub}': '{hub} loosen {nut}',
  'Tighten the nut {nut} on the hub {hub}': 'On the hub {hub} tighten the nut {nut}',
  'tighten {nut} {hub}': '{hub} tighten {nut}',
  'Undo the fastening of the nut {nut} on the hub {hub}': 'On the hub {hub} undo the fastening of the nut {nut}',
  'undo {nut} {hub}': '{hub} undo {nut}',
  'Do-up the nut {nut} on the hub {hub}': 'On the hub {hub} do-up the nut {nut}',
  'do-up {nut} {hub}': '{hub} do-up {nut}',
  'Remove-wheel {wheel} from the hub {hub}': 'From the hub {hub} remove-wheel {wheel}',
  'remove-wheel {wheel} {hub}': '{hub} remove-wheel {wheel}',
  'put-on-wheel {wheel} on the hub {hub}': 'on the hub {hub} put-on-wheel {wheel}',
  'put-on-wheel {wheel} {hub}': '{hub} put-on-wheel {wheel}',
}

const firstDraw = { ...takingVerbs, ...movingVerbs, ...leavingVerbs }

/**
 * Draws 2 to 5 of the verbs of the four PDDL games. The games read an action by its verb and take objects
 * in the order in which they are named, so the rest of a wording stays.
 */
const verbs: Readonly<Record<string, readonly [string, string, string, string]>> = {
  // gripper
  move: ['travel', 'drive', 'head', 'roll'],
  pick: ['lift', 'collect', 'seize', 'gather'],
  drop: ['deposit', 'unload', 'discharge', 'lower'],
  // blockworld
  pickup: ['grab', 'raise', 'collect', 'hoist'],
  putdown: ['deposit', 'rest', 'release', 'settle'],
  stack: ['heap', 'mount', 'place', 'set'],
  unstack: ['detach', 'remove', 'strip', 'dismount'],
  // barman
  grasp: ['grab', 'clasp', 'clutch', 'take'],
  leave: ['release', 'lower', 'rest', 'abandon'],
  'fill-shot': ['load-shot', 'top-shot', 'stock-shot', 'supply-shot'],
  'refill-shot': ['reload-shot', 'replenish-shot', 'restock-shot', 'resupply-shot'],
  'empty-shot': ['void-shot', 'clear-shot', 'flush-shot', 'vacate-shot'],
  'clean-shot': ['wash-shot', 'scrub-shot', 'wipe-shot', 'purify-shot'],
  'pour-shot-to-clean-shaker': [
    'decant-shot-to-clean-shaker',
    'tilt-shot-to-clean-shaker',
    'transfer-shot-to-clean-shaker',
    'drip-shot-to-clean-shaker',
  ],
  'pour-shot-to-used-shaker': [
    'decant-shot-to-used-shaker',
    'tilt-shot-to-used-shaker',
    'transfer-shot-to-used-shaker',
    'drip-shot-to-used-shaker',
  ],
  'empty-shaker': ['void-shaker', 'clear-shaker', 'flush-shaker', 'vacate-shaker'],
  'clean-shaker': ['wash-shaker', 'scrub-shaker', 'wipe-shaker', 'purify-shaker'],
  shake: ['agitate', 'blend', 'jolt', 'stir'],
  'pour-shaker-to-shot': [
    'decant-shaker-to-shot',
    'tilt-shaker-to-shot',
    'transfer-shaker-to-shot',
    'drip-shaker-to-shot',
  ],
  // tyreworld
  open: ['unseal', 'unbolt', 'uncover', 'pop'],
  close: ['seal', 'bolt', 'cover', 'latch'],
  fetch: ['get', 'retrieve', 'collect', 'grab'],
  'put-away': ['store', 'stash', 'pack', 'shelve'],
  loosen: ['ease', 'relax', 'untighten', 'unwind'],
  tighten: ['clamp', 'cinch', 'secure', 'snug'],
  'jack-up': ['hoist', 'elevate', 'lift', 'heighten'],
  'jack-down': ['bring-down', 'drop', 'sink', 'let-down'],
  undo: ['detach', 'untie', 'disengage', 'unscrew'],
  'do-up': ['attach', 'retie', 'engage', 'screw-on'],
  'remove-wheel': ['strip-wheel', 'pull-wheel', 'unmount-wheel', 'take-wheel'],
  'put-on-wheel': ['fit-wheel', 'install-wheel', 'attach-wheel', 'set-wheel'],
  inflate: ['blow-up', 'aerate', 'air-up', 'fill-up'],
}

/** The PDDL games gripper, blockworld, barman and tyreworld in AgentBoard's words. */
export const pddl: Vocabulary = {
  actions: Object.fromEntries(
    Object.entries(firstDraw).map(([template, wording]) => [template, [wording, ...reword(template)]]),
  ),
  orders: objectOrders,
  items: {
    ball: ['orb', 'sphere', 'globe'],
    shot: ['tumbler', 'jigger', 'pony'],
    shaker: ['mixer', 'cocktailshaker', 'beaker'],
    ingredient: ['liquor', 'syrup', 'juice'],
    cocktail: ['drink', 'beverage', 'mixture'],
    dispenser: ['tap', 'spout', 'spigot'],
    nut: ['fastener', 'lugnut', 'hexnut'],
    wheel: ['tyre', 'roadwheel', 'carwheel'],
    hub: ['wheelhub', 'axlehub', 'boss'],
  },
  goals: {
    rules: {
      'The goal is to satisfy the following conditions: {facts}': [
        'Make these conditions true: {facts}',
        'In the end these conditions have to hold: {facts}',
        'Reach a state in which this is so: {facts}',
        'You are done once the following is the case: {facts}',
        'What has to be brought about: {facts}',
      ],
    },
  },
  observations: {
    '{x} is a {kind}.': [
      'There is a {kind} called {x}.',
      '{x}: a {kind}.',
      'One {kind} is {x}.',
      '{x} denotes a {kind}.',
      '{x} belongs to the kind {kind}.',
    ],
    '{x} is on the table.': [
      'On the table lies {x}.',
      'The table carries {x}.',
      '{x} lies on the table.',
      'The table has {x} on it.',
      '{x} rests on the table.',
    ],
    'The {x} is clear.': [
      'Nothing lies on {x}.',
      'The top of {x} is free.',
      'There is nothing on {x}.',
      '{x} has nothing on it.',
      'On {x} there is nothing.',
    ],
    'Your arm is empty.': [
      'Your arm holds nothing.',
      'There is nothing in your arm.',
      'Nothing is held by your arm.',
      'Your arm is holding nothing.',
      'Your arm has nothing in it.',
    ],
    'You are holding {x}.': [
      '{x} is in your hold.',
      'You have {x} in hand.',
      'What you hold is {x}.',
      'You hold {x}.',
      'In your hold is {x}.',
    ],
    '{x} is free.': [
      '{x} is available.',
      '{x} is not in use.',
      '{x} is unoccupied.',
      'Nothing occupies {x}.',
      '{x} is vacant.',
    ],
    '{x} is carrying {y}.': [
      '{y} is carried by {x}.',
      '{x} carries {y}.',
      '{x} holds {y}.',
      'What {x} carries is {y}.',
      '{x} has {y}.',
    ],
    'Robby is at {x}.': [
      'Robby is located at {x}.',
      'The place of Robby is {x}.',
      'At {x} there is Robby.',
      'Robby is in {x}.',
      'You find Robby at {x}.',
    ],
    '{x} is at {y}.': [
      '{x} is located at {y}.',
      'The place of {x} is {y}.',
      'At {y} there is {x}.',
      '{x} can be found at {y}.',
      'You find {x} at {y}.',
    ],
    '{x} is clean.': [
      '{x} is not dirty.',
      '{x} has been cleaned.',
      '{x} is in a clean state.',
      'There is no dirt on {x}.',
      '{x} counts as clean.',
    ],
    '{x} is empty.': [
      '{x} holds nothing.',
      'There is nothing in {x}.',
      '{x} has no contents.',
      'Nothing is in {x}.',
      '{x} is without contents.',
    ],
    '{x} contains {y}.': [
      '{y} is contained in {x}.',
      '{x} has {y} in it.',
      'In {x} there is {y}.',
      'The contents of {x} are {y}.',
      '{x} holds {y}.',
    ],
    '{x} dispenses {y}.': [
      '{y} comes from {x}.',
      '{x} gives {y}.',
      'From {x} one gets {y}.',
      '{x} is the source of {y}.',
      'What {x} gives is {y}.',
    ],
    'You have {x}.': [
      '{x} is with you.',
      '{x} is in your possession.',
      'What you have is {x}.',
      'You are in possession of {x}.',
      'With you is {x}.',
    ],
    '{x} is in {y}.': [
      '{y} has {x} in it.',
      'Inside {y} is {x}.',
      '{x} lies in {y}.',
      'In {y} there is {x}.',
      'Within {y} is {x}.',
    ],
    'The nut {x} on the hub {y} is loose.': [
      'On the hub {y} the nut {x} is loose.',
      'The nut {x} of the hub {y} is loose.',
      'Loose: the nut {x} on the hub {y}.',
      'The hub {y} has a loose nut {x}.',
      'The nut {x} sits loosely on the hub {y}.',
    ],
    'The nut {x} on the hub {y} is tight.': [
      'On the hub {y} the nut {x} is tight.',
      'The nut {x} of the hub {y} is tight.',
      'Tight: the nut {x} on the hub {y}.',
      'The hub {y} has a tight nut {x}.',
      'The nut {x} sits tightly on the hub {y}.',
    ],
    'Hub {x} is on the ground.': [
      'The hub {x} touches the ground.',
      'The ground carries hub {x}.',
      'Hub {x} is not raised.',
      'Hub {x} stands on the ground.',
      'On the ground: hub {x}.',
    ],
    'Hub {x} is not on the ground.': [
      'The hub {x} does not touch the ground.',
      'Hub {x} is off the ground.',
      'Hub {x} is raised.',
      'Hub {x} does not stand on the ground.',
      'Off the ground: hub {x}.',
    ],
    'Wheel {x} is inflated.': [
      'The wheel {x} is full of air.',
      'Wheel {x} has air in it.',
      'Inflated: wheel {x}.',
      'There is air in wheel {x}.',
      'Wheel {x} is pumped up.',
    ],
    'Wheel {x} is not inflated.': [
      'The wheel {x} is not full of air.',
      'Wheel {x} has too little air in it.',
      'Not inflated: wheel {x}.',
      'There is too little air in wheel {x}.',
      'Wheel {x} is not pumped up.',
    ],
    '{x} is on {y}.': [
      '{y} has {x} on it.',
      'On {y} lies {x}.',
      '{x} lies on {y}.',
      '{y} carries {x}.',
      'On top of {y} is {x}.',
    ],
  },
  distractors: {
    items: [
      'block',
      'ball',
      'gripper',
      'robot',
      'shot glass',
      'cocktail',
      'shaker',
      'dispenser',
      'wheel',
      'hub',
      'nut',
      'boot',
      'crane',
      'truck',
    ],
    topical: [
      'Textbooks on planning often have a {item} in a figure.',
      'A {item} has been used in many puzzles.',
      'Some puzzles have a {item}, and some have none.',
      'Other languages have other words for a {item}.',
      'Factories make more than one sort of {item}.',
      'The price of a {item} differs from shop to shop.',
      'Students sometimes draw a {item} to explain a plan.',
      'A {item} can be made of more than one material.',
      'Museums of technology may show a {item}.',
      'Engineers disagree about the best size of a {item}.',
      'There are photographs of nearly every sort of {item}.',
      'A toy version of a {item} is easy to find.',
    ],
    nearMiss: [
      'In another puzzle, {item} was once in a storeroom.',
      'Last year, in another puzzle, {item} was moved twice.',
      'An older puzzle had {item} in another building.',
      'In a lesson last week, {item} was drawn in another figure.',
      'Someone else, in another game, once looked for {item} for an hour.',
      'In the puzzle of another student, {item} was painted yesterday.',
      'Years ago, in another game, {item} was lost in transport.',
      'Elsewhere, {item} was part of another puzzle last month.',
      'In another textbook, {item} was shown on the cover.',
      'A machine of another laboratory once counted {item} among its parts.',
    ],
  },
  facts: {
    '{subject} is at {false}.': [['rooma', 'roomb']],
    '{subject} is on {false}.': [],
    '{subject} is {false}.': [
      ['clean', 'used'],
      ['open', 'closed'],
      ['tight', 'loose'],
      ['fastened', 'unfastened'],
    ],
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
