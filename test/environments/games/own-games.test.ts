import { describe, expect, it } from 'vitest'
import { hashOf } from '../../../src/core/episode.js'
import { ownGames } from '../../../src/environments/games/own-games.js'
import { parseDomainOnce } from '../../../src/environments/pddl/domain.js'
import { solveTask } from '../../../src/environments/pddl/planner/index.js'
import { parseProblem } from '../../../src/environments/pddl/problem.js'
import type { Task } from '../../../src/environments/pddl/task.js'
import { compileTask } from '../../../src/environments/pddl/task.js'
import { reaches } from '../pddl/planner/_every-state.js'

const test = ownGames('test')
const train = ownGames('train')

const compiled = ({ domain, problem }: (typeof test)[number]): Task =>
  compileTask(parseProblem(problem.text, parseDomainOnce(domain.text, domain.where), problem.where))

describe('our own games', () => {
  it("can all be won in time: by the known solution, and by the planner's", () => {
    let [needed, solutionLength] = [0, 0]
    for (const game of [...test, ...train.filter((_, index) => index % 4 === 0)]) {
      expect(game.solutionLength).toBeLessThanOrEqual(30)
      const task = compiled(game)
      const actions = solveTask(task, task.init)!
      expect(reaches(task, actions), game.id).toBe(true)
      expect(actions.length, game.id).toBeLessThanOrEqual(Math.min(30, game.solutionLength + 2))
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
