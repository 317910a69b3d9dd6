import * as z from 'zod'
import type { BriefingDefinition, ExampleDefinition } from '../../define/world.js'
import { hashOf } from '../../core/episode.js'
import { ShaketableError } from '../../core/errors.js'
import { readText } from '../../files/read-text.js'
import { instruct, parsePromptFile } from '../prompts.js'
import type { Page } from './page-index.js'
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
    examples: prompt?.examples ?? shown.slice(0, ownExamples).map(play),
  }
}

/** Worked examples that no prompt has by itself. */
export function otherExamples(): readonly ExampleDefinition[] {
  return shown.slice(ownExamples).map(play)
}

interface Shown {
  readonly question: string
  readonly answer: string
  readonly actions: readonly string[]
}

/** The first of {@link shown} are in our own prompt. */
const ownExamples = 2
const shown: readonly Shown[] = [
  {
    question: 'Which sea does the ferry Ondra cross?',
    answer: 'Sea of Marl',
    actions: [
      'search[Ondra ferry]',
      'search[Ondra (ferry)]',
      'lookup[route]',
      'search[Port Hallam]',
      'finish[Sea of Marl]',
    ],
  },
  {
    question: 'Did Ada Pelham and Joost Varley have the same profession?',
    answer: 'no',
    actions: ['search[Ada Pelham]', 'search[Joost Varley]', 'finish[no]'],
  },
  {
    question: 'Who was mayor of Port Hallam longer, Ada Pelham or Joost Varley?',
    answer: 'Joost Varley',
    actions: ['search[Ada Pelham]', 'lookup[mayor]', 'search[Joost Varley]', 'lookup[mayor]', 'finish[Joost Varley]'],
  },
  {
    question: 'How many inhabitants has the port where the Ondra begins its route?',
    answer: '4,100',
    actions: ['search[Ondra (ferry)]', 'lookup[route]', 'search[Port Hallam]', 'finish[4,100]'],
  },
  {
    question: 'Which sea is the town on whose mayor was a pilot?',
    answer: 'Sea of Marl',
    actions: ['search[mayor pilot]', 'search[Ada Pelham]', 'search[Port Hallam]', 'finish[Sea of Marl]'],
  },
  {
    question: 'Were Ada Pelham and Joost Varley mayors of the same town?',
    answer: 'yes',
    actions: ['search[Joost Varley]', 'search[Ada Pelham]', 'finish[yes]'],
  },
]

/** The pages of the worked examples; no task is about them. */
const shownPages: readonly Page[] = [
  {
    title: 'Ondra (ferry)',
    text: 'Ondra is a ferry. She was built in 1961. She carries ninety cars. Her hull is green. She has two funnels.\nHer crew lives on board. Her route begins at Port Hallam.',
  },
  {
    title: 'Port Hallam',
    text: 'Port Hallam is a port on the Sea of Marl. It has 4,100 inhabitants. Each ferry from there crosses the Sea of Marl.',
  },
  {
    title: 'Ondra (river)',
    text: 'Ondra is a river of the uplands. It dries up in summer. A ferry was planned on it and never built.',
  },
  { title: 'Ondra Bridge', text: 'Ondra Bridge is a bridge over the Ondra. It has five arches.' },
  {
    title: 'Hallam Ferry Company',
    text: 'The Hallam Ferry Company was founded in 1888. It owned four ships. It was sold in 1970.',
  },
  {
    title: 'Ada Pelham',
    text: 'Ada Pelham was a pilot. She flew mail to the islands. She was mayor of Port Hallam for five years.',
  },
  {
    title: 'Joost Varley',
    text: 'Joost Varley was a printer. He printed maps of the coast. He was mayor of Port Hallam for nine years.',
  },
]

/** A worked example with the observations of the real tools. */
function play({ question, answer, actions }: Shown): ExampleDefinition {
  const search = indexPages(shownPages)
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
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .map((one) => readExample(one, path))
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
