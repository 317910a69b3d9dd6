import { describe, expect, it } from 'vitest'
import type { Turn, World } from '../../../src/core/environment.js'
import { completeWorld } from '../../../src/define/world.js'
import { textOf } from '../../../src/core/text.js'
import { createBriefing } from '../../../src/environments/household/briefing.js'
import type { Game } from '../../../src/environments/household/engine/engine.js'
import { normaliseAction } from '../../../src/environments/household/forms.js'
import { readGoal, subGoals } from '../../../src/environments/household/goal.js'
import { createProtocolWorld } from '../../../src/environments/household/protocol.js'
import { pythonStrip } from '../../../src/environments/python-strip.js'
import { syncWorld } from '../../sync-world.js'
import { problem, smallGame } from './small-game.js'

const coolAndPut = 'cool some mug and put it in fridge.'

function begin(generation: 'old' | 'new' = 'old', game: Game = smallGame(generation)) {
  const goal = readGoal(game.goalSentence)!
  const world = createProtocolWorld({
    engine: game.start(),
    briefing: createBriefing(generation, goal.kind, game.goalSentence, undefined),
    names: game.names,
    patterns: subGoals(goal, generation),
    solve: () => undefined,
  })
  return syncWorld(completeWorld(world, { environment: { name: 'household' }, goal: game.goalSentence, refusal: '' }))
}

const step = (world: World, action: string): Turn => world.step(action) as Turn
const observe = (world: World, ...actions: readonly string[]): string[] =>
  actions.map((action) => textOf(step(world, action).observation))

const room =
  'You are in the middle of a room. Looking quickly around you, you see a desk 1, a fridge 1, a shelf 2, a shelf 1, and a sinkbasin 1.'

describe("the benchmark's protocol", () => {
  it('opens with only the room and has the goal in the briefing', () => {
    const world = begin()
    expect(textOf(world.opening)).toBe(room)
    expect(world.originalOpening).toBe(room)
    expect(world.briefing.goal).toBe(coolAndPut)
  })

  it('omits the numbered location of the old generation and leaves the new one as it is', () => {
    expect(observe(begin('old'), 'go to fridge 1', 'go to desk 1')).toEqual([
      'The fridge 1 is closed.',
      'On the desk 1, you see a lamp 1, and a mug 2.',
    ])
    expect(observe(begin('new'), 'go to fridge 1')).toEqual(['You arrive at fridge 1. The fridge 1 is closed.'])
  })

  it('answers look with the view of the last go to or open, however stale', () => {
    const world = begin()
    const desk = 'On the desk 1, you see a lamp 1, and a mug 2.'
    expect(observe(world, 'look', 'go to desk 1', 'look', 'take mug 2 from desk 1', 'look', 'examine desk 1')).toEqual([
      room,
      desk,
      desk,
      'You pick up the mug 2 from the desk 1.',
      desk,
      'On the desk 1, you see a lamp 1.',
    ])
    expect(observe(world, 'go to desk 1', 'go to moon 1', 'open desk 1', 'look')).toEqual([
      'Nothing happens.',
      'Nothing happens.',
      'Nothing happens.',
      desk,
    ])
    const opened = 'You open the fridge 1. The fridge 1 is open. In it, you see a apple 2, and a apple 1.'
    expect(observe(world, 'go to fridge 1', 'open fridge 1', 'close fridge 1', 'look')).toEqual([
      'The fridge 1 is closed.',
      opened,
      'You close the fridge 1.',
      opened,
    ])
  })

  it('answers check valid actions by itself, with the commands as data', () => {
    const world = begin()
    const turn = step(world, 'check valid actions')
    const listed = [
      ...['go to desk 1', 'go to fridge 1', 'go to shelf 1', 'go to shelf 2', 'go to sinkbasin 1'],
      ...['inventory', 'look', 'check valid actions'],
    ]
    expect(world.admissible()).toEqual(listed)
    expect(textOf(turn.observation)).toBe(`Choose an action from these valid actions: ${listed.join(', ')}`)
    expect(turn.original).toBe(textOf(turn.observation))
    expect(turn.observation.filter((piece) => typeof piece === 'object')).toEqual([{ list: listed }])
    expect(turn).toMatchObject({ understood: true, progress: 0, ended: false, command: 'check valid actions' })
    expect(step(world, 'check valid actions').observation).toEqual(turn.observation)
  })

  it.each([
    ['look', true, room],
    ['look.', false, room],
    ['look .', false, 'You are in the middle of a room. Looking quickly around you, you see nothing.'],
    [' look', false, 'You are in the middle of a room. Looking quickly around you, you see nothing.'],
    ['Look', false, 'Nothing happens.'],
    ['check valid actions.', false, 'Choose an action'],
    ['check valid actions .', false, 'Nothing happens.'],
    ['go to desk 1', true, 'On the desk 1'],
    ['go to desk 1.', false, 'On the desk 1'],
    ['go to desk 1 .', false, 'On the desk 1'],
    ['go to  desk 1', false, 'Nothing happens.'],
    ['inventory', true, 'You are not carrying anything.'],
    ['', false, 'Nothing happens.'],
    ['.', false, 'Nothing happens.'],
    ['help', false, 'Nothing happens.'],
  ])('handles %j (understood: %s), and answers', (action, understood, answer) => {
    const world = begin()
    expect(world.understands(action)).toBe(understood)
    const turn = step(world, action)
    expect(turn.understood).toBe(understood)
    expect(turn.command).toBe(action)
    expect(textOf(turn.observation).startsWith(answer)).toBe(true)
  })

  it('decides whether an action is understood before it changes anything', () => {
    const world = begin()
    expect(world.understands('take mug 2 from desk 1')).toBe(false)
    step(world, 'go to desk 1')
    expect(world.understands('take mug 2 from desk 1')).toBe(true)
    expect(world.understands('go to desk 1')).toBe(false)
  })

  it('counts each sub-goal once, and ends with the task', () => {
    const world = begin()
    const progress = (action: string): number | string => {
      const turn = step(world, action)
      return turn.ended === false ? turn.progress : `${turn.ended} ${String(turn.progress)}`
    }
    expect(progress('go to fridge 1')).toBe(0)
    expect(progress('open fridge 1')).toBe(0)
    expect(progress('go to shelf 1')).toBe(0.25)
    expect(progress('take mug 1 from shelf 1')).toBe(0.5)
    expect(progress('put mug 1 in/on shelf 1')).toBe(0.5)
    expect(progress('take mug 1 from shelf 2')).toBe(0.5)
    expect(progress('go to fridge 1')).toBe(0.5)
    expect(progress('cool mug 1 with fridge 1')).toBe(0.75)
    expect(progress('cool mug 1 with fridge 1')).toBe(0.75)
    expect(progress('put mug 1 in/on fridge 1')).toBe('success 1')
  })

  it('looks for sub-goals again in the view that look repeats, and never in the opening alone', () => {
    const world = begin('old', smallGame('old', { goalSentence: 'put a desk in shelf.' }))
    expect(step(world, 'go to nowhere').progress).toBe(0)
    expect(step(world, 'look').progress).toBe(1 / 3)
  })

  it('answers a refusal like an action that is not understood, and does not remember it', () => {
    const world = begin()
    step(world, 'go to desk 1')
    const turn = world.refuse('go to fridge 1') as Turn
    expect(turn).toEqual({
      observation: ['Nothing happens.'],
      original: 'Nothing happens.',
      command: undefined,
      understood: false,
      progress: 0.25,
      ended: false,
    })
    expect(observe(world, 'look')).toEqual(['On the desk 1, you see a lamp 1, and a mug 2.'])
  })

  it('is won by the first action that reaches the engine if the task is done from the start', () => {
    const done = problem('(exists (?r - receptacle) (receptacleType ?r FridgeType))')
    const world = begin('old', smallGame('old', { pddlProblem: done }))
    expect(step(world, 'check valid actions')).toMatchObject({ ended: false, progress: 0 })
    expect(step(world, 'jump')).toMatchObject({ ended: 'success', progress: 1, understood: false })
  })
})

