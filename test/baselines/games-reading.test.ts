import { describe, expect, it } from 'vitest'
import { barman } from '../../baselines/games/barman.js'
import { blockworld } from '../../baselines/games/blockworld.js'
import { readForms } from '../../baselines/games/classify.js'
import type { Doing, Game } from '../../baselines/games/game.js'
import { gripper } from '../../baselines/games/gripper.js'
import { gatherNames } from '../../baselines/games/names.js'
import { readGames } from '../../baselines/games/read.js'
import { believe, learnFromExamples } from '../../baselines/games/scene.js'
import { tyreworld } from '../../baselines/games/tyreworld.js'
import { viewOf } from '../../baselines/games/view.js'
import { listedCommands, readPrompt } from '../../baselines/_prompt.js'

describe('reading what holds', () => {
  it.each<[string, Game, string, readonly string[]]>([
    ['balls', gripper, 'Ball1 is at rooma.  Ball1 is a ball.', ['at ball1 rooma', 'ball ball1']],
    [
      'what stands without a stop',
      gripper,
      'Room rooma Room roomb The goal is satisfied.',
      ['room rooma', 'room roomb'],
    ],
    ['rooms that are called so', gripper, 'Room Room 1 Room Room 2', ['room room1', 'room room2']],
    [
      'numbers behind a stop',
      gripper,
      'Ball no. 1 is carrying left. Robby is at A.',
      ['carry ballno1 left', 'at-robby a'],
    ],
    ['towers', blockworld, 'B1 is on b2. The b1 is clear. Your arm is empty.', ['on b1 b2', 'clear b1', 'arm-empty']],
    ['small letters', blockworld, 'b1 is on the table.  b2 is on b1.', ['on-table b1', 'on b2 b1']],
    ['levels', barman, 'S is at empty level l0. S is at level l1.', ['shaker-empty-level s l0', 'shaker-level s l1']],
    [
      'hands in capitals',
      barman,
      'Handempty LEFT Handempty RIGHT Level L-0 is next to level L-1.',
      ['handempty left', 'handempty right', 'next l0 l1'],
    ],
    [
      'what a glass held',
      barman,
      'Pour shot1 from a shot glass to a used shaker ingredient2 Shot1 contains ingredient2.  The goal is satisfied.',
      ['used shot1 ingredient2', 'contains shot1 ingredient2'],
    ],
    ['nuts', tyreworld, 'The nut nut1 on the hub the-hub1 is loose.', ['loose nut1 thehub1']],
    [
      'hubs',
      tyreworld,
      'Hub h1 is not on the ground. H1 is free.  You have nut1.',
      ['not-on-ground h1', 'free h1', 'have nut1'],
    ],
    ['nothing', barman, 'Nothing to be said. ', []],
  ])('finds %s', (_, game, text, facts) => {
    expect(game.read(text).facts).toEqual(facts)
  })

  it('spells names as they stand within sentences', () => {
    const spelled = (text: string): readonly string[] => [...gatherNames(gripper.read(text).met).spelled.values()]
    expect(spelled('Ball-1 is a ball. Robby is at Hall.')).toEqual(['ball-1', 'Hall'])
    expect(spelled('BALL-1 is a ball.')).toEqual(['BALL-1'])
  })

  it('finds names in observations of any kind, and none in refusals and lists', () => {
    const { names } = readGames()
    expect(names('You have nut1. Hub hub1 is unfastened.')).toEqual(['nut1', 'hub1'])
    expect(names('You are holding left. ')).toEqual(['left'])
    expect(names('lit lamp1 off lamp2')).toEqual(['lamp1', 'lamp2'])
    expect(names('The action is not valid and therefore takes no effect. ')).toEqual([])
    expect(names('Valid actions are: pickup b1., check valid actions')).toEqual([])
  })

  it('knows what is held, from what is not on the table', () => {
    const told = barman.read(
      'Level l0 is next to level l1. Shot1 is clean. Shot2 is clean. Shot2 is on the table. You are holding left.',
    )
    expect([...believe(barman, new Set(), told.facts)]).toContain('holding left shot1')
  })
})

