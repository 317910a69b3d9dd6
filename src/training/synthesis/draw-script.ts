import type { Random } from '../../core/random.js'
import { composeScript } from './compose-script.js'
import type { Setting } from './settings.js'
import { settings, withNumbers } from './settings.js'

const numberedShare = 0.5

/**
 * Draws a playable script without a model: a world that suits a persona by the words of its sentence, or any if none
 * suits. In about half of the worlds names have numbers. Every script can be solved in 4 to 20 steps. Equal personas
 * and streams give equal scripts.
 */
export function drawScript(persona: string, random: Random): unknown {
  const setting = random.pick(settingsFor(persona))
  return composeScript(random.next() < numberedShare ? withNumbers(setting, random) : setting, random).script
}

/** The settings with the most words in a persona, in singular or plural; all if none has one. */
export function settingsFor(persona: string): readonly Setting[] {
  const text = ` ${(persona.toLowerCase().match(/[a-z]+/g) ?? []).join(' ')} `
  const scores = settings().map(({ words }) => words.filter((word) => occurs(word, text)).length)
  const best = Math.max(...scores)
  return settings().filter((_, index) => scores[index] === best)
}

function occurs(word: string, text: string): boolean {
  return [word, `${word}s`, `${word}es`].some((form) => text.includes(` ${form} `))
}
