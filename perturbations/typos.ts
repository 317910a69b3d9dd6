import { type Random, definePerturbation } from '../src/define.js'
import { changeWords } from './_prose.js'

/** The most characters that a typo is made in, of a hundred that are read. */
const maxShare = 0.5

/** Typing mistakes in observations: one in each of a share of the words, half of them at intensity 1. */
export default definePerturbation({
  name: 'typos',
  summary: 'typing mistakes in observations; item names and actions stay as they have to be typed',
  source: 'this testbed, after the naturalistic variants of prompts in HAL (arXiv 2602.16666)',
  promise: 'harder',
  touches: 'observation',
  keepsMeaning: true,
  graded: true,
  draws: Infinity,
  open: (scene) =>
    changeWords(scene, maxShare * scene.intensity, (word, random) => (word.length < 4 ? word : mistype(word, random))),
})

/** A letter left out, doubled, or exchanged with the next; never the first one. */
function mistype(word: string, random: Random): string {
  const at = 1 + random.int(word.length - 2)
  const [before, letter, next, after] = [word.slice(0, at), word[at]!, word[at + 1]!, word.slice(at + 2)]
  const mistakes = [before + next + after, before + letter + letter + next + after, before + next + letter + after]
  return random.pick(mistakes)
}
