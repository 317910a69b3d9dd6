import { definePerturbation, rewordActions } from '../src/define.js'

/**
 * AgentRefine's second perturbation: another verb for walking. The items distinguish it from `move {obj} to {recep}`.
 */
export default definePerturbation({
  name: 'agentrefine-2',
  summary: 'go to {recep} → move to {recep}',
  source: 'AgentRefine (ICLR 2025), perturbation 2: reconstructed; Figure 2 does not show it',
  environment: 'household',
  promise: 'invariant',
  touches: 'action',
  open: () => rewordActions({ 'go to {recep}': 'move to {recep}' }),
})
