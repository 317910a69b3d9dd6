import { createRandom, definePerturbation } from '../src/define.js'

/**
 * Other worked examples: fewer or more of them, in another order, of other families of tasks. Those of other families
 * come behind the task's own with `of=same`, as far as they are needed for the number, and take their place with
 * `of=other`. An additional example of the task's own family would show the plan, so there are none.
 */
export default definePerturbation({
  name: 'examples',
  summary: 'other worked examples: their number, their order, and of another family of tasks',
  source: 'this testbed, after the few-shot studies behind AgentBoard and PIPE (arXiv 2602.01611)',
  promise: 'invariant',
  touches: 'observation',
  promises: { 'number=0': 'harder', 'number=1': 'harder' },
  draws: 3,
  options: {
    of: ['other', 'same'],
    number: ['as-is', '0', '1', '2', '3'],
    order: ['as-is', 'reversed', 'shuffled'],
  },
  open({ briefing: { examples }, otherExamples, draw, options }) {
    const number = options['number'] === 'as-is' ? examples.length : Number(options['number'])
    const random = createRandom(`examples/${String(draw)}`)
    const all = number === 0 ? [] : (otherExamples?.() ?? [])
    const first = (draw - 1) % Math.max(1, all.length)
    const others = [...all.slice(first), ...all.slice(0, first)]
    const ownExamples = options['of'] === 'same' || others.length === 0 ? examples : []
    const list = [...ownExamples, ...others].slice(0, number)
    const { order } = options
    const shown = order === 'reversed' ? list.reverse() : order === 'shuffled' ? random.shuffle(list) : list
    return { brief: () => ({ examples: shown }) }
  },
})
