import { definePerturbation, rewordActions } from 'shaketable'

/**
 * Other verbs for putting down, emptying, cleaning and closing in the four PDDL games; together with `pddl-1` and
 * `pddl-2` every action has another wording.
 */
export default definePerturbation({
  name: 'pddl-5',
  summary:
    'PDDL games: drop, putdown, leave, empty-…, clean-…, open, close, put-away, tighten, do-up → release, lower, deposit, drain-…, rinse-…, unlatch, shut, stow, fasten, refit',
  source: "this testbed, after AgentRefine's perturbations 1 and 2: other tokens, the same meaning",
  environment: 'pddl',
  promise: 'invariant',
  open: () =>
    rewordActions({
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
      'empty-shaker {hand} {shaker} {cocktail} {level} {empty}':
        'drain-shaker {hand} {shaker} {cocktail} {level} {empty}',
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
    }),
})
