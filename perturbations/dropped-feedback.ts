import { definePerturbation } from '../src/define.js'
import { createSchedule } from './_schedule.js'

/**
 * Answers that do not come, or come later. Actions take effect all the same. Intensity is the share of answers; the end
 * of an episode is always shown.
 */
export default definePerturbation({
  name: 'dropped-feedback',
  summary: 'answers are replaced by "...", or come one to three turns later; the actions take effect',
  source: 'this testbed, after the incomplete observations of AgentNoiseBench (arXiv 2602.11348)',
  promise: 'harder',
  touches: 'observation',
  graded: true,
  draws: Infinity,
  options: { delay: ['never', '1', '2', '3'] },
  open({ random, intensity, draw, options }) {
    const isDropped = createSchedule(random.fork(`draw ${String(draw)}`), {
      share: intensity / 2,
      burst: 1,
      max: Infinity,
    })
    const delay = Number(options['delay'])
    return {
      recovery: 'continue',
      act: (_, { turn }) =>
        isDropped(turn) ? { fails: 'after', answer: '...', ...(delay > 0 && { delay }) } : undefined,
    }
  },
})
