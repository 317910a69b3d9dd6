import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../../src/core/random.js'
import { compileGame } from '../../../../src/environments/household/engine/engine.js'
import { readGameFile } from '../../../../src/environments/household/engine/game-file.js'
import { swapGeneration } from '../../../../src/environments/household/engine/grammar-document.js'
import { domainText, generations } from '../../../../src/environments/household/text/domain.js'
import { grammarText } from '../../../../src/environments/household/text/grammar.js'
import { sharedData } from '../../../shared-data.js'

interface Seen {
  readonly observation: string
  readonly admissible_commands: readonly string[]
  readonly won: boolean
}
interface Recording {
  readonly game: string
  readonly version: 'old' | 'new'
  readonly init: Seen
  readonly steps: readonly (Seen & { readonly action: string; readonly score: number })[]
}

const folder = join(sharedData ?? '', 'alfworld')
const recordings = (name: string): Recording[] =>
  readFileSync(join(folder, 'transcripts', `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Recording)

describe.skipIf(sharedData === undefined)('our own domain and grammar (skipped without the shared data)', () => {
  it.each(['new_seen_walk', 'new_seen_random', 'old_seen_walk', 'old_seen_random'])(
    'answer as the original engine did with ALFWorld’s in %s',
    (name) => {
      for (const { game, version, init, steps } of recordings(name)) {
        const published = readGameFile(join(folder, 'json_2.1.1', game))
        const engine = compileGame(swapGeneration(published, domainText(version), grammarText(version)), game).start()
        const look = (observation: string): Seen => ({
          observation,
          admissible_commands: engine.admissible(),
          won: engine.won,
        })
        const { observation, admissible_commands, won } = init
        expect(look(engine.opening)).toEqual({ observation, admissible_commands, won })
        for (const { action, observation, admissible_commands, won } of steps) {
          const seen = look(engine.step(action).observation)
          expect({ action, ...seen }).toEqual({ action, observation, admissible_commands, won })
        }
      }
    },
  )

  it.each(generations)('say what ALFWorld’s %s texts say of things that the recordings do not show', (generation) => {
    const version = generation === 'old' ? 'old_0.2.2' : 'new_0.4.2'
    const read = (extension: string): string =>
      readFileSync(join(folder, 'grammar', `alfred.${version}.${extension}`), 'utf8')
    const kinds = new Set<string>()
    for (const { game } of recordings('new_seen_walk').filter((_, index) => index % 4 === 0)) {
      const published = readGameFile(join(folder, 'json_2.1.1', game))
      const theirs = compileGame(swapGeneration(published, read('pddl'), read('twl2')), game).start()
      const ours = compileGame(swapGeneration(published, domainText(generation), grammarText(generation)), game).start()
      expect(ours.opening).toBe(theirs.opening)
      const random = createRandom(game)
      for (let step = 0; step < 200; step++) {
        const admissible = theirs.admissible()
        expect(ours.admissible()).toEqual(admissible)
        const lively = admissible.filter((command) =>
          /^(slice|clean|heat|cool|take \w*knife)|^go to (sink|fri|mic|cou|sto)|^examine (?!.*(net|drawer|top|table|burner))/.test(
            command,
          ),
        )
        const choice = lively.length > 0 && random.next() < 0.6 ? lively : admissible
        const verb = random.pick([...new Set(choice.map(verbOf))])
        const command = random.pick(choice.filter((candidate) => verbOf(candidate) === verb))
        const answer = theirs.step(command)
        expect({ command, ...ours.step(command), won: ours.won }).toEqual({ command, ...answer, won: theirs.won })
        kinds.add(`${verb}: ${answer.observation.replace(/\w+ \d+/g, '…').slice(0, 40)}`)
      }
    }
    expect(
      [...kinds].filter((kind) => /^slice|is a .*(hot|cool|clean|cold|sliced)|Next to it, you see a/.test(kind)).length,
    ).toBeGreaterThan(5)
  })
})

const verbOf = (command: string): string => command.split(' ', 1)[0]!
