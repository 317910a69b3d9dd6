import { definePerturbation, renameItems } from 'shaketable'

const item = /^(?:red|green|blue|purple|yellow|grey) (?:key|ball|box|(?:open|closed|locked) door) \d+$/
const joined = renameItems((name) => (item.test(name) ? name.replaceAll(' ', '-') : name))

/**
 * Hyphens in BabyAI's item names. The objects of a mission (`a red ball`) have no number, are not item names, and
 * stay.
 */
export default definePerturbation({
  name: 'babyai-4',
  summary: 'BabyAI: item names with hyphens: red ball 1 → red-ball-1',
  source: "this testbed, after AgentRefine's perturbation 4: item names without spaces",
  environment: 'babyai',
  counterpartOf: 'agentrefine-4',
  promise: 'invariant',
  open: () => joined,
})
