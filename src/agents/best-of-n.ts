import type { Agent } from '../core/agent.js'
import type { AgentOption } from './_agent-options.js'
import { readAgentOptions } from './_agent-options.js'
import { innerAgent, trialCount } from './_trial-options.js'

const options = { n: trialCount('n', 5), agent: innerAgent } satisfies Record<string, AgentOption>

/** AgentRefine's ten seeds. */
const usualTrials = 10

/**
 * Best of N around any agent: trials that know nothing of each other and differ by their seeds, of which the best
 * counts. What comes after a trial that is won could not be better and is not played.
 * @param text what stands behind the name, if anything: `n=5:agent=react`
 * @param find finds the agent that plays a trial
 * @throws ShaketableError `usage` for options that cannot be used
 */
export function createBestOfN(text: string | undefined, find: (name: string) => Agent): Agent {
  const given = readAgentOptions('best-of-n', text, options)
  const inner = find(given.agent ?? 'act')
  const most = Number(given.n ?? usualTrials)
  const label = [
    'best-of-n',
    ...(most === usualTrials ? [] : [`n=${String(most)}`]),
    ...(inner.name === 'act' ? [] : [`agent=${inner.name}`]),
  ].join(':')
  return {
    ...inner,
    name: label,
    summary: `the best of up to ${String(most)} trials at a task that differ by their seeds (best-of-n:n=5:agent=react)`,
    source: 'AgentRefine, table 4: temperature 1, ten seeds',
    settings: { trials: { most, counts: 'best' }, agent: inner.name, agentSettings: inner.settings },
    trials: { most, counts: 'best' },
  }
}
