import { fromFailure, sentence } from '../quirk.js'
import type { Probed, Quirk } from '../quirk.js'

/** OpenAI takes 4, vLLM and llama.cpp any number; more than 16 no agent has. */
const counts = [16, 4, 1]

/** How many stop strings are taken, and whether the text ends where they say. */
export const stop: Quirk = {
  name: 'stop strings',
  async find(probed) {
    const letter = commonLetter(probed.words.first.text)
    for (const count of counts) {
      const heard = await probed.speak({ extra: { stop: stops(count, letter) } })
      if (heard.kind === 'spoken') {
        const evidence = enforced(heard.spoken.text, letter)
        // A stop string in the reasoning would end the reply before there is one.
        return { value: count, evidence, ...(probed.found('reasoning') === 'none' && { traits: { stop: count } }) }
      }
      const found = fromFailure(heard, /\bstop\b|stop_sequences/i, { value: 0, traits: { stop: 0 } })
      if (found.value === 'unknown' || count === 1) return found
    }
    throw new Error('the last count always returns')
  },
  means: (value) =>
    value === 0
      ? 'No stop string is sent; replies are cut on this side.'
      : sentence(
          {
            unknown: 'It could not be told: up to four are sent; all are enforced on this side too.',
            '1': 'One stop string is sent; the others are enforced on this side.',
            '4': 'Up to four stop strings are sent; all are enforced on this side too.',
            '16': 'All stop strings are sent; all are enforced on this side too.',
          },
          value,
        ),
}

function stops(count: number, letter: string | undefined): string[] {
  const others = Array.from({ length: count }, (_, index) => `[stop ${String(index + 1)}]`)
  return letter === undefined ? others : [letter, ...others].slice(0, count)
}

function enforced(text: string, letter: string | undefined): string {
  if (letter === undefined) return 'taken; whether they are enforced could not be seen'
  return text.includes(letter)
    ? `taken, but the text goes on after '${letter}'`
    : `taken, and the text ends before '${letter}'`
}

/** The letter that a reply has most of: a stop at which the next reply must end. */
export function commonLetter(text: Probed['words']['first']['text']): string | undefined {
  const counts = new Map<string, number>()
  for (const [letter] of text.matchAll(/[a-z]/g)) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0]
}
