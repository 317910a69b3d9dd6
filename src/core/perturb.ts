import { type MaybePromise, after } from './after.js'
import { addDoses } from './dose.js'
import type { Briefing, Environment, Task, Turn, World } from './environment.js'
import { NotApplicable, ShaketableError } from './errors.js'
import { type Hooks, createHooks } from './hooks.js'
import { type AppliedPerturbation, type Lens, type Scene, openLens, usedIn } from './perturbation.js'
import { type Wording, parts } from './text.js'
import type { Random } from './random.js'
import { createRenderer } from './render.js'
import { type Translated, createTranslator } from './translate.js'
import { createTurns } from './turns.js'
import { checkRules } from './wording.js'

/** A live episode seen through one or more perturbations. */
export interface PerturbedWorld extends World {
  /** The world below all perturbations. */
  readonly original: World
  /**
   * Translates an action to the unperturbed environment's wording through all perturbations. `refused` if any of them
   * refuses it.
   */
  toEnvironment(action: string): Translated
  /**
   * Rewords a command of the unperturbed environment for this world. `what`: its form and its item names (the default),
   * its `items` alone, or all but what a lens in mode `alias` changes, its `original` wording.
   */
  fromEnvironment(command: string, what?: 'items' | 'original'): string
  /** The actions accepted now, in the environment's order, including hidden ones. */
  possible?(): MaybePromise<readonly string[]>
  /** Counts a turn whose action failed in a lens above, so that all lenses number turns alike. */
  skip(): void
  /** In mode `alias`: the wording that is listed first in the episode. */
  readonly firstWording?: Wording
}

/** An environment whose episodes are told their seed, for what is counterbalanced over episodes. */
export interface PerturbedEnvironment extends Environment {
  begin(task: Task, random: Random, seed?: number): MaybePromise<World>
}

/** Applies perturbations to an environment. The first of the list is nearest the environment. */
export function perturb(environment: Environment, applied: readonly AppliedPerturbation[]): PerturbedEnvironment {
  if (applied.length === 0) return environment
  let places: ReadonlyMap<string, number> | undefined
  return {
    ...environment,
    async begin(task, random, seed) {
      places ??= new Map(environment.tasks.map(({ id }, place) => [id, place]))
      const place = seed === undefined ? undefined : (places.get(task.id) ?? 0) + seed
      return perturbWorld(await beginEnlarged(environment, applied, task, random), applied, random, place)
    },
  }
}

/** Begins an episode with further objects if one of the perturbations adds any, and as the task has it otherwise. */
export function beginEnlarged(
  environment: Environment,
  applied: readonly AppliedPerturbation[],
  task: Task,
  random: Random,
): MaybePromise<World> {
  const appliedPerturbation = applied.find(({ perturbation, intensity = 1 }) => perturbation.enlarges && intensity > 0)
  if (appliedPerturbation === undefined) return environment.begin(task, random)
  const { perturbation, intensity: share = 1, draw = 1 } = appliedPerturbation
  if (environment.enlarge === undefined) {
    throw new NotApplicable(
      perturbation.name,
      `needs an environment that can add objects to its tasks, but '${environment.name}' cannot with these options. Leave it out, or play generated games of the household, or BabyAI.`,
    )
  }
  return environment.enlarge(task, { share, seed: `${perturbation.name}/${String(draw)}` }, random)
}

/**
 * Applies perturbations to one live episode. The first of the list is nearest the environment.
 * @param place of the task among those of its environment plus the seed, see {@link AppliedPerturbation.apply}
 */
export function perturbWorld<const Applied extends readonly AppliedPerturbation[]>(
  world: World,
  applied: Applied,
  random: Random,
  place?: number,
): Applied extends readonly [unknown, ...unknown[]] ? PerturbedWorld : World {
  const seen = applied.reduce<World>((below, perturbation) => {
    const other = perturbation.other && usedIn(perturbation.other, below.environment?.name ?? '')
    const throughOther = other && ((beside: World) => perturbWorld(beside, other, random, place))
    const stream = random.fork(perturbation.perturbation.name)
    return perturbation.apply === undefined
      ? applyLens(below, perturbation, stream, throughOther)
      : perturbation.apply(below, perturbation, stream, place)
  }, world)
  return seen as ReturnType<typeof perturbWorld<Applied>>
}

