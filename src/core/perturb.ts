import { after } from './after.js'
import type { Dose, Environment, Turn, World } from './environment.js'
import { addLeaks } from './leaks.js'
import { createEye } from './eye.js'
import type { AppliedPerturbation } from './perturbation.js'
import { parts } from './perturbation.js'
import type { Random } from './random.js'
import type { Translated } from './translate.js'
import { createTranslator } from './translate.js'
import { checkRules } from './wording.js'

/** A live episode seen through at least one perturbation. */
export interface PerturbedWorld extends World {
  /** The world below all perturbations. */
  readonly original: World
  /** What the unperturbed environment is told for an action, and whether some perturbation refuses it instead. */
  toEnvironment(action: string): Translated
  /** A command of the unperturbed environment in this world's wording, or with its items alone in this world's spelling. */
  fromEnvironment(command: string, itemsAlone?: boolean): string
}

/**
 * The same action in the present wording and in the original wording of its form, items spelt as they are now in both.
 * Undefined where they do not differ, and for what the unperturbed environment would not understand now or cannot tell.
 */
export async function wordingsOf(
  world: World,
  action: string,
): Promise<{ readonly present: string; readonly original: string } | undefined> {
  if (!isPerturbed(world)) return undefined
  const { command } = world.toEnvironment(action)
  if (!(await world.original.understands?.(command))) return undefined
  const [present, original] = [world.fromEnvironment(command), world.fromEnvironment(command, true)]
  return present === original ? undefined : { present, original }
}

/** An environment seen through perturbations. The first of the list is nearest the environment. */
export function perturb(environment: Environment, applied: readonly AppliedPerturbation[]): Environment {
  if (applied.length === 0) return environment
  return {
    ...environment,
    async begin(task, random) {
      return perturbWorld(await environment.begin(task, random), applied, random)
    },
  }
}

/** One live episode seen through perturbations. The first of the list is nearest the environment. */
export function perturbWorld(
  world: World,
  applied: readonly [AppliedPerturbation, ...AppliedPerturbation[]],
  random: Random,
): PerturbedWorld
export function perturbWorld(world: World, applied: readonly AppliedPerturbation[], random: Random): World
export function perturbWorld(world: World, applied: readonly AppliedPerturbation[], random: Random): World {
  return applied.reduce((inner, one) => wearLens(inner, one, random.fork(one.perturbation.name)), world)
}

function wearLens(inner: World, applied: AppliedPerturbation, random: Random): PerturbedWorld {
  const { perturbation, scope = parts, refuse = true, intensity = 1 } = applied
  const { briefing } = inner
  const original = isPerturbed(inner) ? inner.original : inner
  const lens = perturbation.open({ briefing, names: inner.names, random, intensity })
  checkRules(perturbation.name, lens, briefing)
  const examples = briefing.examples.map((example) => example.names)
  const translator = createTranslator(lens, briefing.forms, inner.names, examples)
  const eye = createEye(lens, translator, new Set(scope), inner.read)
  let commandsSaid = 0

  const translate = (action: string): Translated => {
    const { refused, command } = translator.toEnvironment(action, inner.read)
    return { refused: refused && refuse, command }
  }
  const translateAll = (action: string): Translated => {
    const here = translate(action)
    if (!isPerturbed(inner)) return here
    const further = inner.toEnvironment(here.command)
    return { refused: here.refused || further.refused, command: further.command }
  }
  const translateList = (commands: readonly string[]): readonly string[] =>
    commands.map((command) => translator.command(command))
  const see = (turn: Turn): Turn => ({ ...turn, observation: eye.show(turn.observation, 'observations') })
  return {
    original,
    briefing: eye.brief(briefing),
    opening: eye.show(inner.opening, 'observations'),
    originalOpening: inner.originalOpening,
    names: translator.names,
    toEnvironment: translateAll,
    fromEnvironment(command, itemsAlone = false) {
      const below = isPerturbed(inner) ? inner.fromEnvironment(command, itemsAlone) : command
      return itemsAlone ? translator.prose(below) : translator.command(below, undefined, inner.read)
    },
    step(action) {
      const { refused, command } = translate(action)
      if (refused) {
        return after(original.understands?.(translateAll(action).command), (memorised) =>
          after(inner.refuse(action), (turn) => see(memorised ? { ...turn, memorised } : turn)),
        )
      }
      return after(inner.step(command), (turn) => {
        if (turn.understood && command !== action) commandsSaid++
        return see(turn)
      })
    },
    refuse: (action) => after(inner.refuse(action), see),
    ...(inner.admissible && { admissible: () => after(inner.admissible!(), translateList) }),
    ...(inner.understands && {
      understands(action) {
        const { refused, command } = translate(action)
        return !refused && inner.understands!(command)
      },
    }),
    ...(inner.read && { read: inner.read }),
    ...(inner.solve && { solve: () => after(inner.solve!(), (plan) => plan && translateList(plan)) }),
    ...(inner.close && { close: () => inner.close!() }),
    dose: () => addDoses(inner.dose?.(), { ...eye.dose(), commandsSaid }),
  }
}

/** Whether a world is seen through a perturbation. */
export function isPerturbed(world: World): world is PerturbedWorld {
  return 'toEnvironment' in world
}

function addDoses(a: Dose | undefined, b: Dose): Dose {
  if (a === undefined) return b
  return {
    forms: a.forms + b.forms,
    commandsSaid: a.commandsSaid + b.commandsSaid,
    commandsSeen: a.commandsSeen + b.commandsSeen,
    names: a.names + b.names,
    characters: a.characters + b.characters,
    leaks: a.leaks + b.leaks,
    ...addLeaks(a.leaked, b.leaked),
  }
}
