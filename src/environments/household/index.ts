import { basename } from 'node:path'
import { defineEnvironment } from '../../define/environment.js'
import { ShaketableError } from '../../core/errors.js'
import { householdPrompt, readPromptFile } from '../agentboard-prompt.js'
import type { Split } from './folder-games.js'
import { createHousehold } from './environment.js'
import { allForms, normaliseAction } from './forms.js'
import { folderGames } from './folder-games.js'
import { itemNames } from './examples.js'
import { generatedGames } from './games.js'

/**
 * The household of ALFWorld. The variable `ALFWORLD_DATA` is read only where an option names it, as playing by hand
 * does, so that a variable in a shell never changes an experiment.
 */
export const household = defineEnvironment({
  name: 'household',
  summary: 'ALFWorld: find things in a house, change them, and put them where they belong; text only',
  source: 'ALFWorld (Shridhar et al. 2021), as AgentBoard plays it',
  options: {
    data: {
      path: true,
      summary: "ALFWorld's data folder or the json_2.1.1 in it. Default: generated tasks",
    },
    split: {
      choices: ['train', 'valid-train', 'valid-seen', 'valid-unseen', 'valid_train', 'valid_seen', 'valid_unseen'],
      summary: 'Which tasks. Default: valid-unseen',
    },
    generation: {
      choices: ['old', 'new'],
      summary: 'The wording: put … in/on … (old) or move … to … (new). Default: as the file; old for generated tasks',
    },
    prompt: { path: true, summary: "AgentBoard's prompt file alfworld_base.json. Default: our own words" },
  },
  interactiveDefaults: () => (process.env.ALFWORLD_DATA ? { data: '$ALFWORLD_DATA' } : {}),
  plainText: { forms: [allForms('old'), allForms('new')], names: itemNames, normalise: normaliseAction },
  open({ data: folder, split = 'valid-unseen', generation, prompt }) {
    const games =
      folder === undefined
        ? generatedGames(ownSplit(split), generation ?? 'old')
        : folderGames({ folder, split: split.replace('-', '_') as Split, generation })
    return createHousehold({
      games,
      generation: generation ?? (folder === undefined ? 'old' : 'as the game'),
      data: {
        ...(folder === undefined ? { kind: 'generated' as const } : { kind: 'benchmark' as const, from: 'ALFWorld' }),
        split: split.replace('_', '-'),
        ...(prompt !== undefined && { promptFile: basename(prompt) }),
      },
      ...(prompt !== undefined && {
        prompt: {
          old: readPromptFile(householdPrompt('old'), prompt),
          new: readPromptFile(householdPrompt('new'), prompt),
        },
      }),
    })
  },
})

function ownSplit(split: string): 'train' | 'valid-unseen' {
  const name = split.replace('_', '-')
  if (name === 'train' || name === 'valid-unseen') return name
  throw new ShaketableError(
    'usage',
    `Generated household tasks have the splits train and valid-unseen, not '${split}'. For ALFWorld's own games give 'data'.`,
  )
}
