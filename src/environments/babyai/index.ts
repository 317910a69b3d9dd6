import { basename } from 'node:path'
import { defineEnvironment } from '../../define/environment.js'
import { babyaiPrompt, readPromptFile } from '../agentboard-prompt.js'
import { createBabyai, readAction } from './environment.js'
import { allForms, itemNames } from './moves.js'
import { readLabels } from './progress.js'

/** BabyAI's levels, generated from seeds alone. */
export const babyai = defineEnvironment({
  name: 'babyai',
  summary: 'BabyAI: find, fetch and unlock things in rooms that are seen seven cells at a time; in text',
  source: 'BabyAI (Chevalier-Boisvert et al. 2019) in Minigrid 2.3.0, as AgentBoard plays it',
  version: '2',
  options: {
    split: {
      choices: ['test', 'train'],
      summary: "AgentBoard's 112 tasks, or 700 others on the same levels. Default: test",
    },
    labels: {
      path: true,
      summary:
        "AgentBoard's label file data/babyai/test.jsonl: its sub-goals and difficulties. Default: sub-goals of our own",
    },
    prompt: { path: true, summary: "AgentBoard's prompt file babyai_vanilla_prompt.json. Default: our own words" },
  },
  plainText: { forms: [allForms], names: itemNames, read: readAction },
  open({ split = 'test', labels, prompt }) {
    return createBabyai({
      split,
      data: {
        ...(split === 'test' ? { kind: 'benchmark' as const, from: 'AgentBoard' } : { kind: 'generated' as const }),
        split,
        ...(prompt !== undefined && { promptFile: basename(prompt) }),
      },
      ...(labels !== undefined && { labels: readLabels(labels) }),
      ...(prompt !== undefined && { prompt: readPromptFile(babyaiPrompt, prompt) }),
    })
  },
})
