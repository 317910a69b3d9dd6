import { definePerturbation, rewordActions } from 'shaketable'

/**
 * Other verbs for taking and handling things in the four PDDL games. The games recognise an action by its verb and
 * ignore all other words, so only another verb is another wording. Rules cover the wording of lists and that of
 * AgentBoard's prompt file.
 */
export default definePerturbation({
  name: 'pddl-1',
  summary:
    'PDDL games: pick up, pickup, unstack, grasp, fill-shot, refill-shot, shake, fetch, remove-wheel, loosen, undo → other verbs, with … → using …',
  source: "this testbed, after AgentRefine's perturbation 1: another token in an action's wording",
  environment: 'pddl',
  counterpartOf: 'agentrefine-1',
  promise: 'invariant',
  open: () =>
    rewordActions({
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
    }),
})
