import { definePerturbation, renameItems } from '../src/define.js'

const joined = (name: string): string => name.replace(/ (?=\d+$)/, '')
const allJoined = renameItems(joined)

/**
 * AgentRefine's perturbation of item names. Intensity is the share of the episode's items that lose their space, drawn
 * by chance.
 */
export default definePerturbation({
  name: 'agentrefine-4',
  summary: 'item names without the space: sofa 1 → sofa1',
  source:
    "AgentRefine (ICLR 2025), perturbation 4: as its authors describe it in the paper's public review (sofa 1 -> sofa1)",
  environment: 'household',
  promise: 'invariant',
  touches: 'observation',
  graded: true,
  open({ names, briefing, random, intensity }) {
    if (intensity === 1) return allJoined
    const items = [...new Set([...names, ...briefing.examples.flatMap((example) => example.names)])]
    const chosen = new Set(random.shuffle(items).slice(0, Math.round(intensity * items.length)))
    return renameItems((name) => (chosen.has(name) ? joined(name) : name))
  },
})
