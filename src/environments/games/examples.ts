import type { Example } from '../../core/environment.js'
import { agentBoardGames, agentBoardWording } from './agentboard-wording.js'
import { compileGame } from './compile-game.js'
import { ownDomain } from './generator/own-games.js'
import { gameNames } from './wording.js'
import { createTextGame } from './text-game.js'
import type { GameName } from './wording.js'

const kept = new Map<string, readonly Example[]>()

/** Our own worked example of a game, recorded by playing it. A user's domain has none. */
export function ownExamples(game: string): readonly Example[] {
  const name = gameNames.find((one) => one === game)
  if (name === undefined) return []
  const examples = kept.get(name) ?? [play(name)]
  kept.set(name, examples)
  return examples
}

function play(name: GameName): Example {
  const { problem, actions } = agentBoardGames()[name].example
  const compiled = compileGame(
    {
      id: `${name}/example`,
      game: name,
      domain: ownDomain(name),
      problem: { text: `(define (problem example) (:domain ${name}) ${problem})`, where: `example of ${name}` },
    },
    (domain) => agentBoardWording(name, domain),
  )
  const game = createTextGame(compiled)
  return {
    opening: [`${compiled.goalText}\n${game.opening}`],
    exchanges: actions.map((action) => ({ action, observation: game.step(action).text })),
    names: compiled.names,
  }
}
