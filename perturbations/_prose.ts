import type { Lens, Random, Scene } from 'shaketable'
import { parseTemplate } from 'shaketable'

/**
 * A lens that changes a share of the words of observations. Words of item names and action forms stay, so that whatever
 * has to be typed is read as it has to be typed; numbers, lists and quoted commands stay too.
 * @param share 0 to 1, of the words that may change
 * @param change another spelling of a word of letters alone
 */
export function changeWords(
  { names, briefing }: Scene,
  share: number,
  change: (word: string, random: Random) => string,
): Lens {
  const templates = briefing.forms.flatMap(({ template }) => parseTemplate(template).literals)
  const typed = new Set([...names, ...templates].flatMap((text) => text.toLowerCase().match(/\p{L}+/gu) ?? []))
  return {
    view: ({ pieces }, { random }) =>
      share === 0
        ? pieces
        : pieces.map((piece) =>
            typeof piece !== 'string'
              ? piece
              : piece.replace(/\p{L}+/gu, (word) =>
                  typed.has(word.toLowerCase()) || random.next() >= share ? word : change(word, random),
                ),
          ),
  }
}
