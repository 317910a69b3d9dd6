import { type Lens, type Random, type Scene, mapProse, parseTemplate } from '../src/define.js'

/**
 * A lens that changes a share of the words of observations. Words of item names and action forms stay, so that whatever
 * has to be typed is read as it has to be typed; numbers, lists and quoted commands stay too.
 * @param share 0 to 1, of the words that may change
 * @param change another spelling of a word of letters alone
 */
export function changeWords(
  { names, briefing, draw }: Scene,
  share: number,
  change: (word: string, random: Random) => string,
): Lens {
  const templates = briefing.forms.flatMap(({ template }) => parseTemplate(template).literals)
  const typed = new Set([...names, ...templates].flatMap((text) => text.toLowerCase().match(/\p{L}+/gu) ?? []))
  return {
    text(pieces, at) {
      if (share === 0 || at.part !== 'observations') return pieces
      const random = draw === 1 ? at.random : at.random.fork(String(draw))
      return mapProse(pieces, (prose) =>
        prose.replace(/\p{L}+/gu, (word) =>
          typed.has(word.toLowerCase()) || (share < 1 && random.next() >= share) ? word : change(word, random),
        ),
      )
    },
  }
}
