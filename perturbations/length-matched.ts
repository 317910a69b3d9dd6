import type { Briefing } from '../src/define.js'
import { createRandom, definePerturbation, textOf } from '../src/define.js'
import { neutralSentences } from './_neutral.js'

/**
 * As many characters of neutral sentences as another column adds: `length-matched:of=synonyms/draw=2`. What that column
 * adds to the briefing follows the instruction, and what it adds to an observation follows that. Only whole sentences
 * are added; what is left of the length is added later, so that the sums differ by less than a sentence.
 */
export default definePerturbation({
  name: 'length-matched',
  summary: 'as many characters of neutral sentences as another column adds: length-matched:of=synonyms/draw=2',
  source: 'a control of this testbed',
  promise: 'invariant',
  touches: 'observation',
  draws: Infinity,
  takesColumn: 'distractor-text',
  open({ briefing, other, draw }) {
    if (other === undefined) throw new Error("expected the column to match, as in 'length-matched:of=synonyms/draw=2'")
    const sentences = createRandom(`length-matched/${String(draw)}`).shuffle(neutralSentences)
    let next = 0
    let missing = 0
    const fill = (length: number): string => {
      missing += length
      let added = ''
      for (;;) {
        const sentence = ` ${sentences[next % sentences.length]!}`
        if (sentence.length > missing) return added
        added += sentence
        missing -= sentence.length
        next++
      }
    }
    return {
      brief() {
        const added = fill(lengthOf(other.briefing) - lengthOf(briefing))
        return added === '' ? {} : { instruction: [...briefing.instruction, `${added.trimStart()}\n`] }
      },
      view(view, { turn }) {
        const shown = turn === 0 ? other.opening : other.show(view)
        const added = fill(textOf(shown).length - textOf(view.pieces).length)
        return added === '' ? view.pieces : [...view.pieces, added]
      },
    }
  },
})

function lengthOf({ system, instruction, examples, goal, help }: Briefing): number {
  const shown = examples.flatMap(({ opening, exchanges }) => [
    textOf(opening),
    ...exchanges.flatMap(({ action, observation }) => [action, textOf(observation)]),
  ])
  return [system, textOf(instruction), goal, ...help, ...shown].reduce((sum, text) => sum + text.length, 0)
}
