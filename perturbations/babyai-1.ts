import { definePerturbation, rewordActions } from 'shaketable'

/** Another word for each step and turn of BabyAI. */
export default definePerturbation({
  name: 'babyai-1',
  summary: 'BabyAI: turn left, turn right, move forward → rotate left, rotate right, step ahead',
  source: "this testbed, after AgentRefine's perturbation 1: another token in an action's wording",
  environment: 'babyai',
  counterpartOf: 'agentrefine-1',
  promise: 'invariant',
  open: () =>
    rewordActions({
      'turn left': 'rotate left',
      'turn right': 'rotate right',
      'move forward': 'step ahead',
    }),
})