/** Applies one lens to a world; see {@link Lens} for the order of the hooks. */
export function applyLens(
  world: World,
  applied: AppliedPerturbation,
  random: Random,
  throughOther?: Scene['throughOther'],
): PerturbedWorld {
  const { perturbation, scope = parts, refuse = true } = applied
  const { name } = perturbation
  if (applied.mode === 'alias') {
    throw new ShaketableError(
      'usage',
      `'${name}' is in mode alias without the function that shows both wordings. Give apply: applyAliases beside it, or leave mode out.`,
    )
  }
  const { briefing, names, environment } = world
  const lens = openLens(applied, {
    briefing,
    names,
    random,
    ...(environment && { environment }),
    ...(world.knowsVerb && { knowsVerb: (word: string) => world.knowsVerb!(word) }),
    ...(world.otherExamples && { otherExamples: () => world.otherExamples!() }),
    ...(throughOther && { throughOther }),
  })
  checkRules(name, lens, briefing)
  const reached = new Set(scope)
  const hooks = createHooks(name, lens, random, reached)
  const wrapped = hooks.wrap(world)
  // The hook `wrap` may return a world that is not perturbed in place of a perturbed one.
  const lower = [wrapped, world].find(isPerturbed)
  const original = lower?.original ?? world

  /** Words a briefing for the agent, with what translates and renders by it. */
  const wordBriefing = (hooks: Hooks, briefing: Briefing) => {
    const changed = hooks.brief(briefing)
    const examples = changed.examples.map((example) => example.names)
    const translator = createTranslator(lens, changed.forms, wrapped.names, examples)
    const renderer = createRenderer(lens, hooks, translator, reached, wrapped.read)
    return { translator, renderer, briefing: renderer.brief(changed) }
  }
  const worded = wordBriefing(hooks, wrapped.briefing)
  const { translator, renderer } = worded
  const opening = renderer.observation(wrapped.opening, { turn: 0, understood: undefined, refused: false })
  const understands = wrapped.understands && ((action: string) => wrapped.understands!(action))
  const turns = createTurns(hooks.act, understands, lower, renderer.observation)
  let commandsSaid = 0

  const translate = (action: string): Translated => {
    const { refused, command } = translator.toEnvironment(action, wrapped.read)
    return { refused: (refused && refuse) || hooks.isAdded(command), command }
  }
  const toEnvironment = (action: string): Translated => {
    const here = translate(action)
    const below = lower?.toEnvironment(here.command)
    return below ? { refused: here.refused || below.refused, command: below.command } : here
  }
  const wordList = (commands: readonly string[]): readonly string[] =>
    commands.map((command) => translator.command(command))
  /** The turn of an action in the old wording. */
  const refuseOld = (action: string): MaybePromise<Turn> =>
    after(original.understands?.(toEnvironment(action).command), (memorised) =>
      after(wrapped.refuse(action), (turn) =>
        memorised && turn.failed !== 'before' ? { ...turn, memorised: true } : turn,
      ),
    )
  const take = (action: string, command: string): MaybePromise<Turn> =>
    after(wrapped.step(command), (turn) => {
      if (turn.understood && turn.failed !== 'before' && command !== action) commandsSaid++
      return turn
    })
  const possible = isPerturbed(wrapped) ? wrapped.possible : wrapped.admissible && (() => wrapped.admissible!())
  return {
    ...wrapped,
    original,
    briefing: worded.briefing,
    opening,
    names: translator.names,
    ...(lower?.firstWording && { firstWording: lower.firstWording }),
    toEnvironment,
    fromEnvironment(command, what) {
      const below = lower?.fromEnvironment(command, what) ?? command
      return what === 'items' ? translator.prose(below) : translator.command(below, undefined, wrapped.read)
    },
    step(action) {
      const translated = translate(action)
      return turns.play(translated, () => {
        if (hooks.isAdded(translated.command)) return wrapped.refuse(translated.command)
        return translated.refused ? refuseOld(action) : take(action, translated.command)
      })
    },
    refuse: (action) => turns.play({ refused: true, command: action }, () => wrapped.refuse(action)),
    skip: () => turns.skip(),
    ...(wrapped.admissible && {
      admissible: () => after(wrapped.admissible!(), (commands) => wordList(hooks.list(commands, turns.number))),
    }),
    ...(possible && { possible: () => after(possible(), wordList) }),
    ...(understands && {
      understands(action) {
        const { refused, command } = translate(action)
        return !refused && understands(command)
      },
    }),
    ...(wrapped.solve && { solve: () => after(wrapped.solve!(), (plan) => plan && wordList(plan)) }),
    ...(wrapped.otherExamples && {
      otherExamples() {
        // The examples are worded like the episode's own, which `brief` may leave out.
        const { commands, lists, text } = lens
        const others: Lens = { ...(commands && { commands }), ...(lists && { lists }), ...(text && { text }) }
        const briefing = { ...wrapped.briefing, examples: wrapped.otherExamples!() }
        return wordBriefing(createHooks(name, others, random, reached), briefing).briefing.examples
      },
    }),
    dose() {
      const shown = renderer.dose()
      const { characters, ...others } = hooks.dose()
      const { failed } = turns
      const counts = { ...shown, characters: shown.characters + characters, commandsSaid, failed, ...others }
      return addDoses((wrapped.dose ? wrapped : world).dose?.(), counts)
    },
  }
}

/** Whether a world has perturbations applied. */
export function isPerturbed(world: World): world is PerturbedWorld {
  return 'toEnvironment' in world
}
