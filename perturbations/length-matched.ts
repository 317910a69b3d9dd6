import type { Briefing, Text, TextPlace, Turn, World } from '../src/define.js'
import { createRandom, definePerturbation, isPerturbed, textOf } from '../src/define.js'
import { neutralSentences } from './_neutral.js'

/**
 * As many characters of neutral sentences as another condition adds: `length-matched:of=synonyms/draw=2`. What that
 * condition adds to the briefing follows the instruction, and what it adds to an observation follows that. Only whole
 * sentences are added; what is left of the length is added later, so that the sums differ by less than a sentence.
 */
export default definePerturbation({
  name: 'length-matched',
  summary: 'as many characters of neutral sentences as another condition adds: length-matched:of=synonyms/draw=2',
  source: 'a control of this testbed',
  promise: 'invariant',
  touches: 'observation',
  draws: Infinity,
  takesCondition: 'distractor-text',
  open({ briefing, throughOther, draw }) {
    if (throughOther === undefined) {
      throw new Error("expected the condition to match, as in 'length-matched:of=synonyms/draw=2'")
    }
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
    let other: OtherCondition
    return {
      wrap(world) {
        other = showOther(world, throughOther)
        return world
      },
      brief() {
        const added = fill(lengthOf(other.briefing) - lengthOf(briefing))
        return added === '' ? {} : { instruction: [...briefing.instruction, `${added.trimStart()}\n`] }
      },
      text(pieces, at) {
        if (at.part !== 'observations') return pieces
        const shown = at.turn === 0 ? other.opening : other.show(pieces, at)
        const added = fill(textOf(shown).length - textOf(pieces).length)
        return added === '' ? pieces : [...pieces, added]
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

/** What an agent would read under another condition. */
interface OtherCondition extends Pick<World, 'briefing' | 'opening'> {
  /** A turn as the other condition shows it; called once a turn, in order. */
  show(pieces: Text, at: TextPlace): Text
}

/** Puts a world that only repeats given turns under the other condition; the world itself is not touched. */
function showOther(world: World, throughOther: (world: World) => World): OtherCondition {
  let repeated: Turn
  const { briefing, opening, originalOpening, names, environment, read } = world
  const seen = throughOther({
    briefing,
    opening,
    originalOpening,
    names,
    ...(environment && { environment }),
    ...(read && { read }),
    ...(world.knowsVerb && { knowsVerb: (word) => world.knowsVerb!(word) }),
    ...(world.otherExamples && { otherExamples: () => world.otherExamples!() }),
    step: () => repeated,
    refuse: () => repeated,
  })
  return {
    briefing: seen.briefing,
    opening: seen.opening,
    show(pieces, { action = '', understood, refused }) {
      repeated = { observation: pieces, original: '', command: action, understood, progress: 0, ended: false }
      const worded = isPerturbed(seen) ? seen.fromEnvironment(action) : action
      const turn = refused ? seen.refuse(worded) : seen.step(worded)
      return turn instanceof Promise ? pieces : turn.observation
    },
  }
}
