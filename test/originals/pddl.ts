import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listActions } from '../../src/environments/games/text-game.js'
import { compileGame, createPlanner } from '../../src/environments/games/compile-game.js'
import { ownSource } from '../../src/environments/games/own-games.js'
import { type GameSource, folderSource } from '../../src/environments/games/sources.js'
import { gameNames } from '../../src/environments/games/wording.js'
import { sortByCodePoint } from '../../src/environments/pddl/code-points.js'
import { applyAction, factsOf, goalHolds } from '../../src/environments/pddl/play.js'
import type { GroundAction } from '../../src/environments/pddl/task.js'
import { type Episode, type Original, type State, wander } from './original.js'

/** Our games and AgentBoard's in PDDLGym: facts, applicable actions and the goal. */
export const pddl: Original = {
  name: 'pddl',
  driver: 'play_pddl.py',
  episodes({ random, isShort, folder, data }) {
    const sources = (['test', 'train'] as const).map((split) => ownSource({ split, games: gameNames }))
    if (data !== undefined)
      sources.push(folderSource({ folder: join(data, 'pddl'), games: gameNames, difficulties: new Map() }))
    return sources.flatMap((source, number) =>
      gameNames.flatMap((game) => {
        const all = source.list().filter(({ id }) => id.includes(`${game}/`))
        const chosen = random.shuffle(all).slice(0, isShort ? 1 : 8)
        return chosen.map((one) => episode(source, one, join(folder, `pddl-${String(number)}`, one.id)))
      }),
    )
    function episode(source: GameSource, text: ReturnType<GameSource['find']>, place: string): Episode {
      const compiled = compileGame(text)
      const { task } = compiled
      const facts = task.init.clone()
      const named = ({ action, arguments: objects }: GroundAction): string => words(action.name, objects)
      const words = (name: string, objects: readonly number[]): string =>
        [name, ...objects.map((object) => task.objects[object]!)].join(' ')
      const actions = (): ReadonlyMap<string, GroundAction> =>
        new Map(listActions(task, facts).map((ground) => [named(ground), ground]))
      const state = (): State => {
        const all = [...task.problem.domain.predicates.keys()].flatMap((name) =>
          factsOf(task, facts, task.predicate(name)!).map((objects) => words(name, objects)),
        )
        const done = goalHolds(task, facts)
        return {
          observation: sortByCodePoint(all).join(', '),
          score: Number(done),
          done,
          valid: sortByCodePoint([...actions().keys()]),
        }
      }
      mkdirSync(join(place, 'problems'), { recursive: true })
      const paths = { domain: join(place, 'domain.pddl'), problems: join(place, 'problems') }
      writeFileSync(paths.domain, text.domain.text)
      writeFileSync(join(paths.problems, 'problem.pddl'), text.problem.text)
      const plan = createPlanner(compiled)(facts) ?? []
      return {
        id: `${source.name} ${text.id}`,
        begin: paths,
        ours: () => ({
          opening: state(),
          step(action) {
            const ground = actions().get(action)
            if (ground !== undefined) applyAction(task, ground, facts)
            return state()
          },
        }),
        next: wander(random.fork(place), isShort ? 20 : 40, plan),
      }
    }
  },
}
