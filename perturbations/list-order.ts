import { definePerturbation } from '../src/define.js'

/**
 * The commands of each list in another order. Compare shuffles with shuffles too: some environments list by alphabet.
 */
export default definePerturbation({
  name: 'list-order',
  summary: 'lists of commands in another order: shuffled, reversed or by alphabet',
  source: 'this testbed, after the reordered options of RoTBench (arXiv 2401.08326)',
  promise: 'invariant',
  touches: 'list',
  draws: Infinity,
  options: { order: ['shuffled', 'reversed', 'alphabet'] },
  open({ options, draw }) {
    const order = options['order']
    return {
      commands(list, { random }) {
        if (order === 'reversed') return [...list].reverse()
        if (order === 'alphabet') return [...list].sort((one, other) => (one < other ? -1 : 1))
        return random.fork(String(draw)).shuffle(list)
      },
    }
  },
})
