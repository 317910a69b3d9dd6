import { describe, expect, it } from 'vitest'
import { hashOf } from '../../../src/core/episode.js'
import { profiles } from '../../../src/training/verify/verify-trajectory.js'
import { masterTurn } from '../../../src/training/verify/turn.js'
import { checkTrajectory, checkedScript } from '../../../src/training/synthesis/check-trajectory.js'
import { trajectoryPrompt } from '../../../src/training/synthesis/prompts.js'
import { teacher } from '../../../src/training/synthesis/teacher.js'
import { honey } from './_honey.js'

const ask = async (messages: Parameters<typeof teacher.complete>[0], seed = 0): Promise<unknown> =>
  JSON.parse((await teacher.complete(messages, { temperature: 0, seed, maxTokens: 1000, stop: [] })).text)
const opening = masterTurn(0, `${honey.Goal}\nThe places are: kitchen, cellar.`)

describe('the teacher', () => {
  it('makes as many mistakes as are asked for, each corrected', async () => {
    for (const mistakes of [0, 1, 2, 4]) {
      const turns = (await ask(trajectoryPrompt({ source: honey, mistakes }, [opening]), mistakes)) as unknown[]
      if (mistakes === 2) expect(hashOf(turns, 16)).toMatchInlineSnapshot(`"4c3e19da4ba8857f"`)
      const verify = { ...profiles.strict, minErrorTurns: mistakes }
      expect(checkTrajectory([opening, ...turns], checkedScript(honey), verify)).toMatchObject({
        accepted: true,
        errors: mistakes,
      })
    }
  })
})