describe('telling what forms are for', () => {
  it.each([
    [gripper, 'Wander from {from} to {to}', '', 'move', 'Wander from {0} to {1}'],
    [gripper, 'to {to} wander from {from}', '', 'move', 'to {1} wander from {0}'],
    [gripper, 'collect <ball>', '', undefined, ''],
    [blockworld, 'Grab {block}', 'take a clear block off the table', 'pickup', 'Grab {0}'],
    [blockworld, 'stack {block} {block}', '', 'stack', 'stack {0} {1}'],
    [barman, '{hand1} and {hand2} wash {shaker}', '', 'clean-shaker', '{0} and {1} wash {2}'],
    [barman, 'wash {glass} of {drink} {hand1} {hand2}', '', 'clean-shot', 'wash {0} of {1} {2} {3}'],
    [tyreworld, 'Elevate the hub {hub}', 'lift a hub off the ground', 'jack-up', 'Elevate the hub {0}'],
    [tyreworld, 'Blow {wheel}', '', 'inflate', 'Blow {0}'],
  ])('%#: %s', (game, template, meaning, verb, form) => {
    const [best] = readForms(game, template, meaning)
    expect(best).toEqual(verb === undefined ? undefined : { verb, template: form })
  })

  it('reads forms with pointed slots, and lists with full stops', () => {
    const { forms } = readPrompt('You act.\n    fill <shot> <hand1>: Fill a glass\n\naccomplish the goal: x\n')
    expect(forms).toEqual([{ template: 'fill {shot} {hand1}', meaning: 'Fill a glass' }])
    const list = 'Valid actions are: left leave shot1. , look around'
    expect(listedCommands(list)).toEqual(['left leave shot1', 'look around'])
  })

  it('knows what was done in examples by what came of it, in words that it never heard', () => {
    const scene = 'Robby is at a. Room a Room b'
    const all = 'X is a ball. L is a gripper. Room a Room b'
    const forms = learnFromExamples(gripper, `${scene} X is at a. L is free.`, [
      { action: 'l zib x a', observation: `${all} Robby is at a. X is carrying l.` },
      { action: 'zab b of a', observation: `${all} Robby is at b. X is carrying l.` },
      { action: 'zob', observation: 'The action is not valid and therefore takes no effect.' },
      { action: 'zub l: x, b', observation: `${all} Robby is at b. X is at b. L is free.` },
    ])
    expect(new Map(forms.map(({ verb, template }) => [verb, template]))).toEqual(
      new Map([
        ['pick', '{2} zib {0} {1}'],
        ['move', 'zab {1} of {0}'],
        ['drop', 'zub {2}: {0}, {1}'],
      ]),
    )
  })
})

describe('what is sensible', () => {
  const decide = (game: Game, facts: string, goal: string): readonly Doing[] =>
    game.decide(viewOf(new Set(facts.split(', '))), goal.split(', '))
  const deeds = (doings: readonly Doing[]): readonly string[] =>
    doings.map(({ deed, objects }) => [deed, ...objects].join(' '))

  it.each([
    [gripper, 'at-robby a, carry x l, free r, room a, room b', 'at x a', ['drop x a l']],
    [gripper, 'at-robby a, at x a, at y a, free l, room a, room b', 'at x b', ['pick x a l']],
    [blockworld, 'arm-empty, on a b, on-table b, clear a, on-table c, clear c', 'on b c', ['unstack a b']],
    [blockworld, 'holding a, on-table b, clear b', 'on a b', ['stack a b']],
    [blockworld, 'arm-empty, on a b, on-table b, clear a', 'on a b', []],
    [barman, 'handempty l, handempty r, ontable s, clean s, empty s, dispenses d i', 'contains s i', ['grasp l s']],
    [barman, 'holding l s, handempty r, clean s, empty s, dispenses d i', 'contains s i', ['fill-shot s i l r d']],
    [barman, 'holding l s, handempty r, used s j, contains s j, dispenses d i', 'contains s i', ['empty-shot l s j']],
    [barman, 'holding l s, handempty r, used s i, empty s, dispenses d i', 'contains s i', ['refill-shot s i l r d']],
    [tyreworld, 'closed b, unlocked b, in pump b, intact w, not-inflated w', 'inflated w', ['open b']],
    [tyreworld, 'have wrench, on-ground h, loose n h', 'tight n h', ['tighten n h']],
    [tyreworld, 'on-ground h, fastened h', 'on w h', []],
  ])('%#: %s', (game, facts, goal, wanted) => {
    expect(deeds(decide(game, facts, goal))).toEqual(wanted)
  })
})