describe('normaliseAction', () => {
  it.each([
    ['  go to desk 1 ', 'go to desk 1'],
    ['look.', 'look'],
    ['look..', 'look.'],
    ['look . .', 'look .'],
    ['go to cabinet 12 .', 'go to cabinet 12'],
    ['.', ''],
    ['', ''],
    ['\u001c look\u0085\u3000', 'look'],
    ['\ufefflook', '\ufefflook'],
    ['put mug 1 in cabinet 3', 'put mug 1 in/on cabinet 3'],
    ['put mug 1 on shelf 3.', 'put mug 1 in/on shelf 3'],
    ['put mug 1 in/on shelf 3', 'put mug 1 in/on shelf 3'],
    ['put mug 1  in  cabinet 3', 'put mug 1  in/on  cabinet 3'],
    ['put mug 1 in on shelf 3', 'put mug 1 in/on on shelf 3'],
    ['put mug 1 in a cup in cabinet 1', 'put mug 1 in/on a cup in/on cabinet 1'],
    ['put mug 1 on a tray in cabinet 1', 'put mug 1 on a tray in/on cabinet 1'],
    ['use computer on desk 1', 'use computer in/on desk 1'],
    ['input on in', 'input in/on in'],
    ['turn on lamp 1', 'turn on lamp 1'],
    ['Put mug 1 in cabinet 3', 'Put mug 1 in cabinet 3'],
  ])('turns %j into %j', (action, expected) => {
    expect(normaliseAction(action)).toBe(expected)
  })
})

describe('pythonStrip', () => {
  it.each([
    ['  a b \n', 'a b'],
    ['\u001c\u001d\u001e\u001fa\u0085\u00a0', 'a'],
    ['\ufeffa\ufeff', '\ufeffa\ufeff'],
    ['\u200ba', '\u200ba'],
    ['\u2003\u3000a\u205f\u202f', 'a'],
    [' \t\v\f\r ', ''],
    ['', ''],
  ])('of %j gives %j', (text, stripped) => {
    expect(pythonStrip(text)).toBe(stripped)
  })
})
