import { createRandom, definePerturbation } from '../src/define.js'
import { kindsOf, renameKinds } from './_kinds.js'
import { wordsOf } from './vocabulary/index.js'

/** Other common names for items. A draw chooses one of the names that the vocabulary has for each kind. */
export default definePerturbation({
  name: 'item-synonyms',
  summary: 'other common names for items: fridge 1 → refrigerator 1, in goals and observations too',
  source: 'this testbed',
  promise: 'invariant',
  touches: 'observation',
  graded: true,
  draws: Infinity,
  open(scene) {
    const items = wordsOf('item-synonyms', 'items', scene)
    const random = createRandom(`item-synonyms/${String(scene.draw)}/names`)
    const kinds = kindsOf(scene, items)
    const taken = new Set(kinds)
    return renameKinds('item-synonyms', scene, kinds, (kind) => {
      const free = (items[kind] ?? []).filter((name) => !taken.has(name))
      const name = free.length === 0 ? kind : random.fork(kind).pick(free)
      taken.add(name)
      return name
    })
  },
})
