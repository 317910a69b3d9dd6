import { definePerturbation, textOf } from 'shaketable'
import { neutralSentences } from './_neutral.js'

/**
 * Sentences that have nothing to do with the task, after each observation. Intensity 1 adds as many characters as the
 * observation has.
 */
export default definePerturbation({
  name: 'distractor-text',
  summary: 'sentences that have nothing to do with the task after each observation',
  source: 'this testbed, after the redundant tool outputs of AgentNoiseBench (arXiv 2602.11348)',
  promise: 'invariant',
  graded: true,
  draws: Infinity,
  open: ({ intensity, draw }) => ({
    view({ pieces }, { random }) {
      const length = Math.round(intensity * textOf(pieces).length)
      const sentences = random.fork(String(draw)).shuffle(neutralSentences)
      let added = ''
      for (let next = 0; added.length < length; next++) added += ` ${sentences[next % sentences.length]!}`
      return added === '' ? pieces : [...pieces, added]
    },
  }),
})
