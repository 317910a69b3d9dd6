import type { Random } from '../../../core/random.js'
import type { Situation } from './situation.js'
import { defineFamily, numbered } from './situation.js'

const rooms = ['rooma', 'roomb'] as const
const arms = ['left', 'right'] as const

interface Ball {
  readonly name: string
  readonly from: string
  readonly to: string
}

/** The number of balls in the benchmark's problems. */
const sizes: readonly number[] = [4, 4, 4, 4, 4, 6, 6, 6, 6, 6, 8, 10, 10, 10, 10, 12, 12, 12, 12, 12]

/** Balls that each belong in the other room. Sometimes an arm already holds one. */
export const gripper = defineFamily(20, sizes, draw)

function draw(count: number, random: Random): Situation | undefined {
  const start = random.pick(rooms)
  const balls = numbered('ball', count).map((name): Ball => {
    const [from, to] = random.shuffle(rooms) as [string, string]
    return { name, from, to }
  })
  const held = random.shuffle(balls).slice(0, random.pick([0, 0, 0, 1, 1, 2]))
  const hands = random.shuffle(arms)
  return situation(start, balls, new Map(held.map((ball, index) => [ball, hands[index]!])))
}

function situation(start: string, balls: readonly Ball[], held: ReadonlyMap<Ball, string>): Situation {
  const standing = balls.filter((ball) => !held.has(ball))
  const busy = [...held.values()]
  return {
    objects: [...rooms, ...arms, ...balls.map(({ name }) => name)],
    init: [
      ...rooms.map((room) => `room ${room}`),
      ...arms.map((arm) => `gripper ${arm}`),
      ...balls.map(({ name }) => `ball ${name}`),
      `at-robby ${start}`,
      ...arms.filter((arm) => !busy.includes(arm)).map((arm) => `free ${arm}`),
      ...standing.map(({ name, from }) => `at ${name} ${from}`),
      ...[...held].map(([{ name }, arm]) => `carry ${name} ${arm}`),
    ],
    goal: balls.map(({ name, to }) => `at ${name} ${to}`),
    solutionLength: fetchAll(start, standing, [...held.keys()]),
  }
}

/** The number of actions for going back and forth with a ball in each arm until none is left. */
function fetchAll(start: string, standing: readonly Ball[], held: readonly Ball[]): number {
  const waiting = new Map(rooms.map((room) => [room as string, standing.filter(({ from }) => from === room).length]))
  let carried = held.map(({ to }) => to)
  let room = start
  let actions = 0
  for (;;) {
    const kept = carried.filter((to) => to !== room)
    actions += carried.length - kept.length
    const other = rooms.find((one) => one !== room)!
    const taken = Math.min(arms.length - kept.length, waiting.get(room)!)
    waiting.set(room, waiting.get(room)! - taken)
    actions += taken
    carried = [...kept, ...Array<string>(taken).fill(other)]
    if (carried.length === 0 && waiting.get(other) === 0) return actions
    actions++
    room = other
  }
}
