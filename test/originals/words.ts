import type { Random } from '../../src/core/random.js'
import { punktModel, sentencesOf } from '../../src/environments/games/sentences.js'
import { wordsOf } from '../../src/environments/games/tokens.js'
import { sharedRows } from '../shared-data.js'
import { type Original, follow } from './original.js'

/** NLTK's words and sentences, with the part of its English model that this package knows. */
export const words: Original = {
  name: 'words',
  driver: 'play_words.py',
  episodes({ random, isShort, data }) {
    const made = Array.from({ length: isShort ? 3_000 : 60_000 }, () => makeText(random))
    const recorded = data === undefined ? [] : sharedRows<{ readonly text: string }>('pddl/nltk-tokens.jsonl')
    const texts = [...made, ...recorded.map(({ text }) => text)]
    const state = (observation: string) => ({ observation, score: 0, done: false, valid: [] })
    const { collocations, ...sets } = punktModel()
    const model = {
      ...Object.fromEntries(Object.entries(sets).map(([key, set]) => [key, [...set]])),
      collocations: Object.entries(collocations).flatMap(([word, next]) => [...next].map((one) => `${word} ${one}`)),
    }
    return Array.from({ length: Math.ceil(texts.length / atOnce) }, (_, number) => ({
      id: `texts ${String(number)}`,
      begin: number === 0 ? model : {},
      ours: () => ({
        opening: state(''),
        step: (text: string) => state(JSON.stringify([sentencesOf(text), wordsOf(text)])),
      }),
      next: follow(texts.slice(number * atOnce, (number + 1) * atOnce)),
    }))
  },
}

/** Texts of an episode, which ends at the first difference. */
const atOnce = 20

const parts = [
  ..."pick up ball1 at rooma with arm left. Then move! the-hub1 b1/b2 \"b1\" 'b1' can't Cannot (a) [b] <c> a.m. Dr. U.S. 3.5 1,000 $5 50% x... -- `q` **bold** e.g. No. 7. B. Fetch it? yes. 12. July, «z» don’t …".split(
    ' ',
  ),
  ...['.', '!', '?', ',', ';', ':', "''", '``', '\n', '\t', '\u00a0', '\u3000', 'é.', 'ß', '漢字。', '🙂'],
]

/** A text of one to twelve pieces, some of them joined. */
function makeText(random: Random): string {
  const count = 1 + random.int(12)
  return Array.from({ length: count }, () => random.pick(parts) + (random.int(4) === 0 ? '' : ' ')).join('')
}
