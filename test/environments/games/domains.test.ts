import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ownDomain } from '../../../src/environments/games/own-games.js'
import { gameNames } from '../../../src/environments/games/wording.js'
import type { Atom, Formula } from '../../../src/environments/pddl/formula.js'
import type { ActionSchema } from '../../../src/environments/pddl/domain.js'
import { parseDomain } from '../../../src/environments/pddl/domain.js'
import { sharedData } from '../../shared-data.js'

/** The preconditions and effects of an action, with parameters by position. */
function meaningOf({ name, parameters, precondition, effects }: ActionSchema): unknown {
  const place = new Map(parameters.map((parameter, index) => [parameter.name, `?${String(index)}`]))
  const written = ({ predicate, terms }: Atom): string =>
    [predicate, ...terms.map((term) => place.get(term) ?? term)].join(' ')
  const atoms = (formula: Formula): string[] =>
    formula.kind === 'and' ? formula.parts.flatMap(atoms) : formula.kind === 'atom' ? [written(formula)] : ['?']
  return {
    name,
    types: parameters.map(({ types }) => types),
    needs: atoms(precondition).sort(),
    adds: effects.flatMap(({ adds, atom }) => (adds ? [written(atom)] : [])).sort(),
    deletes: effects.flatMap(({ adds, atom }) => (adds ? [] : [written(atom)])).sort(),
  }
}

describe.skipIf(sharedData === undefined).each(gameNames)('%s (skipped without the shared data)', (game) => {
  const read = (name: string): string => readFileSync(join(sharedData ?? '', 'pddl', name), 'utf8')
  const own = parseDomain(ownDomain(game).text, game)
  const published = sharedData === undefined ? own : parseDomain(read(`${game}.pddl`), game)

  it("has a domain of ours that is equivalent to AgentBoard's", () => {
    expect(own.actions.map(meaningOf)).toEqual(published.actions.map(meaningOf))
    expect(new Map([...own.predicates].sort())).toEqual(new Map([...published.predicates].sort()))
  })
})
