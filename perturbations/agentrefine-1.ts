import { definePerturbation, rewordActions } from '../src/define.js'

/**
 * AgentRefine's first perturbation: another preposition before the tool of an action. Prompts that already say `using`
 * become correct.
 */
export default definePerturbation({
  name: 'agentrefine-1',
  summary: 'clean, heat, cool {obj} with {recep} → clean, heat, cool {obj} using {recep}',
  source: 'AgentRefine (ICLR 2025), perturbation 1: all three rules reconstructed; Figure 2 does not show them',
  environment: 'household',
  promise: 'invariant',
  touches: 'action',
  open: () =>
    rewordActions({
      'clean {obj} with {recep}': 'clean {obj} using {recep}',
      'heat {obj} with {recep}': 'heat {obj} using {recep}',
      'cool {obj} with {recep}': 'cool {obj} using {recep}',
    }),
})
