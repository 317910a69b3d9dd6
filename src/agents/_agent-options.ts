import { ShaketableError } from '../core/errors.js'

/** An option of an agent. */
export interface AgentOption {
  /** Such as `trials=3`. */
  readonly example: string
  readonly expected: string
  readonly accepts: RegExp
}

/**
 * Reads the options after an agent's name, as in `reflexion:trials=3:agent=react:agentboard`. A part without `=`
 * belongs to the value before it; after `agent=` so does an option that is not this agent's.
 * @throws ShaketableError `usage` for an option that is unknown, given twice, or not as expected
 */
export function readAgentOptions<Name extends string>(
  agent: string,
  text: string | undefined,
  known: Readonly<Record<Name, AgentOption>>,
): Partial<Record<Name, string>> {
  const given = new Map<string, string>()
  let last = ''
  for (const part of text === undefined ? [] : text.split(':')) {
    const [key = '', ...values] = part.split('=')
    const isOfInner = last === 'agent' && !Object.hasOwn(known, key)
    if ((values.length === 0 && last !== '') || isOfInner) {
      given.set(last, `${given.get(last)!}:${part}`)
      continue
    }
    const option = Object.hasOwn(known, key) ? known[key as Name] : undefined
    if (option === undefined || values.length !== 1) {
      const examples = Object.values<AgentOption>(known).map(({ example }) => `'${example}'`)
      throw new ShaketableError(
        'usage',
        `The agent '${agent}' has no option '${part.slice(0, 100)}'. Its options are written ${examples.join(', ')}.`,
      )
    }
    if (given.has(key)) {
      throw new ShaketableError('usage', `The option '${key}' of the agent '${agent}' is given twice. Give it once.`)
    }
    given.set((last = key), values[0]!)
  }
  for (const [key, value] of given) {
    const { accepts, expected, example } = known[key as Name]
    if (accepts.test(value)) continue
    throw new ShaketableError(
      'usage',
      `The option '${key}' of the agent '${agent}' takes ${expected}, got '${value.slice(0, 100)}'. Write it as in '${example}'.`,
    )
  }
  return Object.fromEntries(given) as Partial<Record<Name, string>>
}
