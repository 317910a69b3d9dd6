import { readForm } from '../../core/form.js'
import type { TaskKind } from './scenes/goal.js'
import { taskKinds } from './scenes/goal.js'
import type { Generation } from './text/domain.js'

/** What a goal sentence asks for, in lower-case class names. */
export interface Goal {
  readonly kind: TaskKind
  /** What is to be carried or looked at: `soapbar`. */
  readonly object: string
  /** Where it has to go; for a look task the lamp. */
  readonly place: string
}

const sentences: readonly (readonly [TaskKind, string])[] = [
  ['pick_and_place_simple', 'put a {object} in {place}'],
  ['pick_and_place_simple', 'put some {object} on {place}'],
  ['look_at_obj_in_light', 'look at {object} under the {place}'],
  ['look_at_obj_in_light', 'examine the {object} with the {place}'],
  ['pick_clean_then_place_in_recep', 'put a clean {object} in {place}'],
  ['pick_clean_then_place_in_recep', 'clean some {object} and put it in {place}'],
  ['pick_heat_then_place_in_recep', 'put a hot {object} in {place}'],
  ['pick_heat_then_place_in_recep', 'heat some {object} and put it in {place}'],
  ['pick_cool_then_place_in_recep', 'put a cool {object} in {place}'],
  ['pick_cool_then_place_in_recep', 'cool some {object} and put it in {place}'],
  ['pick_two_obj_and_place', 'put two {object} in {place}'],
  ['pick_two_obj_and_place', 'find two {object} and put them in {place}'],
]

/**
 * Reads one of the twelve goal sentences of ALFWorld's data, with or without its full stop; undefined for any other
 * sentence.
 */
export function readGoal(sentence: string): Goal | undefined {
  const text = sentence.endsWith('.') ? sentence.slice(0, -1) : sentence
  for (const [kind, template] of sentences) {
    const filling = readForm(template, text, isClassName)
    if (filling !== undefined) return { kind, object: filling.object!, place: filling.place! }
  }
  return undefined
}

/**
 * What the name of a task's folder says: `pick_two_obj_and_place-KeyChain-None-Safe-219`. Undefined where it is not of
 * this form.
 */
export function goalOfFolder(id: string): Goal | undefined {
  const [kind, object, , place] = (id.split('/')[1] ?? '').split('-')
  const known = taskKinds.find((name) => name === kind)
  if (known === undefined || object === undefined || place === undefined) return undefined
  const goal = { kind: known, object: object.toLowerCase(), place: place.toLowerCase() }
  return isClassName(goal.object) && isClassName(goal.place) ? goal : undefined
}

/**
 * Whether a text is a class name such as `soapbar`: lower-case letters only, so that it is safe in a pattern or a path.
 */
function isClassName(text: string): boolean {
  return /^[a-z]{1,40}$/.test(text)
}

/**
 * AgentBoard's sub-goals of a task, as patterns to be searched for in what is observed: the thing was seen, it was
 * picked up, and by the kind of task one thing more. AgentBoard has them written out per task; all of them follow these
 * templates. Its last pattern for two objects (`You put the … in/on the …`) can never match what the new generation
 * says, so there it looks for that generation's words. Safe as patterns, since a goal is read only where its class
 * names are letters alone.
 */
export function subGoals({ kind, object, place }: Goal, generation: Generation): readonly RegExp[] {
  const third: Partial<Record<Goal['kind'], string>> = {
    look_at_obj_in_light: `^(?=.* you see)(?=.*a ${place})`,
    pick_clean_then_place_in_recep: `You clean the ${object} \\d+`,
    pick_heat_then_place_in_recep: `You heat the ${object} \\d+ using the`,
    pick_cool_then_place_in_recep: `You cool the ${object} \\d+ using the`,
    pick_two_obj_and_place:
      generation === 'old'
        ? `You put the ${object} \\d+ in/on the ${place} \\d+`
        : `You move the ${object} \\d+ to the ${place} \\d+`,
  }
  const patterns = [`^(?=.* you see)(?=.*a ${object} \\d+)`, `You pick up the ${object} \\d+`]
  if (third[kind] !== undefined) patterns.push(third[kind])
  return patterns.map((pattern) => new RegExp(pattern))
}
