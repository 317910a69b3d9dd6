import { createRandom } from '../../core/random.js'
import type { Enlargement } from '../../core/environment.js'
import { ShaketableError } from '../../core/errors.js'
import type { GameName, GameText } from './wording.js'

/**
 * Which objects of a game can be added: how their names begin, their type where the game has types, and their facts.
 */
const families: Readonly<
  Record<GameName, { readonly prefix: RegExp; readonly type?: string; readonly facts: readonly string[] }>
> = {
  gripper: { prefix: /ball/i, facts: ['ball', 'at {place}'] },
  blockworld: { prefix: /block|b/i, facts: ['on-table', 'clear'] },
  barman: { prefix: /shot/i, type: 'shot', facts: ['ontable', 'clean', 'empty'] },
  tyreworld: { prefix: /spare|r/i, type: 'wheel', facts: ['in boot', 'not-inflated', 'intact'] },
}

/**
 * One of AgentBoard's four games with further objects: balls in one of the rooms, blocks on the table, clean shots,
 * wheels in the boot.
 * @throws ShaketableError `perturbation` for any other game
 */
export function enlargeGame(game: GameText, names: readonly string[], { share, seed }: Enlargement) {
  const { prefix, type, facts } = families[game.game as GameName]
  const own = names.filter((name) => new RegExp(`^(?:${prefix.source})\\d+$`, 'i').test(name))
  const stem = own[0]?.replace(/\d+$/, '')
  const match = /\)\s*\(:init/i.exec(game.problem.text)
  if (stem === undefined || match === null) {
    throw new ShaketableError(
      'perturbation',
      `Expected objects of the kind that can be added in the game ${game.id}, found none. Leave the perturbation out.`,
    )
  }
  const random = createRandom(`${seed}/${game.id}`)
  const first = 1 + Math.max(...own.map((name) => Number(name.slice(stem.length))))
  const added = Array.from({ length: Math.round(share * own.length) }, (_, index) => `${stem}${String(first + index)}`)
  const rooms = names.filter((name) => /^room/i.test(name))
  const init = added.flatMap((name) =>
    facts.map((fact) => {
      const [predicate, place] = fact.split(' ')
      const where = place === '{place}' ? random.pick(rooms) : place
      return `\n    (${[predicate, name, where].filter((word) => word !== undefined).join(' ')})`
    }),
  )
  const objects = added.length === 0 ? '' : `\n    ${added.join(' ')}${type === undefined ? '' : ` - ${type}`}`
  const { text } = game.problem
  const end = match.index + match[0].length
  return {
    game: {
      ...game,
      problem: {
        ...game.problem,
        text: text.slice(0, match.index) + objects + match[0] + init.join('') + text.slice(end),
      },
    },
    added: added.length,
  }
}
