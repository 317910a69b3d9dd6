import { randomUUID } from 'node:crypto'
import type { ProbeContext, QuirkResult } from './quirk.js'
import type { Exchange } from './session.js'

type Measured = QuirkResult & { readonly name: string }

/** About 200 tokens, long enough for a prefix cache. */
const sentences = 16

/**
 * Whether temperature 0 repeats its reply under load: a longer prompt that is new to the server, the same again, and
 * `atOnce` calls with it at once. Undefined where single replies already differ, or there are none to compare.
 */
export async function repeatUnderLoad(
  { valueOf, request }: ProbeContext,
  atOnce: number,
): Promise<Measured | undefined> {
  if (valueOf('temperature 0') !== 'same') return undefined
  const story = 'The kettle stands on the stove beside the open window. '.repeat(sentences)
  const messages = [{ role: 'user', content: `Note ${randomUUID()}. ${story}Write one sentence about it.` }] as const
  const reply = async (): Promise<string | undefined> => {
    const answer = await request({ messages })
    return answer.kind === 'answered' && answer.value.all !== '' ? answer.value.all : undefined
  }
  const [cold, warm] = [await reply(), await reply()]
  const parallel = (await Promise.all(Array.from({ length: atOnce }, reply))).filter((one) => one !== undefined)
  if (cold === undefined || warm === undefined || parallel.length === 0) return undefined
  const replies = new Set([warm, ...parallel]).size
  const differences = [...(replies > 1 ? ['under load'] : []), ...(cold === warm ? [] : ['with a warm prefix'])]
  const prefix = `a new prompt and the same again: ${cold === warm ? 'equal' : 'different'} replies`
  const load = `${String(parallel.length)} calls with it at once: ${String(replies)} different`
  return {
    name: 'temperature 0',
    value: differences.length === 0 ? 'same' : `same alone, different ${differences.join(' and ')}`,
    evidence: `two equal calls, equal replies; ${prefix}; ${replies > 1 ? load : load.replace('1 different', 'the same reply')}`,
  }
}

/** The number of exchanges without an answer, and the latency of calls of the model. */
export function measure(exchanges: readonly Exchange[]): readonly Measured[] {
  const failed = exchanges.filter(({ failed }) => failed).length
  const times = exchanges.filter((one) => one.isCall && !one.failed).map(({ milliseconds }) => milliseconds)
  const sorted = times.sort((one, other) => one - other)
  const at = (share: number): string => `${(sorted[Math.ceil(share * sorted.length) - 1]! / 1000).toFixed(2)} s`
  return [
    { name: 'failed calls', value: failed, evidence: `of ${String(exchanges.length)}` },
    ...(sorted.length === 0
      ? []
      : [
          {
            name: 'latency',
            value: `median ${at(0.5)}`,
            evidence: `95 % within ${at(0.95)}, ${String(sorted.length)} calls of the model`,
          },
        ]),
  ]
}

/** What these measurements mean for a run. */
export const meaningsOfMeasured: Readonly<Record<string, string>> = {
  'failed calls': 'Calls that broke off, were rate-limited or met an error of the server; a run repeats them.',
  latency: 'For short replies; --timeout must leave room for those of a run.',
}
