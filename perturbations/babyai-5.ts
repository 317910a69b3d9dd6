import { definePerturbation, rewordActions } from 'shaketable'

/** Other verbs for picking up and dropping in BabyAI. */
export default definePerturbation({
  name: 'babyai-5',
  summary: 'BabyAI: pickup {obj} → grab {obj}, and drop → put down',
  source: "this testbed, after AgentRefine's perturbations 1 and 2: other tokens, the same meaning",
  environment: 'babyai',
  promise: 'invariant',
  open: () => rewordActions({ 'pickup {obj}': 'grab {obj}', drop: 'put down' }),
})
