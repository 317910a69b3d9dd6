import { type Failure, definePerturbation } from '../src/define.js'
import { createSchedule } from './_schedule.js'

const answers: Readonly<Record<string, string>> = {
  timeout: 'The request timed out. No answer was received.',
  'try-again': 'The action could not be carried out at the moment. Try again.',
  empty: 'No output.',
}

/** The probability that an action fails, at intensity 1. */
const maxProbability = 0.4

/**
 * Actions that fail for a moment: saying one again works. An action fails with a probability of 0.4 times the
 * intensity, in bursts of the given length, at most `max` times an episode.
 */
export default definePerturbation({
  name: 'action-failures',
  summary: 'actions fail for a moment, before or after they took effect; saying them again works',
  source: 'this testbed, after ReliabilityBench (arXiv 2601.06112) and ToolBench-X (arXiv 2606.25819)',
  promise: 'harder',
  touches: 'transition',
  graded: true,
  draws: Infinity,
  options: {
    fails: ['before', 'after'],
    message: Object.keys(answers),
    burst: ['1', '2', '3'],
    max: ['5', '3', '10'],
    steps: ['refunded', 'charged'],
  },
  open({ random, intensity, draw, options }) {
    const isFailing = createSchedule(random.fork(`draw ${String(draw)}`), {
      share: maxProbability * intensity,
      burst: Number(options['burst']),
      max: Number(options['max']),
    })
    const failure: Failure = {
      fails: options['fails'] === 'after' ? 'after' : 'before',
      answer: answers[options['message']!]!,
      // An action that took effect was a step, whatever its answer.
      charged: options['steps'] === 'charged' || options['fails'] === 'after',
    }
    // Where the solution of a task is nearly as long as the step limit, failures that count leave too few steps.
    const recovery = failure.charged ? {} : { recovery: 'retry' as const }
    return { ...recovery, act: (_, { turn }) => (isFailing(turn) ? failure : undefined) }
  },
})
