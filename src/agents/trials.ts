import type { Agent, FailedTrial, TrialRules } from '../core/agent.js'
import type { Message } from '../core/model.js'
import { textOf } from '../core/text.js'
import type { AgentOption } from './_agent-options.js'
import { readAgentOptions } from './_agent-options.js'
import { agentBoardLabels, labelsOf, layLine, layMemory } from './_layout.js'

/** The trials of the paper's own ALFWorld runs and of AgentRefine's ten seeds, and reflections kept in those runs. */
const [defaultTrials, kept] = [10, 3]

/** The option for the number of trials of an episode. */
function trialCount(name: string, example: number): AgentOption {
  return {
    example: `${name}=${String(example)}`,
    expected: 'a number of trials from 2 to 100',
    accepts: /^(?:[2-9]|[1-9]\d|100)$/,
  }
}

/** The option for the agent that plays a trial. */
const innerAgent: AgentOption = { example: 'agent=react', expected: 'the name of an agent', accepts: /./ }

const reflexionOptions = { trials: trialCount('trials', 3), agent: innerAgent } satisfies Record<string, AgentOption>

/**
 * Reflexion (arXiv 2303.11366) around any agent: the model reflects on a trial that failed and tries again with the
 * last reflections in the prompt. The last trial counts.
 * @param text the options after the name, if any: `trials=3:agent=react`
 * @param find finds the agent that plays a trial
 * @throws ShaketableError `usage` for options that cannot be used
 */
export function createReflexion(text: string | undefined, find: (name: string) => Agent): Agent {
  const { trials = defaultTrials, agent = 'act' } = readAgentOptions('reflexion', text, reflexionOptions)
  const most = Number(trials)
  return repeat(
    find(agent),
    'reflexion',
    most === defaultTrials ? [] : [`trials=${String(most)}`],
    {
      summary: `up to ${String(most)} trials at a task, with the model's own reflections on those that failed (reflexion:trials=3:agent=react)`,
      source: 'Reflexion (arXiv 2303.11366), its ALFWorld runs; AgentRefine, appendix G',
    },
    { most, counts: 'last', reflections: kept, request: 1 },
    { most, counts: 'last', reflection: { kept, request: askForReflection } },
  )
}

const bestOfNOptions = { n: trialCount('n', 5), agent: innerAgent } satisfies Record<string, AgentOption>

/**
 * Best of N around any agent: independent trials that differ by their seeds, of which the best counts. Trials after a
 * success could not be better and are not played.
 * @param text the options after the name, if any: `n=5:agent=react`
 * @param find finds the agent that plays a trial
 * @throws ShaketableError `usage` for options that cannot be used
 */
export function createBestOfN(text: string | undefined, find: (name: string) => Agent): Agent {
  const { n = defaultTrials, agent = 'act' } = readAgentOptions('best-of-n', text, bestOfNOptions)
  const most = Number(n)
  const rules = { most, counts: 'best' } as const
  return repeat(
    find(agent),
    'best-of-n',
    most === defaultTrials ? [] : [`n=${String(most)}`],
    {
      summary: `the best of up to ${String(most)} trials at a task that differ by their seeds (best-of-n:n=5:agent=react)`,
      source: 'AgentRefine, table 4: temperature 1, ten seeds',
    },
    rules,
    rules,
  )
}

/** An agent that plays a task several times by these rules. */
function repeat(
  inner: Agent,
  name: string,
  options: readonly string[],
  card: Pick<Agent, 'summary' | 'source'>,
  settings: Readonly<Record<string, unknown>>,
  trials: TrialRules,
): Agent {
  return {
    ...inner,
    ...card,
    name: [name, ...options, ...(inner.name === 'act' ? [] : [`agent=${inner.name}`])].join(':'),
    settings: { trials: settings, agent: inner.name, agentSettings: inner.settings },
    trials,
  }
}

const question = `Do not describe the place again. Think about what you tried and where it went wrong, and write a short plan that names the actions to take \
instead. You will be given it before you try the same task again.
New plan: `

/** Requests a reflection as Reflexion does: the history, earlier plans, and a new plan. Equal for every agent. */
function askForReflection({ briefing, opening, steps, left }: FailedTrial): readonly Message[] {
  const { instruction, goal, memory = [] } = briefing
  const labels = labelsOf(briefing.layout, agentBoardLabels)
  const shown = steps
    .slice(left)
    .flatMap(({ action, observation }) => [
      layLine('action', action, labels),
      layLine('observation', observation, labels),
    ])
  const content = [
    `${textOf(instruction).trimEnd()}\n`,
    `You tried to do this: ${goal}\nYou did not get it done. This is what happened:\n`,
    [
      layLine('observation', opening, labels),
      ...(left === 0 ? [] : [`(${String(left)} earlier steps are left out.)`]),
      ...shown,
      '',
    ].join('\n'),
    ...(memory.length === 0 ? [] : [layMemory(memory).join('').trimStart()]),
    question,
  ].join('\n')
  return [
    { role: 'system', content: briefing.system },
    { role: 'user', content },
  ]
}
