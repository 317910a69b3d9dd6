import { createRandom, definePerturbation, mapProse } from '../src/define.js'
import { rewordSentences } from './_sentences.js'
import { wordsOf } from './vocabulary/index.js'

/** Other sentences for what is observed, with the same facts. Intensity is the share of sentences. */
export default definePerturbation({
  name: 'observation-paraphrase',
  summary: 'other sentences for observations: On the desk 1, you see a pen 2. → The desk 1 holds a pen 2.',
  source: 'this testbed',
  promise: 'invariant',
  touches: 'observation',
  graded: true,
  draws: 5,
  open(scene) {
    const rules = wordsOf('observation-paraphrase', 'observations', scene)
    const { draw, intensity } = scene
    const random = createRandom(`observation-paraphrase/${String(draw)}`)
    const choose = (sentence: string): boolean => random.fork(sentence).next() < intensity
    return {
      text: (pieces, { part }) =>
        part === 'observations' ? mapProse(pieces, (prose) => rewordSentences(prose, rules, draw, choose)) : pieces,
    }
  },
})
