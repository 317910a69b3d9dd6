import { definePerturbation, mapProse } from '../src/define.js'
import { rewordSentences } from './_sentences.js'
import { wordsOf } from './vocabulary/index.js'

/** Other words for the goal, wherever it is stated. */
export default definePerturbation({
  name: 'goal-paraphrase',
  summary: 'other words for the goal: put a clean mug in desk → wash a mug and leave it at the desk',
  source: 'this testbed, after the prompt variants of HAL (arXiv 2602.16666)',
  promise: 'invariant',
  touches: 'goal',
  draws: 5,
  open(scene) {
    const { rules, connectors } = wordsOf('goal-paraphrase', 'goals', scene)
    const { goal } = scene.briefing
    const worded = paraphrase(goal, rules, connectors ?? {}, scene.draw)
    const replaceIn = (text: string): string => (worded === goal ? text : text.replaceAll(goal, worded))
    return {
      text(pieces, { part, turn }) {
        if (part === 'goal') return worded
        return part === 'observations' && turn === 0 ? mapProse(pieces, replaceIn) : pieces
      },
    }
  },
})

/** The parts of a goal between connectors, each by its rule. Parts of which no rule is known stay. */
function paraphrase(
  goal: string,
  rules: Readonly<Record<string, readonly string[]>>,
  connectors: Readonly<Record<string, readonly string[]>>,
  draw: number,
): string {
  const match = Object.entries(connectors).find(([connector]) => goal.includes(connector))
  if (match === undefined) return rewordSentences(goal, rules, draw)
  const [connector, others] = match
  const at = goal.indexOf(connector)
  const parts = [goal.slice(0, at), goal.slice(at + connector.length)]
  return parts.map((part) => paraphrase(part, rules, connectors, draw)).join(others[(draw - 1) % others.length])
}
