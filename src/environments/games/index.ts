import { basename } from 'node:path'
import type { OptionValues } from '../../define/environment.js'
import { defineEnvironment } from '../../define/environment.js'
import type { TaskSource } from '../../core/environment.js'
import { ShaketableError } from '../../core/errors.js'
import { pddlPrompt, readPromptFile } from '../agentboard-prompt.js'
import { createPddl } from './environment.js'
import { fileSource, folderSource, readDifficulties } from './sources.js'
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
  domain: { path: true, summary: 'A domain of your own' },
  problem: { path: true, summary: 'With domain: its problem, or a folder of problems' },
  templates: {
    path: true,
    summary: 'With domain: JSON with texts for predicates and actions. Default: their names',
  },
  prompt: { path: true, summary: "AgentBoard's prompt file pddl_vanilla_prompt.json. Default: our own words" },
} as const

/** Options of the PDDL games, all optional. */
type PddlSettings = OptionValues<typeof options>

/** AgentBoard's PDDL games, generated games like them, and domains of the user. */
export const pddl = defineEnvironment({
  name: 'pddl',
  summary:
    'PDDL games: carry balls, stack blocks, mix drinks, change wheels, or whatever a domain of your own says; in text',
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

function describeSource({ data, domain, split = 'test' }: PddlSettings): TaskSource {
  if (domain !== undefined) return { kind: 'files' }
  return data === undefined ? { kind: 'generated', split } : { kind: 'benchmark', from: 'AgentBoard' }
}

function openSource({ data, games, split, labels, domain, problem, templates, prompt }: PddlSettings): GameSource {
  if (domain === undefined && problem === undefined) {
    refuse({ templates }, "it words a domain of your own: give 'domain' and 'problem' too")
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
  refuse(
    { data, games, split, labels, prompt },
    "it belongs to AgentBoard's games, and 'domain' and 'problem' name one of your own",
  )
  if (domain === undefined || problem === undefined) {
    const [given, missing] = domain === undefined ? ['problem', 'domain'] : ['domain', 'problem']
    throw new ShaketableError(
      'usage',
      `The environment 'pddl' has the option '${given}', but not '${missing}'. Give both.`,
    )
  }
  return fileSource({ domain, problem, ...(templates !== undefined && { templates }) })
}

function refuse(options: Readonly<Record<string, unknown>>, why: string): void {
  const given = Object.keys(options).find((name) => options[name] !== undefined)
  if (given === undefined) return
  throw new ShaketableError(
    'usage',
    `The option '${given}' of the environment 'pddl' cannot be used here: ${why}. Leave one out.`,
  )
}
