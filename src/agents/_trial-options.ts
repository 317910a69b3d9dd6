import type { AgentOption } from './_agent-options.js'

/** How many trials an episode may have. */
export function trialCount(name: string, example: number): AgentOption {
  return {
    example: `${name}=${String(example)}`,
    expected: 'a number of trials from 2 to 100',
    accepts: /^(?:[2-9]|[1-9]\d|100)$/,
  }
}

/** The agent that plays a trial. */
export const innerAgent: AgentOption = { example: 'agent=react', expected: 'the name of an agent', accepts: /./ }
