import { definePerturbation, renameItems } from 'shaketable'

const hyphened = renameItems((name) => (/^[a-z]+(?:-[a-z]+)*\d+$/.test(name) ? name.replace(/(?=\d+$)/, '-') : name))

/** A hyphen before the number of an object. The name remains one word for the games' tokeniser. */
export default definePerturbation({
  name: 'pddl-4',
  summary: 'PDDL games: item names with a hyphen: ball1 → ball-1, the-hub2 → the-hub-2; names without a number stay',
  source: "this testbed, after AgentRefine's perturbation 4: item names spelled in another way",
  environment: 'pddl',
  counterpartOf: 'agentrefine-4',
  promise: 'invariant',
  open: () => hyphened,
})
