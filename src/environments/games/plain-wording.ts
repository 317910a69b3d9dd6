import type { ActionSchema } from '../pddl/domain.js'
import type { ActionWording } from './wording.js'

/** An action said by its name and its arguments: `pick-up {ball} {room}`. */
export function plainAction({ name, parameters }: ActionSchema): ActionWording {
  const slots = slotNames(parameters.map((parameter) => parameter.name))
  return {
    template: [name, ...slots.map((slot) => `{${slot}}`)].join(' '),
    ending: '',
    verb: name,
    parameters: [...slots.keys()],
    meaning:
      parameters.length === 0
        ? ''
        : parameters.map(({ types }, index) => `${slots[index]!}: ${types.join(' or ')}`).join(', '),
  }
}

/** Names for slots, made of the letters and digits in the names of parameters, each once. */
export function slotNames(parameters: readonly string[]): readonly string[] {
  const taken = new Set<string>()
  return parameters.map((parameter) => {
    const name = parameter.replace(/\W+/g, '') || 'item'
    let free = name
    for (let number = 2; taken.has(free); number++) free = `${name}${String(number)}`
    taken.add(free)
    return free
  })
}
