import { definePerturbation, rewordActions } from 'shaketable'

/**
 * Another order of tokens for the actions of the four PDDL games. The games take objects in the order of the text, so
 * an action has another wording when objects of different types change places. For objects of one type (blocks, rooms)
 * the old wording would mean the reverse; there the new order comes with another verb.
 */
export default definePerturbation({
  name: 'pddl-3',
  summary:
    'PDDL games: objects in another order: drop {ball} {room} {gripper} → {gripper} drop {ball} {room}, Fetch {obj} from {container} → From {container} fetch {obj}, …',
  source:
    "this testbed, after AgentRefine's perturbation 3: the same tokens in another order, as far as the games tell orders apart",
  environment: 'pddl',
  counterpartOf: 'agentrefine-3',
  promise: 'invariant',
  open: () =>
    rewordActions({
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
      'empty-shaker {hand} {shaker} {cocktail} {level} {empty}':
        'empty-shaker {shaker} {cocktail} {level} {empty} {hand}',
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
    }),
})
