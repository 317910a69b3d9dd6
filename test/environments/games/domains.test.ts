import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ownDomain } from '../../../src/environments/games/generator/own-games.js'
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

describe.each(gameNames)('our domain of %s', (game) => {
  const domain = parseDomain(ownDomain(game).text, game)

  it.skipIf(sharedData === undefined)("is equivalent to AgentBoard's (skipped without the shared data)", () => {
    const path = join(sharedData!, 'pddl', `${game}.pddl`)
    const original = parseDomain(readFileSync(path, 'utf8'), path)
    expect(domain.actions.map(meaningOf)).toEqual(original.actions.map(meaningOf))
    expect(new Map([...domain.predicates].sort())).toEqual(new Map([...original.predicates].sort()))
  })
})
