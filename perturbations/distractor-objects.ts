import { definePerturbation } from '../src/define.js'

/**
 * Further objects that can be seen and used, but that the goal does not mean. Intensity is their number for each object
 * that the task has. Task and draw alone decide which there are and where: they are the same for every model and seed.
 */
export default definePerturbation({
  name: 'distractor-objects',
  summary: 'the task is regenerated with further objects that the goal does not mean',
  source: 'this testbed, after the goal-irrelevant details of arXiv 2601.18217',
  promise: 'harder',
  touches: 'transition',
  enlarges: true,
  graded: true,
  draws: Infinity,
  open: () => ({}),
})
