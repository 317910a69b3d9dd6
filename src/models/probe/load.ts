import { randomUUID } from 'node:crypto'
import type { Found, Probed } from './quirk.js'
import type { Exchange } from './session.js'

type Measured = Found & { readonly name: string }

/** About 200 tokens, so that a server that keeps prefixes has something to keep. */
const sentences = 16

/**
 * How far temperature 0 repeats itself here: a longer prompt that the server has not seen, the same again, and so many
 * calls with it at once. Undefined where replies already differ alone, or there are none to compare.
 */
export async function repeatUnderLoad({ found, speak }: Probed, atOnce: number): Promise<Measured | undefined> {
  if (found('temperature 0') !== 'same') return undefined
  const story = 'The kettle stands on the stove beside the open window. '.repeat(sentences)
  const messages = [{ role: 'user', content: `Note ${randomUUID()}. ${story}Write one sentence about it.` }] as const
  const say = async (): Promise<string | undefined> => {
    const heard = await speak({ messages })
    return heard.kind === 'spoken' && heard.spoken.all !== '' ? heard.spoken.all : undefined
  }
  const [cold, warm] = [await say(), await say()]
  const crowd = (await Promise.all(Array.from({ length: atOnce }, say))).filter((one) => one !== undefined)
  if (cold === undefined || warm === undefined || crowd.length === 0) return undefined
  const replies = new Set([warm, ...crowd]).size
  const unlike = [...(replies > 1 ? ['under load'] : []), ...(cold === warm ? [] : ['with a warm prefix'])]
  const prefix = `a new prompt and the same again: ${cold === warm ? 'equal' : 'different'} replies`
  const load = `${String(crowd.length)} calls with it at once: ${String(replies)} different`
  return {
    name: 'temperature 0',
    value: unlike.length === 0 ? 'same' : `same alone, different ${unlike.join(' and ')}`,
    evidence: `two equal calls, equal replies; ${prefix}; ${replies > 1 ? load : load.replace('1 different', 'the same reply')}`,
  }
}

/** How many exchanges brought no answer, and how long calls of the model took. */
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

/** What these findings mean for a run. */
export const meaningOfMeasured: Readonly<Record<string, string>> = {
  'failed calls': 'Calls that broke off, were limited or met an error of the server; a run tries them again.',
  latency: 'For short replies; --timeout must leave room for those of a run.',
}
