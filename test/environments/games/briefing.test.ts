import { describe, expect, it } from 'vitest'
import { textOf } from '../../../src/core/text.js'
import { createBriefing } from '../../../src/environments/games/briefing.js'
import { compileGame } from '../../../src/environments/games/compile-game.js'
import { ownGames } from '../../../src/environments/games/own-games.js'
import { gameNames } from '../../../src/environments/games/wording.js'

const compiled = gameNames.map((game) => {
  const text = ownGames('test').find((one) => one.game === game)!
  return [game, compileGame(text)] as const
})

describe.each(compiled)('the briefing of %s', (_, game) => {
  const { instruction, examples, forms, goal, help, system } = createBriefing(game, undefined)

  it('advertises every action of the game as forms, and the help actions', () => {
    const advertised = instruction.flatMap((piece) =>
      typeof piece !== 'string' && 'form' in piece ? [piece.form] : [],
    )
    const own = [...game.wording.actions.values()].map(({ template }) => template)
    const helping = ['check valid actions', ...(game.wording.offersLookAround ? ['look around'] : [])]
    expect(advertised).toEqual([...own, ...helping])
    expect(forms.map(({ template }) => template)).toEqual([...own, 'check valid actions', 'look around'])
    expect([system === '', goal, help]).toEqual([false, game.goalText, ['check valid actions']])
    for (const { meaning } of forms) expect(meaning).not.toBe('')
  })

  it('shows a solution that was really played, with every action in an advertised form', () => {
    const [{ exchanges, opening, names }] = examples as [(typeof examples)[0]]
    expect(textOf(opening)).toMatch(/^The goal is to satisfy the following conditions: /)
    for (const { action, observation } of exchanges) {
      expect([action, textOf(observation)]).not.toEqual([action, expect.stringMatching(/^The action is not valid/)])
    }
    expect(
      exchanges.slice(0, -1).filter(({ observation }) => textOf(observation).includes('The goal is satisfied.')),
    ).toEqual([])
    expect(textOf(exchanges.at(-1)!.observation)).toMatch(/ The goal is satisfied\.$/)
    expect(exchanges.some(({ action }) => action === 'check valid actions')).toBe(true)
    expect(names.length).toBeGreaterThan(2)
  })
})
