import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { agentBoardOrder, legacyShuffle, mersenneTwister, sortIds } from '../../../src/environments/household/games.js'
import { sharedData } from '../../shared-data.js'

describe('legacyShuffle', () => {
  it('draws the numbers that the published reference implementation draws', () => {
    const draw = mersenneTwister(5489)
    expect(draw()).toBe(3499211612)
    let word = 0
    for (let count = 2; count <= 10_000; count++) word = draw()
    expect(word).toBe(4123659995)
  })

  it('orders as numpy does', () => {
    expect(legacyShuffle([0, 1, 2, 3, 4, 5, 6, 7, 8, 9], 1234)).toEqual([7, 2, 9, 1, 0, 8, 4, 5, 6, 3])
    expect(
      legacyShuffle(
        Array.from({ length: 40 }, (_, index) => index),
        1234,
      ),
    ).toEqual([
      8, 39, 14, 1, 4, 31, 20, 17, 13, 21, 0, 7, 3, 10, 6, 2, 34, 29, 27, 18, 35, 9, 25, 5, 16, 36, 22, 33, 28, 37, 32,
      11, 30, 26, 23, 15, 24, 12, 38, 19,
    ])
  })

  it('leaves the list alone', () => {
    const list = Object.freeze([1, 2, 3])
    expect(legacyShuffle(list, 1)).toHaveLength(3)
    expect(legacyShuffle([], 1)).toEqual([])
  })
})

describe('the order of games', () => {
  it('sorts by path, in which a slash follows each folder', () => {
    expect(sortIds(['s/a/t', 's/a-b/t', 's/a/t-1', 's/A/t'])).toEqual(['s/A/t', 's/a-b/t', 's/a/t-1', 's/a/t'])
  })

  it.skipIf(sharedData === undefined)("is AgentBoard's, for all 134 unseen games", () => {
    const rows = JSON.parse(readFileSync(join(sharedData!, 'alfworld/agentboard_order.json'), 'utf8')) as {
      game: string
    }[]
    const ids = rows.map(({ game }) => `valid_unseen/${game}`)
    expect(ids).toHaveLength(134)
    expect(agentBoardOrder([...ids].reverse())).toEqual(ids)
  })
})
