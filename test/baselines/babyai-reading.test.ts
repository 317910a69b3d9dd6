import { describe, expect, it } from 'vitest'
import { draw, emptyChart, outlookOn } from '../../baselines/babyai/chart.js'
import { readMission } from '../../baselines/babyai/mission.js'
import { formByOutcome } from '../../baselines/babyai/outcome.js'
import { cellFrom, moved, start } from '../../baselines/babyai/place.js'
import { readSight } from '../../baselines/babyai/sight.js'
import { isSameName, readKind } from '../../baselines/babyai/thing.js'
import { verbOf } from '../../baselines/babyai/words.js'

const seen = (things: string, rest = 'You are facing a wall 4 steps away. You are not carrying anything.'): string =>
  `In front of you in this room, you can see several objects: ${things} The room has walls around you. ${rest}`

describe('names', () => {
  it.each(['red closed door 2', 'red-closed-door-2', 'Red closed DOOR no. 2', 'redcloseddoor2'])('reads %s', (name) => {
    expect(readKind(name)).toEqual({ type: 'door', colour: 'red', state: 'closed' })
    expect(isSameName(name, 'red closed door 2')).toBe(true)
    expect(isSameName(name, 'red closed door 1')).toBe(false)
  })
})

describe('observations', () => {
  it('reads what stands where, in any spelling of the names', () => {
    const sight = readSight(
      seen(
        'There is a red-ball-1 right in front of you 3 steps away.  There is a Grey key no. 1 2 steps in front of you and 1 steps to your left. ',
        'You are facing a wall 6 steps away. You are carrying a blue key.',
      ),
    )
    expect(sight.things.map(({ name, ahead, aside }) => [name, ahead, aside])).toEqual([
      ['red-ball-1', 3, 0],
      ['Grey key no. 1', 2, -1],
    ])
    expect([sight.wall, sight.carrying, sight.isView]).toEqual([6, 'blue key', true])
  })

  it.each([
    ['The action is not recognized. Please check valid actions.', true, false],
    ["There is a barrier in front of you, you can't move forward.", false, true],
    ['You cannot grab red-ball-1, as there is no path leading to it.', false, true],
    ['No change in state.', false, true],
  ])('tells %s', (text, refused, denied) => {
    expect(readSight(text)).toMatchObject({ refused, denied, isView: false })
  })
})

describe('instructions', () => {
  it.each([
    ['go to the red ball', ['go red ball']],
    ['pick up a box', ['take  box']],
    ['open a door behind you', ['open  door behind']],
    ['go to the grey object on your left', ['go grey  left']],
    ['put the red ball next to the blue box', ['put red ball / blue box']],
    ['open the red door, and open the blue door', ['open red door', 'open blue door']],
    ['open the red door, then open the blue door', ['open red door', 'open blue door']],
    ['open the red door and open the blue door', ['open blue door', 'open red door']],
    ['open the red door after you open the blue door', ['open blue door', 'open red door']],
    ['go to a key and go to a ball, then open the door', ['go  ball', 'go  key', 'open  door']],
    ['', []],
    ['sing', []],
  ])('reads %s', (text, expected) => {
    const errands = readMission(text).map(({ deed, thing, beside }) => {
      const words = [deed, thing.colour, thing.type, ...(thing.side === '' ? [] : [thing.side])].join(' ')
      return beside === undefined ? words : `${words} / ${beside.colour} ${beside.type}`
    })
    expect(errands).toEqual(expected)
  })
})

describe('verbs', () => {
  it.each([
    ['walk up to a key, ball or box in view and pick it up; you hold one thing at a time', true, 'take'],
    ['walk up to a closed door, open it and step into it; a locked one too', true, 'unlock'],
    ['walk onto the cell of an open door', true, 'through'],
    ['walk up to something in view until you face it', true, 'go'],
    ['open the closed or locked door right in front of you', false, 'toggle'],
    ['put down what you hold, onto the free cell in front of you', false, 'drop'],
    ['turn a quarter to the right', false, 'right'],
    ['take a step ahead', false, 'forward'],
    ['be told every action that is possible now', false, 'list'],
    ['sing a song', false, undefined],
  ])('knows what "%s" is about', (phrase, isAboutThing, verb) => {
    expect(verbOf(phrase, isAboutThing)).toBe(verb)
  })

  it.each([
    ['frob', 'There is a red ball 1 2 steps in front of you and 1 steps to your right. ', 'forward'],
    ['frob', 'There is a red ball 1 1 steps in front of you and 3 steps to your left. ', 'right'],
    ['frob', 'There is a red ball 1 0 steps in front of you and 3 steps to your right. ', undefined],
    ['frob red ball 1', 'There is a red ball 1 right in front of you 1 steps away. ', 'go'],
  ])('finds out what "%s" did', (action, after, verb) => {
    const before = 'There is a red ball 1 3 steps in front of you and 1 steps to your right. '
    expect(formByOutcome(action, readSight(seen(before)), readSight(seen(after)))?.verb).toBe(verb)
  })
})

describe('the map', () => {
  it('draws walls across the way one looks, and sees what lies before them', () => {
    const chart = draw(emptyChart, start, readSight(seen('')))
    const { isWall, isSeen } = outlookOn(chart)
    expect(isWall(cellFrom(start, 4, 0))).toBe(true)
    expect(isWall(cellFrom(start, 4, 2))).toBe(true)
    expect(isSeen(cellFrom(start, 3, 3))).toBe(true)
    expect(isSeen(cellFrom(start, 5, 0))).toBe(false)
    expect(isSeen(cellFrom(start, -1, 0))).toBe(false)
  })

  it('takes no wall from the frame of a doorway', () => {
    const door = 'There is a red open door 1 right in front of you 1 steps away. '
    const inDoor = moved(start, 0, 1)
    const chart = draw(draw(emptyChart, start, readSight(seen(door))), inDoor, readSight(seen('')))
    const aside = draw(
      chart,
      moved(inDoor, 1, 0),
      readSight(seen('', 'You are facing a wall 1 steps away. You are not carrying anything.')),
    )
    expect(aside.columns).toEqual([])
    expect(aside.rows).toEqual(chart.rows)
  })
})
