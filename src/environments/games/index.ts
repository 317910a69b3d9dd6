import { basename } from 'node:path'
import type { OptionValues } from '../../define/environment.js'
import { defineEnvironment } from '../../define/environment.js'
import type { TaskSource } from '../../core/environment.js'
import { ShaketableError } from '../../core/errors.js'
import { pddlPrompt, readPromptFile } from '../agentboard-prompt.js'
import { createPddl } from './environment.js'
import { folderSource, readDifficulties } from './sources.js'
import { ownSource } from './generator/own-games.js'
import type { GameSource } from './sources.js'
import { gameNames } from './wording.js'

const options = {
  data: {
    path: true,
    summary: "AgentBoard's games: a folder with gripper.pddl, gripper/ and so on. Default: games of our own",
  },
  games: {
    choices: gameNames,
    list: true,
    summary: 'Which games, in which order: gripper, blockworld, barman, tyreworld. Default: all',
  },
  split: {
    choices: ['test', 'train'],
    summary: 'Of our own games: 60 like the benchmark’s, or others for tuning. Default: test',
  },
  labels: { path: true, summary: "AgentBoard's label file data/pddl/test.jsonl, for the difficulties of its games" },
  prompt: { path: true, summary: "AgentBoard's prompt file pddl_vanilla_prompt.json. Default: our own words" },
} as const

/** Options of the PDDL games, all optional. */
type PddlSettings = OptionValues<typeof options>

/** AgentBoard's PDDL games, and generated games like them. */
export const pddl = defineEnvironment({
  name: 'pddl',
  summary: 'PDDL games: carry balls, stack blocks, mix drinks, change wheels; in text',
  source: "AgentBoard's gripper, blockworld, barman and tyreworld (PDDLGym)",
  version: '2',
  options,
  open(settings) {
    const { prompt } = settings
    return createPddl({
      source: openSource(settings),
      data: { ...describeSource(settings), ...(prompt !== undefined && { promptFile: basename(prompt) }) },
      ...(prompt !== undefined && { prompt: readPromptFile(pddlPrompt, prompt) }),
    })
  },
})

function describeSource({ data, split = 'test' }: PddlSettings): TaskSource {
  return data === undefined ? { kind: 'generated', split } : { kind: 'benchmark', from: 'AgentBoard' }
}

function openSource({ data, games, split, labels }: PddlSettings): GameSource {
  if (data === undefined) {
    refuse({ labels }, "the labels are those of AgentBoard's games: give 'data' too")
    return ownSource({ split, games })
  }
  refuse({ split }, "AgentBoard's games have no splits")
  return folderSource({
    folder: data,
    games,
    difficulties: labels === undefined ? undefined : readDifficulties(labels),
  })
}

function refuse(options: Readonly<Record<string, unknown>>, why: string): void {
  const given = Object.keys(options).find((name) => options[name] !== undefined)
  if (given === undefined) return
  throw new ShaketableError(
    'usage',
    `The option '${given}' of the environment 'pddl' cannot be used here: ${why}. Leave one out.`,
  )
}
