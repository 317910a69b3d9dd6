import { definePerturbation, rewordActions } from '../src/define.js'

/**
 * ALFWorld's own change of wording, which agents trained before it have not seen; and the reverse of it.
 */
export default definePerturbation({
  name: 'alfworld-2024',
  summary: 'put {obj} in/on {recep} → move {obj} to {recep}, or the other way about where an environment says move',
  source: 'ALFWorld commit 1fa7e68 (2024-11-25), which replaced put … in/on by move … to',
  environment: 'household',
  promise: 'invariant',
  touches: 'action',
  open: () =>
    rewordActions({
      'put {obj} in/on {recep}': 'move {obj} to {recep}',
      'move {obj} to {recep}': 'put {obj} in/on {recep}',
    }),
})
