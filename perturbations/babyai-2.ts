import { definePerturbation, rewordActions } from 'shaketable'

/** Another verb for walking in BabyAI, the same that AgentRefine gives the household. */
export default definePerturbation({
  name: 'babyai-2',
  summary: 'BabyAI: go to {obj} → move to {obj}',
  source: "this testbed, after AgentRefine's perturbation 2: another verb for walking",
  environment: 'babyai',
  counterpartOf: 'agentrefine-2',
  promise: 'invariant',
  open: () => rewordActions({ 'go to {obj}': 'move to {obj}' }),
})
