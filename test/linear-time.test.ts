import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { plainText } from '../src/agents/_dress.js'
import { cutInventedTurns } from '../src/agents/_turns.js'
import { readAgentBoardAction } from '../src/agents/agentboard-parser.js'
import { readReactReply } from '../src/agents/react-parser.js'
import { readTaggedReply } from '../src/agents/tagged.js'
import { wordsOf } from '../src/environments/games/tokens.js'
import { textsOf } from '../src/environments/hotpotqa/html.js'
import { separateReasoning } from '../src/models/reasoning.js'
import { jsonOf } from '../src/training/synthesis/stages.js'
import { drawsOf } from '../baselines/_draw.js'
import { readPrompt } from '../baselines/household/prompt.js'
import misinformation from '../perturbations/misinformation.js'
import { parsePublished } from '../src/results/published/parse-published.js'
import { escapeLog } from '../src/cli/_lines.js'
import { createRandom, perturbWorld } from '../src/index.js'
import { readRows } from '../src/training/records.js'
import { applySetting } from '../src/training/sft/settings.js'
import { checkAction } from '../src/training/verify/verify-trajectory.js'
import { babyaiPrompt, householdPrompt, jerichoPrompt, pddlPrompt } from '../src/environments/agentboard-prompt.js'
import { openEnvironment } from '../src/environments/index.js'
import { readTexts } from '../src/environments/jericho/agentboard-files.js'
import { readEvents } from '../src/models/frames.js'
import { scratchFolder } from './scratch.js'

const scratch = scratchFolder()

function inFile(text: string, read: (path: string) => unknown): void {
  const path = join(scratch, 'long')
  writeFileSync(path, text)
  try {
    read(path)
  } catch {
    // Only the time counts.
  }
  rmSync(path)
}

function correct(text: string): unknown {
  const turns = [
    { role: 'user' as const, text: 'go' },
    { role: 'assistant' as const, text: 'Action: wrong', loss: false },
    { role: 'user' as const, text: 'no' },
    { role: 'assistant' as const, text, loss: true },
  ]
  return applySetting({ turns }, 'without-refinement-data')
}

const household = await openEnvironment('household', {})

/** What reads a text, and the text that took a time of its square. */
const readers: Readonly<Record<string, readonly [text: string, read: (text: string) => unknown]>> = {
  'messages in the log of a workflow': [
    `${' \n'.repeat(1e5)}x`,
    (text) => {
      vi.stubEnv('GITHUB_ACTIONS', 'true')
      escapeLog(text)
      vi.unstubAllEnvs()
    },
  ],
  'corrections in training data, by label': [`Thought: x\n${'thought:\n'.repeat(1e5)}`, correct],
  'corrections in training data, by tag': ['<think>'.repeat(1e5), correct],
  'actions in training data': [
    `${'\n'.repeat(2e5)}x`,
    (text) => checkAction(text, { actions: [], longestAction: 9, problems: [] }),
  ],
  'the layout of training data': [`{${' '.repeat(2e5)}x`, (text) => inFile(text, (path) => [...readRows(path)])],
  "comments in AgentBoard's file": [
    `game_goals = {\n${`${'#'.repeat(200)}\n`.repeat(1000)}`,
    (text) => inFile(text, readTexts),
  ],
  "lines of AgentBoard's prompts": [
    '<'.repeat(1e5),
    (instruction) => {
      const entry = { system_msg: '', instruction, examples: [''] }
      householdPrompt('old').read(entry, 'pick_and_place_simple')
      for (const { read } of [babyaiPrompt, jerichoPrompt]) read(entry, 'all')
      pddlPrompt.read(entry, 'gripper')
    },
  ],
  'the prompt of a control model': [`  ${'<a>'.repeat(3e4)}\nYour task is to: go\n`, readPrompt],
  'the goal that a control model draws by': ['-'.repeat(2e5), (goal) => drawsOf(0, goal, 1)],
  'sources of published results': [
    `table,model,environment,metric,value,source\n1,a,alfworld,success,1,"x${' '.repeat(2e5)}x"\n`,
    (text) => parsePublished(text),
  ],
  'events without JSON': ['data: x\n\n'.repeat(3e5), readEvents],
  'observations that misinformation may state falsely': [
    ' '.repeat(1e5),
    async (text) => {
      const world = await household.begin(household.tasks[0]!, createRandom('1'))
      const told = {
        ...world,
        step: async (action: string) => ({ ...(await world.step(action)), observation: [text] }),
      }
      await perturbWorld(told, [{ perturbation: misinformation }], createRandom('1')).step('look')
    },
  ],
}

it.each(Object.entries(readers))('long texts are read in linear time: %s', async (_, [text, read]) => {
  const started = performance.now()
  await read(text)
  expect(performance.now() - started).toBeLessThan(1000)
})

const pieces = [
  `\n¦ ¦x¦.¦'¦-¦.)\n¦b. ¦# ¦{"¦[{¦{"a":1}¦<¦<a "¦<!--¦<p>¦<ul><li>x¦<p><b>x¦<think>¦<think>a ¦<action>¦</action>¦[THINK]`,
  '\n<thinking>¦\n<thinking></thought>¦<s>a¦<|end¦Thought: *¦a: ```  ¦Action:\n¦\nthe new ¦the next action:\n¦action is to',
].flatMap((some) => some.split('¦'))
const ofModels: Readonly<Record<string, (text: string) => unknown>> = {
  ...{ plainText, cutInventedTurns, readTaggedReply, readReactReply, readAgentBoardAction, separateReasoning, jsonOf },
  ...{ wordsOf, textsOf: (text) => textsOf(text, (name) => name === 'p' || name === 'ul') },
}

describe.each(Object.entries(ofModels))('repetitions are read in linear time: %s', (_, read) => {
  it.each(pieces)('%j', (piece) => {
    const text = piece.repeat(200_000 / piece.length)
    const started = performance.now()
    for (const one of [text, `Action: look ${text}`, `<think>a</think><action>${text}x`, `Thought: ${text}x`]) read(one)
    expect(performance.now() - started).toBeLessThan(5000)
  })
})
