import { definePerturbation } from '../src/define.js'

/**
 * Nothing is changed. A draw is played with random numbers of its own, so that the worst of several draws of a family
 * can be compared with the worst of equally many clean repeats.
 */
export default definePerturbation({
  name: 'clean-repeats',
  summary: 'nothing changes: as many clean repeats as a family has draws, for its worst draw to be compared with',
  source: 'a control of this testbed',
  promise: 'identity',
  draws: Infinity,
  open: () => ({}),
})
