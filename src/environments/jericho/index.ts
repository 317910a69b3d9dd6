import { basename } from 'node:path'
import type { OptionValues } from '../../define/environment.js'
import { defineEnvironment } from '../../define/environment.js'
import type { TaskSource } from '../../core/environment.js'
import { ShaketableError } from '../../core/errors.js'
import { jerichoPrompt, readPromptFile } from '../agentboard-prompt.js'
import { readLabels, readTexts } from './agentboard-files.js'
import { createJericho, jerichoCard } from './environment.js'
import type { StorySource } from './sources.js'
import { embeddedSource, folderSource } from './sources.js'

const options = {
  games: { path: true, summary: 'A folder with your story files. Default: a small story of our own' },
  labels: { path: true, summary: "With games: AgentBoard's label file data/jericho/test.jsonl, for the sub-goals" },
  agentboard: {
    path: true,
    summary: "With games: AgentBoard's folder or its jericho_env.py, for its goals and first observations",
  },
  grounding: {
    choices: ['engine', 'agentboard'],
    summary:
      'An action is understood if the story has its words, or as AgentBoard counts, which is nearly always. Default: agentboard with labels, engine without',
  },
  prompt: { path: true, summary: "AgentBoard's prompt file jericho_vanilla_prompt.json. Default: our own words" },
} as const

/** Options of Jericho, all optional. */
type JerichoSettings = OptionValues<typeof options>

/** Text adventures, as story files for the Z-machine. */
export const jericho = defineEnvironment({
  ...jerichoCard,
  options,
  open(settings) {
    const { prompt } = settings
    const source = openSource(settings)
    const { grounding = source.isAgentBoards ? 'agentboard' : 'engine' } = settings
    return createJericho({
      source,
      grounding,
      data: { ...describeSource(source, settings), ...(prompt !== undefined && { promptFile: basename(prompt) }) },
      ...(prompt !== undefined && { prompt: readPromptFile(jerichoPrompt, prompt) }),
    })
  },
})

function describeSource({ isAgentBoards }: StorySource, { games }: JerichoSettings): TaskSource {
  if (games === undefined) return { kind: 'generated' }
  return isAgentBoards ? { kind: 'benchmark', from: 'AgentBoard' } : { kind: 'files' }
}

function openSource({ games, labels, agentboard }: JerichoSettings): StorySource {
  if (games === undefined) {
    for (const [name, value] of Object.entries({ labels, agentboard })) {
      if (value === undefined) continue
      throw new ShaketableError(
        'usage',
        `'${name}' belongs to AgentBoard's games: give the folder with their story files as 'games' too.`,
      )
    }
    return embeddedSource()
  }
  return folderSource({
    folder: games,
    ...(labels !== undefined && { labels: readLabels(labels) }),
    ...(agentboard !== undefined && { texts: readTexts(agentboard) }),
  })
}
