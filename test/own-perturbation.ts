import { type Perturbation, definePerturbation } from '../src/index.js'

/** A perturbation that only a test has. */
export function ownPerturbation(
  name: string,
  open: Perturbation['open'],
  promise: Perturbation['promise'] = 'invariant',
): Perturbation {
  return definePerturbation({ name, summary: name, source: 'a test', promise, open })
}
