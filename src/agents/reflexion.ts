import type { Agent } from '../core/agent.js'
import type { AgentOption } from './_agent-options.js'
import { readAgentOptions } from './_agent-options.js'
import { askForReflection } from './_reflection.js'
import { innerAgent, trialCount } from './_trial-options.js'

const options = {
  trials: trialCount('trials', 3),
  repeats: { example: 'repeats=stop', expected: 'stop', accepts: /^stop$/ },
  agent: innerAgent,
} satisfies Record<string, AgentOption>

/** Trials unless they are given, and reflections that are kept: those of the paper's own ALFWorld runs. */
const [usualTrials, kept] = [10, 3]

/**
 * Reflexion (arXiv 2303.11366) around any agent: a trial that failed is looked back on by the model itself, and tried
 * again with the last reflections in the prompt. The last trial counts.
 * @param text what stands behind the name, if anything: `trials=3:repeats=stop:agent=react`
 * @param find finds the agent that plays a trial
 * @throws ShaketableError `usage` for options that cannot be used
 */
export function createReflexion(text: string | undefined, find: (name: string) => Agent): Agent {
  const given = readAgentOptions('reflexion', text, options)
  const inner = find(given.agent ?? 'act')
  const most = Number(given.trials ?? usualTrials)
  const endsOnRepeat = given.repeats === 'stop'
  const label = [
    'reflexion',
    ...(most === usualTrials ? [] : [`trials=${String(most)}`]),
    ...(endsOnRepeat ? ['repeats=stop'] : []),
    ...(inner.name === 'act' ? [] : [`agent=${inner.name}`]),
  ].join(':')
  return {
    ...inner,
    name: label,
    summary: `up to ${String(most)} trials at a task, with the model's own reflections on those that failed (reflexion:trials=3:agent=react)`,
    source: 'Reflexion (arXiv 2303.11366), its ALFWorld runs; AgentRefine, appendix G',
    settings: {
      trials: { most, counts: 'last', reflections: kept, ...(endsOnRepeat && { repeats: 'stop' }), request: 1 },
      agent: inner.name,
      agentSettings: inner.settings,
    },
    trials: {
      most,
      counts: 'last',
      ...(endsOnRepeat && { endsOnRepeat }),
      reflection: { kept, request: askForReflection },
    },
  }
}
