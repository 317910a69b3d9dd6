import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { agentBoardWording } from '../../../src/environments/games/agentboard-wording.js'
import { ownDomain } from '../../../src/environments/games/generator/own-games.js'
import { gameNames } from '../../../src/environments/games/wording.js'
import { parseDomain } from '../../../src/environments/pddl/domain.js'
import { sharedData } from '../../shared-data.js'

const games = gameNames.map((game) => {
  const domain = parseDomain(ownDomain(game).text, game)
  return { game, domain, wording: agentBoardWording(game, domain) }
})

describe.each(games)("AgentBoard's words for $game", ({ game, domain, wording }) => {
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
