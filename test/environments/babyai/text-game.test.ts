import { describe, expect, it } from 'vitest'
import { textOf } from '../../../src/core/text.js'
import { createBabyai } from '../../../src/environments/babyai/environment.js'
import { type TextGame, createTextGame } from '../../../src/environments/babyai/game.js'
import { type Labels, createLabelledProgress, createMilestones } from '../../../src/environments/babyai/progress.js'
import { makeLevel } from '../../../src/environments/babyai/simulator/simulation.js'
import { type Moves, findMoves } from '../../../src/environments/babyai/moves.js'
import { heldName, readView, wordSight } from '../../../src/environments/babyai/sight.js'
import { levelNumbers } from '../../../src/environments/babyai/simulator/levels.js'
import { sharedData, sharedRows } from '../../shared-data.js'

/** Opens a level. Progress uses the given patterns, or our own sub-goals if there are none. */
function open(level: number, seed: number, patterns?: readonly string[]): TextGame {
  const progressOf = patterns === undefined ? createMilestones : () => createLabelledProgress(patterns)
  return createTextGame(makeLevel(level, seed), progressOf)
}

function play(game: TextGame, ...actions: string[]) {
  let last: ReturnType<TextGame['step']> | undefined
  for (const action of actions) last = game.step(action)
  return { ...last!, said: textOf(last!.observation) }
}

const completed = 'The task is completed.'
const unreachable = 'red herring'

describe('AgentBoard’s text game', () => {
  it('gives an action that takes no step the validity of the one before it', () => {
    const game = open(25, 5)
    const goTo = 'go to grey key 1'
    expect(play(game, goTo)).toMatchObject({ understood: true })
    for (const [before, understood] of [
      [goTo, true],
      ['fly', false],
      [goTo, false],
      ['check', true],
    ] as const) {
      expect(play(game, before, goTo)).toMatchObject({ said: 'No change in state.', understood })
    }
    expect(play(game, '')).toMatchObject({ said: 'No change in state.', understood: false })
  })

  it('numbers a closed door without a way to it with a Python dictionary', () => {
    const door = "green closed door {'green closed door': 1}"
    expect(play(open(18, 21), 'toggle and go through green closed door 1')).toMatchObject({
      understood: false,
      said: `You cannot toggle and go through ${door}, as there is no path leading to it.`,
    })
  })

  it('loses a success during an action, except where every sub-goal is reached', () => {
    const lost = play(open(2, 36, [unreachable]), 'go to green key 2')
    expect(lost).toMatchObject({ understood: true, progress: 0, ended: false })
    expect(lost.said).not.toContain(completed)
    const kept = play(open(2, 36), 'go to green key 2')
    expect(kept).toMatchObject({ progress: 1, ended: 'success' })
    expect(kept.said.endsWith(`\n ${completed}`)).toBe(true)
  })

  it('announces an end at progress 0.5 or less, and ignores it', () => {
    const lost = play(open(2, 36, [completed.slice(0, -1), unreachable]), 'go to red ball 1')
    expect(lost).toMatchObject({ progress: 0.5, ended: false })
    expect(lost.said.endsWith(`\n ${completed}`)).toBe(true)
  })

  it('announces a failed task as completed, which is a success if progress is above 0.5', () => {
    const lost = playWrongDoor()
    expect(lost).toMatchObject({ understood: true, ended: false })
    expect(lost.said).toContain(completed)
    expect(playWrongDoor([completed.slice(0, -1)])).toMatchObject({ progress: 1, ended: 'success' })
  })

  it('fails the second of two doors in order where the first is opened', () => {
    const spoilt = open(16, 2)
    expect(spoilt.simulation.mission).toBe('open the green door after you open the red door')
    expect(play(spoilt, 'turn left', 'go to red closed door 1', 'toggle').said).toContain(completed)
  })

  it('loses the order of the parts of a goal', () => {
    expect(createBabyai({ split: 'test' }).find('57').goal).toBe('open the red door, and open the blue door')
  })
})

/** Opens the blue door where the red one is to be opened first: the agent's place depends on the seed. */
function playWrongDoor(patterns?: readonly string[]) {
  const game = open(15, 1, patterns)
  for (let turns = 0; turns < 4; turns++) {
    const action = [...game.moves().possible.keys()].find((one) => one.startsWith('go to blue'))
    if (action !== undefined) return play(game, action, 'toggle')
    game.step('turn left')
  }
  throw new Error('The blue door is not in sight.')
}

