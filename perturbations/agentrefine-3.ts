import { definePerturbation, rewordActions } from '../src/define.js'

/** AgentRefine's perturbation of word order. */
export default definePerturbation({
  name: 'agentrefine-3',
  summary: 'take {obj} from {recep} → from {recep} take {obj}',
  source: 'AgentRefine (ICLR 2025), Figure 2, panel b: the rule is shown there; that it is number 3 is reconstructed',
  environment: 'household',
  promise: 'invariant',
  touches: 'action',
  open: () => rewordActions({ 'take {obj} from {recep}': 'from {recep} take {obj}' }),
})
