import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileGame } from '../../src/environments/household/engine/engine.js'
import { goalSentenceOf, parseGameFile, sourceOf } from '../../src/environments/household/engine/game-file.js'
import { gameFileText, writeGames } from '../environments/household/write-games.js'
import { solveHousehold } from '../../src/environments/household/oracle.js'
import { generations } from '../../src/environments/household/text/domain.js'
import { type Episode, type Original, type Plan, type State, filesIn, wander } from './original.js'

/** Our exported games and ALFWorld's own, in both generations, in TextWorld with ALFWorld's names. */
export const household: Original = { name: 'household', driver: 'play_household.py', episodes }

async function episodes({ random, isShort, folder, data }: Plan): Promise<readonly Episode[]> {
  const [count, steps] = isShort ? [2, 25] : [20, 50]
  const paths: string[] = []
  for (const generation of generations) {
    const place = join(folder, generation)
    const from = random.int(134 - count)
    paths.push(...gamesIn(writeGames({ folder: place, generation, count, from })))
  }
  for (const split of data === undefined ? [] : ['valid_seen', 'valid_unseen']) {
    const games = join(data!, 'alfworld', 'json_2.1.1', split)
    if (!existsSync(games)) continue
    for (const path of random.shuffle(gamesIn(games)).slice(0, count / 2)) {
      paths.push(path, inOldGeneration(path, data!, join(folder, `${String(paths.length)}.tw-pddl`)))
    }
  }
  return paths.map((path): Episode => {
    const game = compileGame(sourceOf(parseGameFile(readFileSync(path, 'utf8'), path), path), path)
    const engine = game.start()
    const state = (observation: string): State => {
      return { observation, score: Number(engine.won), done: engine.won, valid: engine.admissible() }
    }
    return {
      id: path,
      begin: { path },
      ours: () => ({ opening: state(engine.opening), step: (action) => state(engine.step(action).observation) }),
      next: wander(random.fork(path), steps, solveHousehold(game.start())),
    }
  })
}

const gamesIn = (folder: string): readonly string[] => filesIn(folder, 'game.tw-pddl')

/** Writes a game of the new generation with the domain and the grammar of the old one. @returns its path */
function inOldGeneration(path: string, data: string, to: string): string {
  const game = parseGameFile(readFileSync(path, 'utf8'), path)
  const old = (ending: string): string =>
    readFileSync(join(data, 'alfworld/grammar', `alfred.old_0.2.2.${ending}`), 'utf8')
  const grammar = old('twl2').replace('UNKNOWN GOAL.', goalSentenceOf(game))
  writeFileSync(to, gameFileText({ ...game, pddlDomain: old('pddl'), grammar }))
  return to
}
