import { describe, expect, it } from 'vitest'
import type { Engine } from '../../../src/environments/household/engine/engine.js'
import { displayNames } from '../../../src/environments/household/engine/engine.js'
import { problem, smallGame } from './small-game.js'

const play = (engine: Engine, ...commands: readonly string[]): string[] =>
  commands.map((command) => engine.step(command).observation)

describe('a household game', () => {
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

  it.each('Look,go to  desk 1,go to desk,go to desk 10,,look.,help me,\ufefflook,check valid actions'.split(','))(
    'does not accept %j',
    (command) => {
      const engine = smallGame().start()
      expect(engine.step(command)).toEqual({ observation: 'Nothing happens.', accepted: false })
      expect(engine.accepts(command)).toBe(false)
    },
  )

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
