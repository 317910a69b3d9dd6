import { type Lens, type Scene, createRandom, definePerturbation } from '../src/define.js'
import { isExplained } from './_glossary.js'
import { type KindLens, kindsOf, renameKinds } from './_kinds.js'
import { createPseudoWords } from './_pseudo-words.js'

/**
 * Words that mean nothing in place of the kinds of item. `glossary` says which of them the prompt explains: all of the
 * episode, those that the goal names, or none.
 */
export default definePerturbation({
  name: 'item-pseudo-words',
  summary: 'words that mean nothing in place of kinds of item: sofa 1 → drofel 1, in goals and observations too',
  source: "this testbed, after clembench's AdventureGame (arXiv 2502.11733)",
  promise: 'harder',
  touches: 'observation',
  graded: true,
  draws: Infinity,
  options: { glossary: ['full', 'goal', 'none'] },
  open(scene) {
    const kinds = kindsOf(scene)
    const word = createPseudoWords(createRandom(`item-pseudo-words/${String(scene.draw)}`), new Set(kinds))
    const words = new Map(kinds.map((kind) => [kind, word()]))
    const lens = renameKinds('item-pseudo-words', scene, kinds, (kind) => words.get(kind)!)
    return explainKinds(scene, lens, kinds)
  },
})

/** Adds `drofel: sofa` for each renamed kind of the glossary to the instruction. */
function explainKinds(scene: Scene, lens: KindLens, kinds: readonly string[]): Lens {
  const renamed = kinds.flatMap((kind) => {
    const name = lens.name(`${kind} 1`).replace(/ 1$/, '')
    return name !== kind && isExplained(scene, kind) ? [`${name}: ${kind}`] : []
  })
  if (renamed.length === 0) return lens
  const glossary = `\nWhat the words for things mean: ${renamed.join(', ')}.\n`
  return {
    ...lens,
    brief: (briefing) => ({ instruction: [...briefing.instruction, glossary] }),
    text: (pieces) => pieces.flatMap((piece) => (piece === glossary ? [piece] : lens.text!([piece]))),
  }
}
