import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parseTemplate } from '../../../src/core/form.js'
import { agentBoardWording } from '../../../src/environments/games/agentboard-wording.js'
import { capitalise } from '../../../src/environments/games/say.js'
import { ownDomain } from '../../../src/environments/games/generator/own-games.js'
import { verbAmong } from '../../../src/environments/games/read-loosely.js'
import { gameNames } from '../../../src/environments/games/wording.js'
import { wordsOf } from '../../../src/environments/games/tokens.js'
import { parseDomain } from '../../../src/environments/pddl/domain.js'
import { sharedData } from '../../shared-data.js'

const games = gameNames.map((game) => {
  const domain = parseDomain(ownDomain(game).text, game)
  return { game, domain, wording: agentBoardWording(game, domain) }
})

describe.each(games)("AgentBoard's words for $game", ({ game, domain, wording }) => {
  it('name every action of the game by its own name, which is not a word of another', () => {
    const words = Array.from(wording.actions.values(), ({ template }) =>
      wordsOf(parseTemplate(template).literals.join(' ').toLowerCase()),
    )
    ;[...wording.actions.keys()].forEach((name, index) => {
      const others = new Set(words.filter((_, at) => at !== index).flat())
      expect(wording.actions.get(name)!.verb).toBe(name)
      expect(verbAmong(name, words[index]!, others)).toBe(name)
    })
  })

  it.skipIf(sharedData === undefined)('equal its own table to the byte, including missing entries', () => {
    const table = JSON.parse(readFileSync(join(sharedData ?? '', 'pddl', 'predicate_map.json'), 'utf8')) as Record<
      string,
      string
    >
    const published = parseDomain(readFileSync(join(sharedData ?? '', 'pddl', `${game}.pddl`), 'utf8'), game)
    expect([...published.predicates.keys()].sort()).toEqual([...domain.predicates.keys()].sort())
    for (const name of published.predicates.keys()) expect([name, wording.facts.get(name)]).toEqual([name, table[name]])
    for (const { name, parameters } of published.actions) {
      const { template, ending } = wording.actions.get(name)!
      const plain = `${name}${' {}'.repeat(parameters.length)}`
      expect((template + ending).replace(/\{\w+\}/g, '{}')).toBe(table[name] ?? plain)
    }
  })
})

it.each([
  ['ball1 is at roomA.', 'Ball1 is at rooma.'],
  ['', ''],
  ['ßA', 'Ssa'],
  ['𐐨𐐀', '𐐀𐐨'],
])('capitalises the first letter of %j and makes all others lower case', (text, capitalised) => {
  expect(capitalise(text)).toBe(capitalised)
})
