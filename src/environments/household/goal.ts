import { readForm } from '../../core/form.js'
import { type Goal, goalsOfKind } from './scenes/goal.js'
import { taskKinds } from './scenes/rooms.js'
import type { Generation } from './text/domain.js'

/**
 * Reads one of the twelve goal sentences of ALFWorld's data, with or without its full stop; undefined for any other
 * sentence. Class names are in lower case: `soapbar`.
 */
export function readGoal(sentence: string): Goal | undefined {
  const text = sentence.endsWith('.') ? sentence.slice(0, -1) : sentence
  for (const kind of taskKinds) {
    for (const template of goalsOfKind[kind].sentences) {
      const filling = readForm(template, text, isClassName)
      if (filling !== undefined) return { kind, object: filling.object!, target: filling.target! }
    }
  }
  return undefined
}

/** Reads the goal from a task's folder, `pick_two_obj_and_place-KeyChain-None-Safe-219`; undefined for other names. */
export function goalOfFolder(id: string): Goal | undefined {
  const [kind, object, , target] = (id.split('/')[1] ?? '').split('-')
  const known = taskKinds.find((name) => name === kind)
  if (known === undefined || object === undefined || target === undefined) return undefined
  const goal = { kind: known, object: object.toLowerCase(), target: target.toLowerCase() }
  return isClassName(goal.object) && isClassName(goal.target) ? goal : undefined
}

/** Whether a text is a class name such as `soapbar`: only lower-case letters, so it is safe in a pattern or a path. */
function isClassName(text: string): boolean {
  return /^[a-z]{1,40}$/.test(text)
}

/**
 * AgentBoard's sub-goals of a task, as patterns to search for in observations: the object was seen, it was picked up,
 * and for most kinds of task a third. AgentBoard lists them per task; all of them follow these templates. Its last
 * pattern for two objects (`You put the … in/on the …`) never matches the new generation, for which it is translated.
 * Class names of a goal are only letters, so they need no escaping.
 */
export function subGoals({ kind, object, target }: Goal, generation: Generation): readonly RegExp[] {
  const third: Partial<Record<Goal['kind'], string>> = {
    look_at_obj_in_light: `^(?=.* you see)(?=.*a ${target})`,
    pick_clean_then_place_in_recep: `You clean the ${object} \\d+`,
    pick_heat_then_place_in_recep: `You heat the ${object} \\d+ using the`,
    pick_cool_then_place_in_recep: `You cool the ${object} \\d+ using the`,
    pick_two_obj_and_place:
      generation === 'old'
        ? `You put the ${object} \\d+ in/on the ${target} \\d+`
        : `You move the ${object} \\d+ to the ${target} \\d+`,
  }
  const patterns = [`^(?=.* you see)(?=.*a ${object} \\d+)`, `You pick up the ${object} \\d+`]
  if (third[kind] !== undefined) patterns.push(third[kind])
  return patterns.map((pattern) => new RegExp(pattern))
}
