import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { compileGame } from '../../../src/environments/household/engine/engine.js'
import { readGameFile } from '../../../src/environments/household/engine/game-file.js'
import { swapGeneration } from '../../../src/environments/household/engine/grammar-document.js'
import { sharedData } from '../../shared-data.js'

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
const text = (name: string): string => readFileSync(join(folder, 'grammar', name), 'utf8')

describe.skipIf(sharedData === undefined)('recordings of the original engine (skipped without the shared data)', () => {
  it.each(['new_seen_walk', 'new_seen_random', 'old_seen_walk', 'old_seen_random'])(
    'replays %s to the byte',
    (name) => {
      const lines = readFileSync(join(folder, 'transcripts', `${name}.jsonl`), 'utf8')
        .trim()
        .split('\n')
      let steps = 0
      for (const line of lines) {
        const recording = JSON.parse(line) as Recording
        const published = readGameFile(join(folder, 'json_2.1.1', recording.game))
        const file =
          recording.version === 'new'
            ? published
            : swapGeneration(published, text('alfred.old_0.2.2.pddl'), text('alfred.old_0.2.2.twl2'))
        const game = compileGame(file, recording.game)
        const engine = game.start()
        expect(game.generation).toBe(recording.version)
        expect({ observation: engine.opening, admissible_commands: engine.admissible(), won: engine.won }).toEqual({
          observation: recording.init.observation,
          admissible_commands: recording.init.admissible_commands,
          won: recording.init.won,
        })
        let moves = 0
        for (const wanted of recording.steps) {
          const accepts = engine.accepts(wanted.action)
          const { observation, accepted } = engine.step(wanted.action)
          if (accepted) moves++
          const seen = {
            action: wanted.action,
            observation,
            admissible_commands: engine.admissible(),
            won: engine.won,
            score: engine.score,
          }
          const { action, admissible_commands, won, score } = wanted
          expect(seen).toEqual({ action, observation: wanted.observation, admissible_commands, won, score })
          expect(accepts).toBe(accepted)
          steps++
        }
        expect(engine.moves).toBe(moves)
      }
      expect(steps).toBeGreaterThan(500)
    },
  )

  it.each(['valid_seen', 'valid_unseen'])('wins every game of %s by its walkthrough, in both wordings', (split) => {
    const root = join(folder, 'json_2.1.1', split)
    const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.tw-pddl'))
    expect(paths.length).toBeGreaterThan(100)
    for (const path of paths) {
      const published = readGameFile(join(root, path))
      const old = swapGeneration(published, text('alfred.old_0.2.2.pddl'), text('alfred.old_0.2.2.twl2'))
      for (const file of [published, old]) {
        const engine = compileGame(file, path).start()
        expect(engine.won).toBe(false)
        for (const command of published.walkthrough!) {
          const worded = file === old ? command.replace(/^move (.*) to (.*)$/, 'put $1 in/on $2') : command
          expect([path, worded, engine.step(worded).accepted]).toEqual([path, worded, true])
        }
        expect([path, engine.won]).toEqual([path, true])
      }
    }
  })
})
