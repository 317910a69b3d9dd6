import { ShaketableError } from '../../core/errors.js'
import { parseTemplate, printForm } from '../../core/form.js'
import type { Random } from '../../core/random.js'
import { drawActions } from './draw-actions.js'
import { drawGoals } from './draw-goals.js'
import { drawWorld } from './draw-world.js'
import type { World } from './draw-world.js'
import type { Setting } from './settings.js'
import { slotNames } from './wordings.js'

/** A script that can be played, and actions that reach its goal. */
interface ComposedScript {
  readonly script: Readonly<Record<string, unknown>>
  readonly solution: readonly string[]
}

/** Limits of the number of actions that reach the goal. */
const minSteps = 4
const maxSteps = 20
/** Nearly half of the draws are accepted, in no setting fewer than three in ten. */
const maxAttempts = 1000

/** Composes a script of a setting. Worlds with a goal that takes too many or too few steps are drawn again. */
export function composeScript(setting: Setting, random: Random): ComposedScript {
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const composed = draw(setting, random)
    const steps = composed?.solution.length ?? 0
    if (composed !== undefined && steps >= minSteps && steps <= maxSteps) return composed
  }
  throw new ShaketableError('usage', `No script of the setting '${setting.name}' has a goal within its steps.`)
}

function draw(setting: Setting, random: Random): ComposedScript | undefined {
  const world = drawWorld(setting, random)
  const actions = drawActions(world, setting.indoors, random)
  const goals = drawGoals(world, actions, random)
  if (goals === undefined) return undefined
  const rename = drawSlotNames(random)
  const available = random.shuffle([...actions.values()]).map(({ template, ...action }) => {
    const { slots, literals } = parseTemplate(template)
    return [
      rename(template),
      {
        'verification code': `^${literals.join('(.+)')}$`,
        parameters: Object.fromEntries(slots.map((slot) => [rename(`{${slot}}`).slice(1, -1), action.values[slot]!])),
        meaning: action.meaning,
        preconditions: action.preconditions.map(rename),
        effects: action.effects.map(rename),
        observation: rename(action.observation),
      },
    ] as const
  })
  const script = {
    Environment: environmentOf(world),
    Start: world.start,
    Goal: goals.text,
    'Completion Conditions': goals.conditions,
    'Available Actions': Object.fromEntries(available),
  }
  return { script, solution: goals.solution }
}

/** Draws other names for the slots of a script. */
function drawSlotNames(random: Random): (text: string) => string {
  const drawn = new Map(Object.entries(slotNames).map(([slot, names]) => [slot, random.pick(names)]))
  return (text) => printForm(text, (slot) => `{${drawn.get(slot) ?? slot}}`)
}

function environmentOf(world: World): Readonly<Record<string, unknown>> {
  const thing = (name: string): Readonly<Record<string, unknown>> => ({
    ...((world.states.get(name)?.length ?? 0) > 0 && { is: world.states.get(name) }),
    ...inside(name),
  })
  const inside = (holder: string): Readonly<Record<string, unknown>> =>
    Object.fromEntries([...world.holders].filter(([, at]) => at === holder).map(([name]) => [name, thing(name)]))
  return Object.fromEntries(world.places.map((place) => [place, inside(place)]))
}
