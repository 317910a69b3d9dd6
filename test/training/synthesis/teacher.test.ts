import { describe, expect, it } from 'vitest'
import { profiles } from '../../../src/training/verify/verify-trajectory.js'
import type { ScriptedTurn } from '../../../src/training/verify/turn.js'
import { checkTrajectory, checkedScript } from '../../../src/training/synthesis/check-trajectory.js'
import { trajectoryPrompt } from '../../../src/training/synthesis/prompts.js'
import { teacher } from '../../../src/training/synthesis/teacher.js'
import { honey, master } from './_honey.js'

const ask = async (messages: Parameters<typeof teacher.complete>[0], seed = 0): Promise<unknown> =>
  JSON.parse((await teacher.complete(messages, { temperature: 0, seed, maxTokens: 1000, stop: [] })).text)
const opening = master(0, `${honey.Goal}\nThe places are: kitchen, cellar.`) as unknown as ScriptedTurn

describe('the teacher', () => {
  it('visits places before it names what it has only read of in the goal', async () => {
    const far = {
      ...honey,
      Environment: { kitchen: { shelf: { mug: {} } }, hall: {}, attic: {}, cellar: { chest: {}, 'jar of honey': {} } },
      Goal: 'Bring the jar of honey to the shelf.',
      'Completion Conditions': ['jar of honey in shelf'],
      'Available Actions': {
        ...honey['Available Actions'],
        'walk to {place}': {
          ...honey['Available Actions']['walk to {place}'],
          parameters: { place: ['kitchen', 'hall', 'attic', 'cellar'] },
        },
        'take {thing} from {holder}': {
          ...honey['Available Actions']['take {thing} from {holder}'],
          parameters: { thing: ['mug', 'jar of honey'], holder: ['shelf', 'chest', 'cellar'] },
        },
      },
    }
    const begun = [master(0, `${far.Goal}\nYou are in the kitchen. You see: shelf.`) as unknown as ScriptedTurn]
    const turns = (await ask(trajectoryPrompt({ source: far, mistakes: 0 }, begun))) as { Action?: string }[]
    expect(turns.flatMap(({ Action: action }) => action ?? [])).toEqual([
      'walk to hall',
      'walk to attic',
      'walk to cellar',
      'take jar of honey from cellar',
      'walk to kitchen',
      'put jar of honey on shelf',
    ])
  })

  it('makes as many mistakes as are asked for, each corrected', async () => {
    for (const mistakes of [0, 1, 2, 4]) {
      const turns = (await ask(trajectoryPrompt({ source: honey, mistakes }, [opening]), mistakes)) as unknown[]
      const verify = { ...profiles.strict, minErrorTurns: mistakes }
      expect(checkTrajectory([opening, ...turns], checkedScript(honey), verify)).toMatchObject({
        accepted: true,
        errors: mistakes,
      })
    }
  })
})
