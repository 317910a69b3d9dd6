import * as z from 'zod'
import { ShaketableError } from '../../core/errors.js'
import { parseTemplate } from '../../core/form.js'
import { packagedData } from '../../files/packaged.js'
import type { Domain } from '../pddl/domain.js'
import { quote } from '../pddl/expression.js'
import { type ActionWording, type GameName, type Wording, gameNames } from './wording.js'

const gameData = z.strictObject({
  /** The system text of our own prompt. */
  system: z.string(),
  /** What our own prompt says about the game. */
  story: z.string(),
  reports: z.enum(['everything', 'changes']),
  offersLookAround: z.boolean(),
  facts: z.record(z.string(), z.string()),
  actions: z.record(z.string(), z.strictObject({ template: z.string(), ending: z.string(), meaning: z.string() })),
  /** A small problem with a solution. */
  example: z.strictObject({ problem: z.string(), actions: z.array(z.string()) }),
})

/** What is said in AgentBoard's games. */
export const agentBoardGames = packagedData(
  'src/environments/games/agentboard-games.yaml',
  z.record(z.enum(gameNames), gameData),
)

/** AgentBoard's wordings of the actions of a game, by action. */
export function wordingsOf(game: GameName): ReadonlyMap<string, ActionWording> {
  const rows = Object.entries(agentBoardGames()[game].actions)
  return new Map(rows.map(([verb, row]) => [verb, { ...row, verb }]))
}

/**
 * AgentBoard's words for one of its games.
 * @throws ShaketableError `bad-input` for an action that the game does not have, or has with other arguments
 */
export function agentBoardWording(game: GameName, domain: Domain): Wording {
  const { facts, reports, offersLookAround } = agentBoardGames()[game]
  const known = wordingsOf(game)
  return {
    facts: new Map(Object.entries(facts)),
    actions: new Map(
      domain.actions.map((schema) => {
        const wording = known.get(schema.name)
        if (wording !== undefined && parseTemplate(wording.template).slots.length === schema.parameters.length) {
          return [schema.name, wording]
        }
        const message = `${domain.source.where}: expected the actions of AgentBoard's ${game}, got ${quote(schema.name)}.`
        throw new ShaketableError('bad-input', message)
      }),
    ),
    reports,
    offersLookAround,
  }
}
