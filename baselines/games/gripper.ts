import { readRules } from './deed.js'
import { createFactReader } from './facts.js'
import type { Doing, Game } from './game.js'
import { best } from './game.js'
import type { View } from './view.js'

/** Balls are carried between rooms, one in each arm. */
export const gripper: Game = {
  sign: /robby is at /i,
  mark: 'room',
  read: createFactReader([
    ['at-robby', 'robby is at X', 'room'],
    ['at', 'X is at Y', 'ball', 'room'],
    ['carry', 'X is carrying Y', 'ball', 'gripper'],
    ['ball', 'X is a ball', 'ball'],
    ['gripper', 'X is a gripper', 'gripper'],
    ['free', 'X is free', 'gripper'],
    ['room', 'room X', 'room'],
  ]),
  deeds: readRules({
    move: {
      roles: 'from:room to:room',
      needs: 'at-robby from, room to',
      adds: 'at-robby to',
      ends: 'at-robby from',
      words: 'move roll walk travel drive step another',
    },
    pick: {
      roles: 'ball room gripper',
      needs: 'at-robby room, at ball room, free gripper',
      adds: 'carry ball gripper',
      ends: 'at ball room, free gripper',
      words: 'pick take grab get lift fetch collect grasp',
    },
    drop: {
      roles: 'ball room gripper',
      needs: 'at-robby room, carry ball gripper',
      adds: 'at ball room, free gripper',
      ends: 'carry ball gripper',
      words: 'drop lay put place leave set down hold release',
    },
  }),
  decide,
}

function decide(view: View, goal: readonly string[]): readonly Doing[] {
  const here = view.all('at-robby')[0]?.[0]
  if (here === undefined) return []
  const home = new Map(goal.map((fact) => fact.split(' ')).map(([, ball = '', room = '']) => [ball, room]))
  const carried = view.all('carry').map(([ball = '', arm = '']) => ({ ball, arm, room: home.get(ball) }))
  const arrived = carried.filter(({ room }) => room === here)
  if (arrived.length > 0) return arrived.map(({ ball, arm }) => best('drop', ball, here, arm))
  const strays = view
    .all('at')
    .map(([ball = '', at = '']) => ({ ball, at, room: home.get(ball) }))
    .filter(({ at, room }) => room !== undefined && room !== at)
  const waiting = strays.filter(({ at }) => at === here)
  const [arm] = view.all('free')[0] ?? []
  if (waiting.length > 0 && arm !== undefined) {
    // What goes the same way as what is carried comes first, and else what goes the way of most.
    const going = (room: string | undefined): number =>
      10 * carried.filter((one) => one.room === room).length + waiting.filter((one) => one.room === room).length
    return top(waiting, ({ room }) => going(room)).map(({ ball }) => best('pick', ball, here, arm))
  }
  const useless = carried.find(({ room }) => room === undefined)
  if (useless !== undefined && arm === undefined && carried.every(({ room }) => room === undefined)) {
    return [best('drop', useless.ball, here, useless.arm)]
  }
  const arms = view.all('free').length
  const worth = (room: string): number => {
    const drops = carried.filter((one) => one.room === room).length
    const picks = Math.min(strays.filter(({ at }) => at === room).length, arms + drops)
    return 3 * drops + picks
  }
  const rooms = view
    .all('room')
    .map(([room = '']) => room)
    .filter((room) => room !== here && worth(room) > 0)
  return top(rooms, worth).map((room) => best('move', here, room))
}

function top<T>(list: readonly T[], worth: (item: T) => number): readonly T[] {
  const most = Math.max(...list.map(worth))
  return list.filter((item) => worth(item) === most)
}
