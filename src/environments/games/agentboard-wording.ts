import { parseTemplate } from '../../core/form.js'
import type { Domain } from '../pddl/domain.js'
import { plainAction } from './plain-wording.js'
import type { ActionWording, GameName, Wording } from './wording.js'

type ActionRow = readonly [template: string, ending: string, meaning: string]

/** AgentBoard's texts for one game. */
interface Table extends Pick<Wording, 'reports' | 'offersLookAround'> {
  readonly facts: Readonly<Record<string, string>>
  readonly actions: Readonly<Record<string, ActionRow>>
}

/**
 * Facts read as in AgentBoard, mistakes included: in gripper the ball carries the gripper, in barman the hand is what
 * is held.
 */
const tables: Readonly<Record<GameName, Table>> = {
  gripper: {
    reports: 'everything',
    offersLookAround: false,
    facts: {
      ball: '{} is a ball. ',
      gripper: '{} is a gripper. ',
      'at-robby': 'Robby is at {}. ',
      at: '{} is at {}. ',
      free: '{} is free. ',
      carry: '{} is carrying {}. ',
    },
    actions: {
      move: ['Move from {from} to {to}', '. ', 'roll from the room you are in to another'],
      pick: ['Pick up {ball} at {room} with arm {gripper}', '. ', 'take a ball of the room you are in with a free arm'],
      drop: ['drop {ball} {room} {gripper}', '', 'lay the ball that an arm holds down in the room you are in'],
    },
  },
  blockworld: {
    reports: 'everything',
    offersLookAround: false,
    facts: {
      clear: 'The {} is clear.',
      'on-table': '{} is on the table.',
      'arm-empty': 'Your arm is empty.',
      holding: 'You are holding {}. ',
      on: '{} is on {}.',
    },
    actions: {
      pickup: ['Pickup {block}', '.', 'take a clear block off the table, with an empty arm'],
      putdown: ['Putdown {block}', '.', 'lay the block you hold on the table'],
      stack: ['Stack {block} on {under}', '.', 'lay the block you hold on a clear one'],
      unstack: ['Unstack {block} from {under}', '.', 'take a clear block off the one it lies on, with an empty arm'],
    },
  },
  barman: {
    reports: 'changes',
    offersLookAround: true,
    facts: {
      ontable: '{} is on the table. ',
      holding: 'You are holding {}. ',
      empty: '{} is empty. ',
      contains: '{} contains {}. ',
      clean: '{} is clean. ',
      used: 'Pour {} from a shot glass to a used shaker {}',
      dispenses: '{} dispenses {}. ',
      'shaker-empty-level': '{} is at empty level {}. ',
      'shaker-level': '{} is at level {}. ',
      next: 'level {} is next to level {}. ',
      unshaked: '{} is unshaked. ',
      shaked: '{} is shaked. ',
      'cocktail-part1': '{} part1 ingredient is {}. ',
      'cocktail-part2': '{} part2 ingredient is {}. ',
    },
    actions: {
      grasp: ['{hand} grasp {container}', '. ', 'take a glass or shaker off the table with an empty hand'],
      leave: ['{hand} leave {container}', '. ', 'put what a hand holds on the table'],
      'fill-shot': [
        'fill-shot glass {shot} with {ingredient} with {hand} and {other} holding {dispenser}',
        '. ',
        'fill the clean, empty glass in one hand at a dispenser; the other hand must be empty',
      ],
      'refill-shot': [
        'refill-shot {shot} with {ingredient} with {hand} and {other} holding {dispenser}',
        '. ',
        'fill an empty glass in one hand with what it held before, without cleaning it; the other hand must be empty',
      ],
      'empty-shot': [
        'use hand {hand} to empty-shot glass {shot} with beverage {beverage}',
        '. ',
        'pour away what the glass in a hand holds',
      ],
      'clean-shot': [
        'clean-shot glass {shot} with {beverage} with hand {hand} holding shot glass and {other}',
        '. ',
        'clean the empty glass in one hand of what it held; the other hand must be empty',
      ],
      'pour-shot-to-clean-shaker': [
        'pour-shot-to-clean-shaker from a shot glass {shot} with {ingredient} to a clean shaker {shaker} with hand {hand} from level {level} to level {next}',
        '',
        'pour the glass in a hand into a clean, empty shaker, whose level rises by one',
      ],
      'pour-shot-to-used-shaker': [
        'pour-shot-to-used-shaker from a shot glass {shot} with {ingredient} to a used shaker {shaker} with hand {hand} from level {level} to level {next}',
        '',
        'pour the glass in a hand into a shaker that holds something unshaked, whose level rises by one',
      ],
      'empty-shaker': [
        'use hand {hand} to empty-shaker {shaker} with ingredient {cocktail} from level {level} to level {empty}',
        '.',
        'pour away what is shaked in the shaker in a hand',
      ],
      'clean-shaker': [
        'use hand {hand} and hand {other} to clean-shaker {shaker}',
        '',
        'clean the empty shaker in one hand; the other hand must be empty',
      ],
      shake: [
        'shake a cocktail {cocktail} with ingredient {first} and ingredient {second} in a shaker {shaker} with hand {hand} and hand {other}',
        '',
        'shake both parts of a cocktail in the shaker in one hand; the other hand must be empty',
      ],
      'pour-shaker-to-shot': [
        'pour-shaker-to-shot to a shot glass {beverage} the ingredient {shot} with hand {hand} from shaker {shaker} from level {level} to level {next}',
        '',
        'pour from the shaker in a hand, whose level falls by one, into a clean, empty glass; the drink is named before the glass',
      ],
    },
  },
  tyreworld: {
    reports: 'changes',
    offersLookAround: true,
    facts: {
      isopen: '{} is open.',
      closed: '{} is closed.',
      have: 'You have {}.',
      in: '{} is in {}.',
      loose: 'The nut {} on the hub {} is loose.',
      tight: 'The nut {} on the hub {} is tight.',
      unlocked: '{} is unlocked.',
      'on-ground': 'Hub {} is on the ground.',
      'not-on-ground': 'Hub {} is not on the ground.',
      inflated: 'Wheel {} is inflated.',
      'not-inflated': 'Wheel {} is not inflated.',
      fastened: 'Hub {} is fastened.',
      unfastened: 'Hub {} is unfastened.',
      free: '{} is free. ',
      on: '{} is on {}.',
      intact: 'Wheel {} is intact.',
    },
    actions: {
      open: ['Open {container}', '.', 'open what is closed and not locked'],
      close: ['Close {container}', '.', 'close what is open'],
      fetch: ['Fetch {obj} from {container}', '.', 'take something out of what is open'],
      'put-away': ['Put-away {obj} in {container}', '.', 'lay something that you have into what is open'],
      loosen: ['Loosen the nut {nut} on the hub {hub}', '.', 'with the wrench, on a hub that is on the ground'],
      tighten: ['Tighten the nut {nut} on the hub {hub}', '.', 'with the wrench, on a hub that is on the ground'],
      'jack-up': ['jack-up the hub {hub}', '.', 'lift a hub off the ground with the jack, which stays under it'],
      'jack-down': ['Jack-down the hub {hub}', '.', 'let a hub down again and have the jack back'],
      undo: [
        'Undo the fastening of the nut {nut} on the hub {hub}',
        '.',
        'take a loose nut off a lifted hub with the wrench',
      ],
      'do-up': [
        'Do-up the nut {nut} on the hub {hub}',
        '.',
        'put a nut back on a lifted hub with the wrench; it is still loose',
      ],
      'remove-wheel': ['Remove-wheel {wheel} from the hub {hub}', '.', 'take a wheel off a lifted hub without its nut'],
      'put-on-wheel': [
        'put-on-wheel {wheel} on the hub {hub}',
        '.',
        'put a wheel that you have on a lifted hub that is free',
      ],
      inflate: ['Inflate the wheel {wheel}', '.', 'with the pump, a wheel that is intact'],
    },
  },
}

/** AgentBoard's wordings of the actions of a game, by action. */
export function wordingsOf(game: GameName): ReadonlyMap<string, ActionWording> {
  const rows = Object.entries(tables[game].actions)
  return new Map(rows.map(([action, row]) => [action, wordRow(action, row)]))
}

/**
 * AgentBoard's words for one of its games. An action that the game does not have, or has with other arguments, gets the
 * plain wording.
 */
export function agentBoardWording(game: GameName, domain: Domain): Wording {
  const { facts, reports, offersLookAround } = tables[game]
  const known = wordingsOf(game)
  return {
    facts: new Map(Object.entries(facts)),
    actions: new Map(
      domain.actions.map((schema) => {
        const wording = known.get(schema.name)
        const isSame = wording?.parameters.length === schema.parameters.length
        return [schema.name, isSame ? wording : plainAction(schema)]
      }),
    ),
    reports,
    offersLookAround,
    style: 'agentboard',
  }
}

function wordRow(verb: string, [template, ending, meaning]: ActionRow): ActionWording {
  const { slots } = parseTemplate(template)
  return { template, ending, verb, meaning, parameters: [...slots.keys()] }
}
