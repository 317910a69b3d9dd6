import { definePerturbation, rewordActions } from 'shaketable'

/** Another word order for BabyAI's actions through doors. */
export default definePerturbation({
  name: 'babyai-3',
  summary:
    'BabyAI: go through {door} → through {door} go, and toggle and go through {door} → through {door} toggle and go',
  source: "this testbed, after AgentRefine's perturbation 3: the same tokens in another order",
  environment: 'babyai',
  counterpartOf: 'agentrefine-3',
  promise: 'invariant',
  open: () =>
    rewordActions({
      'go through {door}': 'through {door} go',
      'toggle and go through {door}': 'through {door} toggle and go',
    }),
})
