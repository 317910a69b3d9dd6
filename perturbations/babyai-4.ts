import { definePerturbation, renameItems } from 'shaketable'

const item = /^(?:red|green|blue|purple|yellow|grey) (?:key|ball|box|(?:open|closed|locked) door) \d+$/
const joined = renameItems((name) => (item.test(name) ? name.replaceAll(' ', '-') : name))

/**
 * Hyphens in BabyAI's item names. What an instruction asks for (`a red ball`) has no number, is no item's name, and
 * stays.
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
