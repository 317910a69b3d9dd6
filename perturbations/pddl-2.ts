import { definePerturbation, rewordActions } from 'shaketable'

/**
 * Other verbs for going, stacking, pouring and lifting in the four PDDL games. Rules cover the wording of lists and
 * that of AgentBoard's prompt file.
 */
export default definePerturbation({
  name: 'pddl-2',
  summary:
    'PDDL games: move, stack, pour-…, jack-up, jack-down, put-on-wheel, inflate → go, pile, tip-…, raise, lower, mount-wheel, pump-up',
  source:
    "this testbed, after AgentRefine's perturbation 2: another verb for walking, and for what comes closest to it",
  environment: 'pddl',
  counterpartOf: 'agentrefine-2',
  promise: 'invariant',
  open: () =>
    rewordActions({
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
    }),
})
