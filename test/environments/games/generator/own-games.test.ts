import { describe, expect, it } from 'vitest'
import { hashOf } from '../../../../src/core/episode.js'
import { maxActions, ownGames } from '../../../../src/environments/games/generator/own-games.js'
import type { GameName } from '../../../../src/environments/games/wording.js'
import { parseDomainOnce } from '../../../../src/environments/pddl/domain.js'
import { solveTask } from '../../../../src/environments/pddl/planner/index.js'
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
