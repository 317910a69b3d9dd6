import type { Agent, FailedTrial, TrialRules } from '../core/agent.js'
import { ShaketableError } from '../core/errors.js'
import type { Message } from '../core/model.js'
import { textOf } from '../core/text.js'
import { agentBoardLabels, labelsOf, layLine, layMemory } from './_layout.js'

/** The trials of the paper's own ALFWorld runs and of AgentRefine's ten seeds, and reflections kept in those runs. */
const [defaultTrials, kept] = [10, 3]

const shown = { reflexion: 'reflexion:trials=3:agent=react', 'best-of-n': 'best-of-n:n=5:agent=react' } as const

/**
 * An agent that plays a task several times.
 * - `reflexion` (arXiv 2303.11366): the model reflects on a trial that failed and tries again with the last reflections
 *   in the prompt. The last trial counts.
 * - `best-of-n`: independent trials that differ by their seeds, of which the best counts. Trials after a success could
 *   not be better and are not played.
 * @param text the options after the name, if any: `trials=3:agent=react`, `n=5:agent=react`
 * @param find finds the agent that plays a trial
 * @throws ShaketableError `usage` for options that cannot be used
 */
export function createTrials(name: keyof typeof shown, text: string | undefined, find: (name: string) => Agent): Agent {
  const isReflexion = name === 'reflexion'
  const count = isReflexion ? 'trials' : 'n'
  const options = /^(?:(\w+)=(\d{1,4}))?(?:(?:^|:)agent=(.+))?$/s.exec(text ?? '')
  const [, option = count, trials = defaultTrials, agent = 'act'] = options ?? []
  const most = Number(trials)
  if (options === null || option !== count || most < 2 || most > 100) {
    throw new ShaketableError(
      'usage',
      `The agent '${name}' takes a number of trials from 2 to 100 and the agent that plays each, got '${text!.slice(0, 100)}'. Write it as in '${shown[name]}'.`,
    )
  }
  const inner = find(agent)
  const rules: TrialRules = isReflexion
    ? { most, counts: 'last', reflection: { kept, request: askForReflection } }
    : { most, counts: 'best' }
  const settings = isReflexion ? { most, counts: 'last', reflections: kept, request: 1 } : rules
  return {
    ...inner,
    summary: isReflexion
      ? `up to ${String(most)} trials at a task, with the model's own reflections on those that failed (${shown[name]})`
      : `the best of up to ${String(most)} trials at a task that differ by their seeds (${shown[name]})`,
    source: isReflexion
      ? 'Reflexion (arXiv 2303.11366), its ALFWorld runs; AgentRefine, appendix G'
      : 'AgentRefine, table 4: temperature 1, ten seeds',
    name: [
      name,
      ...(most === defaultTrials ? [] : [`${count}=${String(most)}`]),
      ...(inner.name === 'act' ? [] : [`agent=${inner.name}`]),
    ].join(':'),
    settings: { trials: settings, agent: inner.name, agentSettings: inner.settings },
    trials: rules,
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
