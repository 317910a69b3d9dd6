import { basename } from 'node:path'
import { z } from 'zod'
import type { EnvironmentKind } from '../kind.js'
import { createBabyai, babyaiCard } from './environment.js'
import { readLabels } from './labels.js'
import { readPromptFile } from './prompt-file.js'

const options = z.strictObject({
  split: z
    .enum(['test', 'train'])
    .describe("AgentBoard's 112 tasks, or 700 others on the same levels. Default: test")
    .optional(),
  rules: z
    .enum(['agentboard', 'fixed'])
    .describe("AgentBoard's text game to the byte, or without its faults. Default: agentboard")
    .optional(),
  labels: z
    .string()
    .min(1)
    .describe(
      "AgentBoard's label file data/babyai/test.jsonl: its sub-goals and difficulties. Default: sub-goals of our own",
    )
    .optional(),
  prompt: z
    .string()
    .min(1)
    .describe("AgentBoard's prompt file babyai_vanilla_prompt.json. Default: our own words")
    .optional(),
})

/** Options of BabyAI, all of which may be left out. */
export type BabyaiSettings = z.infer<typeof options>

/** BabyAI's levels, made from nothing but seeds. */
export const babyai: EnvironmentKind<BabyaiSettings> = {
  ...babyaiCard,
  options,
  paths: ['labels', 'prompt'],
  open({ split = 'test', rules = 'agentboard', labels, prompt }) {
    return createBabyai({
      split,
      rules,
      data: {
        ...(split === 'test' ? { kind: 'benchmark' as const, from: 'AgentBoard' } : { kind: 'generated' as const }),
        split,
        ...(prompt !== undefined && { promptFile: basename(prompt) }),
      },
      ...(labels !== undefined && { labels: readLabels(labels) }),
      ...(prompt !== undefined && { prompt: readPromptFile(prompt) }),
    })
  },
}
