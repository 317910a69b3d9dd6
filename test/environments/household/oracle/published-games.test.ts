import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createRandom } from '../../../../src/core/random.js'
import { compileGame } from '../../../../src/environments/household/engine/engine.js'
import { readGameFile } from '../../../../src/environments/household/engine/game-file.js'
import { solveHousehold } from '../../../../src/environments/household/oracle/solve.js'
import { sharedData } from '../../../shared-data.js'

const folder = join(sharedData ?? '', 'alfworld', 'json_2.1.1')

function games(split: string): string[] {
  return readdirSync(join(folder, split), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('game.tw-pddl'))
    .map((path) => join(folder, split, path))
}

describe.skipIf(sharedData === undefined)(
  'solveHousehold on ALFWorld’s games (skipped without the shared data)',
  () => {
    it.each([
      ['valid_seen', 140],
      ['valid_unseen', 134],
    ])('wins every game of %s in as many commands as its walkthrough, and from wherever it strays', (split, count) => {
      const paths = games(split)
      expect(paths).toHaveLength(count)
      for (const path of paths) {
        const file = readGameFile(path)
        const engine = compileGame(file, path).start()
        const plan = solveHousehold(engine)!
        expect({ path, length: plan.length }).toEqual({ path, length: file.walkthrough!.length })
        const strayed = engine.clone()
        for (const command of plan) {
          expect(engine.won).toBe(false)
          expect({ command, accepted: engine.step(command).accepted }).toEqual({ command, accepted: true })
        }
        expect(engine.won).toBe(true)

        const random = createRandom(path)
        for (let step = 0; step < 12; step++) {
          const before = solveHousehold(strayed)
          strayed.step(random.pick(strayed.admissible()))
          const after = solveHousehold(strayed)
          // One command brings the end one step nearer at best.
          if (before !== undefined && after !== undefined) {
            expect(after.length).toBeGreaterThanOrEqual(before.length - 1)
          }
        }
        const way = solveHousehold(strayed)
        for (const command of way ?? []) strayed.step(command)
        expect(strayed.won).toBe(way !== undefined)
      }
    })
  },
)
