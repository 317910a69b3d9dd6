import { definePerturbation, textOf } from 'shaketable'

/** Sentences that are true of no task and ask for nothing. */
const neutral = [
  'Outside, a light rain has begun.',
  'A clock ticks somewhere.',
  'The air smells faintly of coffee.',
  'A car drives past in the distance.',
  'It is a quiet afternoon.',
  'A bird sings for a moment and stops.',
  'The floor creaks a little.',
  'Sunlight moves slowly across the wall.',
  'A door bangs in another building.',
  'Someone laughs far away.',
]

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
      const sentences = random.fork(String(draw)).shuffle(neutral)
      let added = ''
      for (let next = 0; added.length < length; next++) added += ` ${sentences[next % sentences.length]!}`
      return added === '' ? pieces : [...pieces, added]
    },
  }),
})