const said = 'There is a red ball 1 right in front of you 2 steps away.  There is a grey key 1 3 steps in front of you.'

it.each<[string, string, boolean]>([
  ['prose inside a sentence', 'red ball 1 right in front', true],
  ['a star for anything', 'There is a red ball*2 steps away', true],
  ['a star across sentences', 'red ball*grey key', false],
  ['parts in any order', 'steps away*red ball', true],
  ['double stars', 'There is a ** key ** 3 steps', true],
  ['a full stop at its ends', ' red ball 1 right in front of you 2 steps away. ', true],
  ['full stops at the ends of parts', 'red ball. * .2 steps away.', true],
])('the progress of AgentBoard’s labels handles %s', (_, pattern, isReached) => {
  expect(createLabelledProgress([pattern]).record(said)).toBe(Number(isReached))
})

const done = { progress: 1, ended: 'success' }

it.each([
  {
    title: 'count that a thing was seen and that the subtask was done, and are never lost',
    level: [25, 5],
    mission: 'open the door',
    actions: `check available actions,move forward,turn left,turn right,pickup grey key 1,go to grey locked door 1,toggle`,
    progress: [0, 0.5, 0.5, 0.5, 0.5, 0.5, done],
  },
  {
    title: 'count a subtask only when it is its turn, and what was seen before',
    level: [15, 1],
    mission: 'open the red door, then open the blue door',
    actions: `toggle and go through red closed door 1,turn left,turn left,toggle and go through blue closed door 1`,
    progress: [0.5, 0.5, 0.75, done],
  },
])('our own sub-goals $title', ({ level, mission, actions, progress: expected }) => {
  const game = createTextGame(makeLevel(level[0]!, level[1]!), createMilestones)
  const turns = actions.split(',').map((action) => {
    const { understood, progress, ended } = game.step(action)
    expect(understood, action).toBe(true)
    return ended === false ? progress : { progress, ended }
  })
  expect([game.simulation.mission, ...turns]).toEqual([mission, ...expected])
})

type Texts = Readonly<Record<string, string>>
type Actions = Readonly<Record<string, readonly number[]>>
type RecordedOpening = Readonly<
  Record<'level' | 'seed', number> & { init_obs: string; actions: Actions; errors: Texts }
>
type RecordedStep = Readonly<{ action: string; available_actions: Actions; error_messages: Texts }>
type RecordedEpisode = Readonly<
  Record<'task_id' | 'level' | 'seed', number> & { subgoals: Labels; init: Texts; steps: readonly RecordedStep[] }
>

/** Actions as a list, since `toEqual` on objects ignores the order, and the texts of refusals. */
const described = ({ possible, refusals }: Moves) =>
  [[...possible], Object.fromEntries([...refusals].map(([action, why]) => [action, textOf(why)]))] as const

describe.skipIf(sharedData === undefined)('recordings of AgentBoard’s BabyAI', () => {
  it('equal the openings of all levels: observation, ordered actions with their paths, refusals', () => {
    const rows = sharedRows<RecordedOpening>('babyai/levels.jsonl').filter(({ level }) => levelNumbers.includes(level))
    expect(rows.length).toBeGreaterThan(100)
    for (const { level, seed, init_obs, actions, errors } of rows) {
      const { board, view } = makeLevel(level, seed).start()
      const sight = readView(board, view())
      const name = `level ${String(level)}, seed ${String(seed)}`
      expect(wordSight(sight, heldName(board)), name).toBe(init_obs)
      expect(described(findMoves(board, sight)), name).toEqual([Object.entries(actions), errors])
    }
  })

  it('equal every step', () => {
    const rows = sharedRows<RecordedEpisode>('babyai/transcripts.jsonl')
    expect(rows.length).toBeGreaterThan(50)
    for (const row of rows) {
      const game = createTextGame(makeLevel(row.level, row.seed), () => createLabelledProgress(row.subgoals))
      expect(game.opening).toBe(row.init['observation'])
      row.steps.forEach((step, index) => {
        const { observation, progress, understood, ended } = game.step(step.action)
        const { agent, direction } = game.simulation.board
        const [actions, error_messages] = described(game.moves())
        expect(step, `task ${String(row.task_id)}, step ${String(index)}: ${step.action}`).toMatchObject({
          ...{ observation: textOf(observation), progress, done: ended !== false, action_is_valid: understood },
          ...{ agent: [agent.x, agent.y, direction], error_messages },
        })
        expect(actions).toEqual(Object.entries(step.available_actions))
      })
    }
  })
})
