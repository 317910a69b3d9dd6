import * as z from 'zod'
import type { BriefingDefinition, ExampleDefinition } from '../../define/world.js'
import { hashOf } from '../../core/episode.js'
import { ShaketableError } from '../../core/errors.js'
import { readText } from '../../files/read-text.js'
import { instruct, parsePromptFile } from '../prompts.js'
import { ownExamples } from './own.js'
import { indexPages } from './page-index.js'
import { createWorld, forms } from './world.js'

const rules = `You answer a question by searching an encyclopedia. Read a page with search[{entity}], and further sentences of the page that you read last \
with lookup[{keyword}]. Put what you look for in place of the braces. Give the answer with finish[{answer}], which ends the episode: a name, a date, a number, \
or yes or no, in as few words as possible and without a sentence around it. Reply with one action at a time.`

const knownForms = forms.map(({ template }) => template)
const system = 'You answer questions with an encyclopedia that you can search.'

/** The briefing of every question: words of our own, with the worked examples of ReAct's prompt file if it is given. */
export function createBriefing(prompt: PromptFile | undefined): BriefingDefinition {
  return {
    system,
    instruction: instruct(rules, forms),
    forms,
    knownForms,
    examples: prompt?.examples ?? ownExamples().examples.slice(0, shownExamples).map(play),
  }
}

/** Worked examples that no prompt has by itself. */
export function otherExamples(): readonly ExampleDefinition[] {
  return ownExamples().examples.slice(shownExamples).map(play)
}

/** The first of our own worked examples are in our own prompt. */
const shownExamples = 2

type OwnExample = ReturnType<typeof ownExamples>['examples'][number]

/** A worked example with the observations of the real tools. */
function play({ question, answer, actions }: OwnExample): ExampleDefinition {
  const search = indexPages(ownExamples().pages)
  const world = createWorld({ question, answer, search, briefing: {}, maxSteps: actions.length, script: actions })
  return {
    opening: world.opening,
    exchanges: actions.map((action) => {
      const turn = world.step(action)
      if (turn instanceof Promise) throw new TypeError('A worked example is played on pages in memory.')
      return { action, observation: turn.observation }
    }),
  }
}

/** ReAct's worked examples as data. */
export interface PromptFile {
  readonly examples: readonly ExampleDefinition[]
  /** Hash of the file's text. */
  readonly hash: string
}

const key = 'webthink_simple6'
const schema = z.object({ [key]: z.string().min(1) })
const advice = "Give the path of ReAct's prompts/prompts_naive.json."

/**
 * Reads the worked examples of ReAct's prompt file: questions with a thought, an action and an observation in turn. A
 * thought stands on the line before its action as in the file; numbers after `Thought`, `Action` and `Observation` are
 * left out, since no agent here counts. The last action gets the environment's answer to it.
 * @throws ShaketableError `bad-input` where it is not such a file
 */
export function readPromptFile(path: string): PromptFile {
  const text = readText('The prompt file', path, advice)
  const file = parsePromptFile(schema, text, path, "ReAct's prompt file", advice)
  const examples = file[key]
    .split(/^(?=Question: )/m)
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line) => readExample(line, path))
  return { examples, hash: hashOf(text, 16) }
}

const finished = 'Episode finished, reward = 1\n'

function readExample(text: string, path: string): ExampleDefinition {
  const [opening = '', ...turns] = text.replace(/^(Thought) \d+: /gm, '$1: ').split(/\nAction \d+: /)
  if (!opening.startsWith('Question: ') || turns.length === 0) {
    throw new ShaketableError('bad-input', `${path}: an example of '${key}' has no question or no action. ${advice}`)
  }
  return {
    opening,
    exchanges: turns.map((turn) => {
      const [action = '', observation = finished.trimEnd()] = turn.split(/\nObservation \d+: /)
      return { action, observation }
    }),
  }
}
