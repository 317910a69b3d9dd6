import { describe, expect, it } from 'vitest'
import { hashOf } from '../../../../src/core/episode.js'
import { maxActions, ownGames } from '../../../../src/environments/games/generator/own-games.js'
import type { GameName } from '../../../../src/environments/games/wording.js'
import { gameNames } from '../../../../src/environments/games/wording.js'
import { parseDomainOnce } from '../../../../src/environments/pddl/domain.js'
import { solveTask } from '../../../../src/environments/pddl/planner/index.js'
import { goalHolds } from '../../../../src/environments/pddl/play.js'
import { parseProblem } from '../../../../src/environments/pddl/problem.js'
import type { Formula } from '../../../../src/environments/pddl/formula.js'
import type { Task } from '../../../../src/environments/pddl/task.js'
import { compileTask } from '../../../../src/environments/pddl/task.js'
import { reaches } from '../../pddl/planner/_every-state.js'

const test = ownGames('test')
const train = ownGames('train')

const compiled = ({ domain, problem }: (typeof test)[number]): Task =>
  compileTask(parseProblem(problem.text, parseDomainOnce(domain.text, domain.where), problem.where))

const partsOf = (goal: Formula): readonly Formula[] => (goal.kind === 'and' ? goal.parts : [goal])

const sorted = (numbers: readonly number[]): readonly number[] => [...numbers].sort((left, right) => left - right)

describe('our own games', () => {
  it('have the order, mix and sizes of the benchmark, and as many easy ones', () => {
    expect(test.map(({ id }) => id)).toEqual([
      ...Array.from({ length: 20 }, (_, index) => `gripper/${String(index)}`),
      ...Array.from({ length: 10 }, (_, index) => `blockworld/${String(index)}`),
      ...Array.from({ length: 20 }, (_, index) => `barman/${String(index)}`),
      ...Array.from({ length: 10 }, (_, index) => `tyreworld/${String(index)}`),
    ])
    // As counted in AgentBoard's files; the constants of tyreworld's domain are among its objects.
    const expected: Record<GameName, { goals: number[]; objects: number[]; easy: number }> = {
      gripper: {
        goals: [4, 4, 4, 4, 4, 6, 6, 6, 6, 6, 8, 10, 10, 10, 10, 12, 12, 12, 12, 12],
        objects: [8, 8, 8, 8, 8, 10, 10, 10, 10, 10, 12, 14, 14, 14, 14, 16, 16, 16, 16, 16],
        easy: 20,
      },
      blockworld: { goals: [2, 2, 2, 2, 2, 3, 3, 3, 6, 6], objects: [3, 3, 4, 4, 5, 5, 6, 6, 7, 7], easy: 5 },
      barman: {
        goals: [1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 3],
        objects: [19, 19, 19, 19, 19, 19, 21, 21, 21, 21, 21, 21, 21, 23, 23, 23, 23, 26, 28, 28],
        easy: 5,
      },
      tyreworld: { goals: [2, 2, 2, 3, 3, 3, 5, 6, 9, 12], objects: [8, 8, 16, 16, 16, 16, 16, 20, 20, 40], easy: 6 },
    }
    for (const [name, { goals, objects, easy }] of Object.entries(expected)) {
      const games = test.filter(({ game }) => game === name)
      const problems = games.map((game) => compiled(game).problem)
      expect(sorted(problems.map(({ goal }) => partsOf(goal).length))).toEqual(goals)
      expect(sorted(problems.map((problem) => problem.objects.length))).toEqual(objects)
      expect(games.filter(({ difficulty }) => difficulty === 'easy')).toHaveLength(easy)
    }
  })

  it('have 200 others for tuning', () => {
    expect(train).toHaveLength(200)
    expect(train[0]!.id).toBe('train/gripper/0')
    expect(train.at(-1)!.id).toBe('train/tyreworld/32')
    const bodies = [...test, ...train].map(({ problem }) => problem.text.split('\n').slice(1).join('\n'))
    expect(new Set(bodies).size).toBe(260)
    expect(new Set([...test, ...train].map(({ id }) => id)).size).toBe(260)
  })

  it('start with no part of the goal reached', () => {
    for (const game of [...test, ...train]) {
      const task = compiled(game)
      const start = new Set(task.problem.init.map(({ predicate, terms }) => [predicate, ...terms].join(' ')))
      for (const part of partsOf(task.problem.goal)) {
        expect(part.kind === 'atom' && !start.has([part.predicate, ...part.terms].join(' ')), game.id).toBe(true)
      }
      expect(goalHolds(task, task.init)).toBe(false)
    }
  })

  it("can all be won in time: by construction, and by the planner's solution", () => {
    let [needed, solutionLength] = [0, 0]
    for (const game of [...test, ...train.filter((_, index) => index % 4 === 0)]) {
      expect(game.solutionLength).toBeLessThanOrEqual(maxActions)
      const task = compiled(game)
      const actions = solveTask(task, task.init)!
      expect(reaches(task, actions), game.id).toBe(true)
      expect(actions.length, game.id).toBeLessThanOrEqual(Math.min(maxActions, game.solutionLength + 2))
      needed += actions.length
      solutionLength += game.solutionLength
    }
    expect(needed).toBeLessThanOrEqual(solutionLength)
  })

  it('are planned in less than two seconds of processor time each, the largest included', () => {
    for (const name of gameNames) {
      const largest = [...test, ...train]
        .filter(({ game }) => game === name)
        .reduce((best, one) => (one.solutionLength > best.solutionLength ? one : best))
      const task = compiled(largest)
      const before = process.cpuUsage()
      expect(solveTask(task, task.init)).toBeDefined()
      const { user, system } = process.cpuUsage(before)
      expect((user + system) / 1e6, largest.id).toBeLessThan(2)
    }
  })

  it('never change', () => {
    const texts = (games: typeof test): string =>
      hashOf(
        games.map(({ id, difficulty, domain, problem }) => [id, difficulty, domain.text, problem.text]),
        16,
      )
    expect([texts(test), texts(train)]).toMatchInlineSnapshot(`
      [
        "51c647b9a3311d0e",
        "b0e50be058985799",
      ]
    `)
  })
})
