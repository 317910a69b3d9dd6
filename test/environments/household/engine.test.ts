import { describe, expect, it } from 'vitest'
import type { Engine } from '../../../src/environments/household/engine/engine.js'
import { displayNames } from '../../../src/environments/household/engine/engine.js'
import { problem, smallGame } from './small-game.js'

const play = (engine: Engine, ...commands: readonly string[]): string[] =>
  commands.map((command) => engine.step(command).observation)

describe('a household game', () => {
  it('opens with the room, its receptacles by id with falling numbers, and the task', () => {
    const game = smallGame()
    expect(game.opening).toBe(
      '-= Welcome to TextWorld, ALFRED! =-\n\nYou are in the middle of a room. Looking quickly around you, you see a desk 1, a fridge 1, a shelf 2, a shelf 1, and a sinkbasin 1.\n\nYour task is to: cool some mug and put it in fridge.',
    )
    expect(game.goalSentence).toBe('cool some mug and put it in fridge.')
    const items = 'apple 2,apple 1,desk 1,fridge 1,lamp 1,mug 2,mug 1,shelf 2,shelf 1,sinkbasin 1,window 1'
    expect(game.names.join()).toBe(items)
  })

  it('lists the commands it accepts, sorted, without `go to` the current location', () => {
    const engine = smallGame().start()
    const everywhere = ['go to desk 1', 'go to fridge 1', 'go to shelf 1', 'go to shelf 2', 'go to sinkbasin 1']
    expect(engine.admissible()).toEqual([...everywhere, 'help', 'inventory', 'look'])
    engine.step('go to shelf 2')
    expect(engine.admissible()).toEqual([
      'examine shelf 1',
      'examine shelf 2',
      'go to desk 1',
      'go to fridge 1',
      'go to sinkbasin 1',
      'help',
      'inventory',
      'look',
      'take mug 1 from shelf 1',
      'take mug 1 from shelf 2',
    ])
    expect(play(engine, 'go to shelf 1', 'go to shelf 2')).toEqual(['Nothing happens.', 'Nothing happens.'])
  })

  it.each([
    [
      'new',
      'You arrive at shelf 2. On the shelf 2, you see a mug 1.',
      'move mug 1 to desk 1',
      'You move the mug 1 to the desk 1.',
    ],
    [
      'old',
      'You arrive at loc 5. On the shelf 2, you see a mug 1.',
      'put mug 1 in/on desk 1',
      'You put the mug 1 in/on the desk 1.',
    ],
  ] as const)('has the wording of the %s generation', (generation, arrival, put, answer) => {
    const game = smallGame(generation)
    expect(game.generation).toBe(generation)
    const engine = game.start()
    expect(play(engine, 'go to shelf 2', 'take mug 1 from shelf 2', 'go to desk 1', put)).toEqual([
      arrival,
      'You pick up the mug 1 from the shelf 2.',
      generation === 'new'
        ? 'You arrive at desk 1. On the desk 1, you see a lamp 1, and a mug 2.'
        : 'You arrive at loc 4. On the desk 1, you see a lamp 1, and a mug 2.',
      answer,
    ])
    expect(engine.admissible().includes('help')).toBe(generation === 'new')
    expect(engine.step('help').observation).toMatch(
      generation === 'new' ? /^Available commands:\n/ : /^Nothing happens\.$/,
    )
  })

  it.each('Look,go to  desk 1,go to desk,go to desk 10,,look.,help me,\ufefflook,check valid actions'.split(','))(
    'does not accept %j',
    (command) => {
      const engine = smallGame().start()
      expect(engine.step(command)).toEqual({ observation: 'Nothing happens.', accepted: false })
      expect(engine.accepts(command)).toBe(false)
    },
  )

  it.each(['  go to desk 1\n', '\u001cgo to desk 1\u001f', '\u0085go to desk 1\u3000'])(
    'strips %j as Python does',
    (command) => {
      expect(smallGame().start().step(command).accepted).toBe(true)
    },
  )

  it('examines only objects in hand, since a comma in the domain makes the other case impossible', () => {
    const engine = smallGame().start()
    play(engine, 'go to desk 1')
    expect(engine.step('examine mug 2').observation).toBe('Nothing happens.')
    play(engine, 'take mug 2 from desk 1')
    expect(engine.step('examine mug 2').observation).toBe("There's nothing special about mug 2.")
  })

  it('takes an object that is in two receptacles from only one of them', () => {
    const engine = smallGame().start()
    expect(play(engine, 'go to shelf 1', 'take mug 1 from shelf 1', 'examine shelf 2', 'examine shelf 1')).toEqual([
      'You arrive at shelf 1. On the shelf 1, you see a mug 1.',
      'You pick up the mug 1 from the shelf 1.',
      'On the shelf 2, you see a mug 1.',
      'On the shelf 1, you see nothing.',
    ])
  })

  it('finds things on the floor only if something was moved between two receptacles at one place', () => {
    const engine = smallGame().start()
    expect(engine.step('look').observation).toMatch(/room\. Looking quickly around you, you see nothing\.$/)
    expect(
      play(engine, 'go to shelf 1', 'look', 'take mug 1 from shelf 1', 'look', 'move mug 1 to shelf 2', 'look').filter(
        (_, index) => index % 2 === 1,
      ),
    ).toEqual([
      'You are facing the shelf 2, and shelf 1. Next to it, you see nothing.',
      'You are facing the shelf 2, and shelf 1. Next to it, you see nothing.',
      'You are facing the shelf 2, and shelf 1. Next to it, you see a mug 1.',
    ])
    expect(play(engine, 'take mug 1 from shelf 2', 'move mug 1 to shelf 1', 'look').at(-1)).toBe(
      'You are facing the shelf 2, and shelf 1. Next to it, you see a mug 1.',
    )
  })

  it('hides the content of closed receptacles and shows it once they are open', () => {
    const engine = smallGame().start()
    expect(
      play(
        engine,
        'go to fridge 1',
        'take apple 1 from fridge 1',
        'open fridge 1',
        'open fridge 1',
        'take apple 1 from fridge 1',
        'close fridge 1',
        'move apple 1 to fridge 1',
        'examine fridge 1',
      ),
    ).toEqual([
      'You arrive at fridge 1. The fridge 1 is closed.',
      'Nothing happens.',
      'You open the fridge 1. The fridge 1 is open. In it, you see a apple 2, and a apple 1.',
      'Nothing happens.',
      'You pick up the apple 1 from the fridge 1.',
      'You close the fridge 1.',
      'Nothing happens.',
      'The fridge 1 is closed.',
    ])
  })

  it('answers that a lamp is turned on each time, and switches it on and off', () => {
    const engine = smallGame().start()
    const isOn = engine.game.task.predicate('ison')!
    const lit = (): boolean => engine.game.task.table.ofPredicate(isOn).some((atom) => engine.facts.has(atom))
    engine.step('go to desk 1')
    for (const on of [true, false, true]) {
      expect(engine.step('use lamp 1').observation).toBe('You turn on the lamp 1.')
      expect(lit()).toBe(on)
    }
  })

  it('is won when the goal holds, continues, and can stop being won', () => {
    const engine = smallGame().start()
    play(engine, 'go to desk 1', 'take mug 2 from desk 1', 'go to fridge 1', 'cool mug 2 with fridge 1')
    expect(engine.step('examine mug 2').observation).toBe('This is a cold mug 2.')
    play(engine, 'open fridge 1')
    expect(engine.won).toBe(false)
    play(engine, 'move mug 2 to fridge 1')
    expect(engine.won).toBe(true)
    expect(engine.step('take mug 2 from fridge 1').accepted).toBe(true)
    expect(engine.won).toBe(false)
  })

  it('can be won by arriving', () => {
    const goal =
      '(exists (?o - object ?r - receptacle ?a - agent ?l - location) (and (isToggled ?o) (inReceptacle ?o ?r) (receptacleAtLocation ?r ?l) (atLocation ?a ?l))) (exists (?m - object ?a - agent) (and (objectType ?m MugType) (holds ?a ?m)))'
    const engine = smallGame('new', { pddlProblem: problem(goal) }).start()
    play(engine, 'go to desk 1', 'use lamp 1', 'go to shelf 1', 'take mug 1 from shelf 1')
    expect(engine.won).toBe(false)
    engine.step('go to desk 1')
    expect(engine.won).toBe(true)
  })

  it('distinguishes two objects from one in a goal', () => {
    const goal =
      '(exists (?r - receptacle ?o1 - object) (and (inReceptacle ?o1 ?r) (objectType ?o1 MugType) (exists (?o2 - object) (and (not (= ?o1 ?o2)) (objectType ?o2 MugType) (inReceptacle ?o2 ?r)))))'
    const engine = smallGame('new', { pddlProblem: problem(goal) }).start()
    play(engine, 'go to shelf 1', 'take mug 1 from shelf 1', 'go to desk 1')
    expect(engine.won).toBe(false)
    engine.step('move mug 1 to desk 1')
    expect(engine.won).toBe(true)
  })

  it('can be played any number of times', () => {
    const game = smallGame()
    const commands = ['go to shelf 1', 'take mug 1 from shelf 1', 'move mug 1 to shelf 2', 'look']
    expect(play(game.start(), ...commands)).toEqual(play(game.start(), ...commands))
    expect(game.start().admissible()).toEqual(game.start().admissible())
  })

  it('gives planners ground actions with their commands', () => {
    const engine = smallGame().start()
    engine.step('go to desk 1')
    const commands = engine.actions().map((action) => engine.commandOf(action))
    expect([...new Set(commands)].sort()).toEqual(engine.admissible())
  })
})

describe('display names', () => {
  it('number each class in descending order of the ids', () => {
    const ids = ['agent1', 'mug_bar_1', 'mug_bar_2', 'pen_bar_1', 'pencil_bar_1', 'pencil_bar_2']
    expect(displayNames(ids).join()).toBe('agent1 ,mug 2,mug 1,pen 1,pencil 2,pencil 1')
  })

  it('put basins into a class of their own', () => {
    expect(
      displayNames(['sink_bar_1', 'sink_bar_1_bar_sinkbasin', 'sink_bar_2', 'bathtub_bar_9_bar_bathtubbasin']),
    ).toEqual(['sink 2', 'sinkbasin 1', 'sink 1', 'bathtubbasin 1'])
  })

  it("are safe from names of JavaScript's own properties", () => {
    expect(displayNames(['__proto___bar_1', 'constructor_bar_1'])).toEqual(['__proto__ 1', 'constructor 1'])
  })
})
