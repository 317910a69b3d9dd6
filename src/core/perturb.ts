import type { Aliases } from './alias.js'
import type { MaybePromise } from './after.js'
import { after } from './after.js'
import { addDoses } from './dose.js'
import type { Environment, Task, Turn, World } from './environment.js'
import { NotApplicable, ShaketableError } from './errors.js'
import { createHooks } from './hooks.js'
import type { AppliedPerturbation, Lens, Scene } from './perturbation.js'
import { openLens, parts, usedIn } from './perturbation.js'
import type { Random } from './random.js'
import { createRenderer } from './render.js'
import type { Text, Wording } from './text.js'
import type { Translated, Translator } from './translate.js'
import { createTranslator } from './translate.js'
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

/**
 * An action in the perturbed wording and in the original wording of its form, with item names in the perturbed spelling
 * in both. Undefined if the two are equal, or if the unperturbed environment does not understand the action.
 */
export async function wordingsOf(
  world: World,
  action: string,
): Promise<{ readonly present: string; readonly original: string } | undefined> {
  if (!isPerturbed(world)) return undefined
  const { command } = world.toEnvironment(action)
  if (!(await world.original.understands?.(command))) return undefined
  const [present, original] = [world.fromEnvironment(command), world.fromEnvironment(command, 'items')]
  return present === original ? undefined : { present, original }
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
      const first = seed === undefined ? undefined : firstWordingOf(places.get(task.id) ?? 0, seed)
      return perturbWorld(await beginEnlarged(environment, applied, task, random), applied, random, first)
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
  const one = applied.find(({ perturbation, intensity = 1 }) => perturbation.enlarges && intensity > 0)
  if (one === undefined) return environment.begin(task, random)
  const { perturbation, intensity: share = 1, draw = 1 } = one
  if (environment.enlarge === undefined) {
    throw new NotApplicable(
      perturbation.name,
      `needs an environment that can add objects to its tasks, but '${environment.name}' cannot with these options: tasks from files stay as they are. Leave it out, or play generated tasks.`,
    )
  }
  return environment.enlarge(task, { share, seed: `${perturbation.name}/${String(draw)}` }, random)
}

/**
 * The wording that mode `alias` lists first: each in half of the tasks of a seed and, of seeds in a row, in half of the
 * seeds of a task. It is the same for every model.
 * @param place of the task among those of its environment
 */
function firstWordingOf(place: number, seed: number): Wording {
  return (place + seed) % 2 === 0 ? 'original' : 'alias'
}

/**
 * Applies perturbations to one live episode. The first of the list is nearest the environment.
 * @param first the wording that mode `alias` lists first; default: drawn from `random`
 */
export function perturbWorld(
  world: World,
  applied: readonly [AppliedPerturbation, ...AppliedPerturbation[]],
  random: Random,
  first?: Wording,
): PerturbedWorld
export function perturbWorld(
  world: World,
  applied: readonly AppliedPerturbation[],
  random: Random,
  first?: Wording,
): World
export function perturbWorld(
  world: World,
  applied: readonly AppliedPerturbation[],
  random: Random,
  first: Wording = random.fork('first wording').int(2) === 0 ? 'original' : 'alias',
): World {
  return applied.reduce((below, one) => {
    const other = one.other && usedIn(one.other, below.environment?.name ?? '')
    const throughOther = other && ((beside: World) => perturbWorld(beside, other, random, first))
    return throughLens(below, one, random.fork(one.perturbation.name), first, throughOther)
  }, world)
}

/** Applies one lens to a world; see {@link Lens} for the order of the hooks. */
function throughLens(
  below: World,
  applied: AppliedPerturbation,
  random: Random,
  first: Wording,
  throughOther: Scene['throughOther'],
): PerturbedWorld {
  const { perturbation, scope = parts, refuse = true, mode } = applied
  const { name } = perturbation
  const { environment } = below
  const lens = openLens(applied, {
    briefing: below.briefing,
    names: below.names,
    random,
    ...(environment && { environment }),
    ...(below.knowsVerb && { knowsVerb: (word: string) => below.knowsVerb!(word) }),
    ...(below.otherExamples && { otherExamples: () => below.otherExamples!() }),
    ...(throughOther && { throughOther }),
  })
  checkRules(name, lens, below.briefing)
  const reached = new Set(scope)
  const hooks = createHooks(name, lens, random, reached)
  const inner = hooks.wrap(below)
  // The hook `wrap` may return a world that is not perturbed in place of a perturbed one.
  const under = [inner, below].find(isPerturbed)
  const original = under?.original ?? below
  const briefed = hooks.brief(inner.briefing)
  const examples = briefed.examples.map((example) => example.names)
  const translator = createTranslator(lens, briefed.forms, inner.names, examples)
  const aliases = mode === 'alias' ? aliasesOf(name, lens, translator, first) : undefined
  const renderer = createRenderer(lens, hooks, translator, reached, inner.read, aliases)
  const briefing = renderer.brief(briefed)
  const opening = renderer.observation(inner.opening, { turn: 0, understood: undefined, refused: false })
  let turn = 0
  let progress = 0
  let commandsSaid = 0
  let failed = 0
  /** Delayed observations, and the turns in which they are shown. */
  let delayed: readonly { readonly answer: Text; readonly due: number }[] = []

  const translate = (action: string): Translated & Pick<Turn, 'wording'> => {
    if (aliases !== undefined) {
      const chosen = aliases.toEnvironment(action, inner.read)
      return { ...chosen, refused: hooks.isAdded(chosen.command) }
    }
    const { refused, command } = translator.toEnvironment(action, inner.read)
    return { refused: (refused && refuse) || hooks.isAdded(command), command }
  }
  const translateAll = (action: string): Translated => {
    const here = translate(action)
    const lower = under?.toEnvironment(here.command)
    return lower ? { refused: here.refused || lower.refused, command: lower.command } : here
  }
  const translateList = (commands: readonly string[]): readonly string[] =>
    commands.map((command) => translator.command(command))
  const show = (given: Turn, action: string): Turn => {
    progress = given.progress
    let { observation } = given
    if (delayed.length > 0) {
      const isDue = ({ due }: { readonly due: number }): boolean => due <= turn || given.ended !== false
      observation = [...delayed.filter(isDue).flatMap(({ answer }): Text => [...answer, '\n']), ...observation]
      delayed = delayed.filter((one) => !isDue(one))
    }
    const about = { turn, action, understood: given.understood, refused: given.command === undefined }
    return { ...given, observation: renderer.observation(observation, about) }
  }
  /** Calls `work` unless the action fails before it. */
  const send = ({ refused, command }: Translated, work: () => MaybePromise<Turn>): MaybePromise<Turn> => {
    turn++
    const failure = hooks.act?.(command, turn)
    if (failure === undefined) return after(work(), (given) => show(given, command))
    const { fails, answer, charged = true, delay } = failure
    const changes = { observation: answer, ...(!charged && { refunded: true }) }
    if (fails === 'before') {
      failed++
      under?.skip()
      const isUnderstood = inner.understands && (refused ? false : inner.understands(command))
      return after(isUnderstood, (understood) => {
        const lowest = under?.toEnvironment(command) ?? { refused: false, command }
        const reached = refused || lowest.refused ? undefined : lowest.command
        const given = { original: '', command: reached, understood, progress, ended: false, failed: fails } as const
        return show({ ...given, ...changes }, command)
      })
    }
    return after(work(), (given) => {
      if (given.ended !== false) return show(given, command)
      failed++
      if (delay !== undefined) delayed = [...delayed, { answer: given.observation, due: turn + delay }]
      return show({ ...given, ...changes, failed: given.failed ?? fails }, command)
    })
  }
  const possible = isPerturbed(inner) ? inner.possible : inner.admissible && (() => inner.admissible!())
  return {
    original,
    briefing,
    opening,
    originalOpening: inner.originalOpening,
    names: (aliases ?? translator).names,
    ...(environment && { environment }),
    ...(aliases ? { firstWording: first } : under?.firstWording && { firstWording: under.firstWording }),
    toEnvironment: translateAll,
    fromEnvironment(command, what) {
      const worded = under?.fromEnvironment(command, what) ?? command
      if (what === 'original' && aliases !== undefined) return worded
      return what === 'items' ? translator.prose(worded) : translator.command(worded, undefined, inner.read)
    },
    step(action) {
      const translated = translate(action)
      const { refused, command, wording } = translated
      return send(translated, () => {
        if (hooks.isAdded(command)) return inner.refuse(command)
        if (refused) {
          return after(original.understands?.(translateAll(action).command), (memorised) =>
            after(inner.refuse(action), (given) =>
              memorised && given.failed !== 'before' ? { ...given, memorised: true } : given,
            ),
          )
        }
        return after(inner.step(command), (given) => {
          if (given.understood && given.failed !== 'before' && command !== action) commandsSaid++
          const isExecuted = given.understood !== false && given.failed !== 'before'
          return wording !== undefined && isExecuted ? { ...given, wording } : given
        })
      })
    },
    refuse: (action) => send({ refused: true, command: action }, () => inner.refuse(action)),
    skip() {
      turn++
      under?.skip()
    },
    ...(inner.admissible && {
      admissible: () =>
        after(inner.admissible!(), (commands) => {
          const list = hooks.list(commands, turn)
          const worded = translateList(list)
          return aliases === undefined ? worded : list.flatMap((one, index) => aliases.pair(one, worded[index]!))
        }),
    }),
    ...(possible && { possible: () => after(possible(), translateList) }),
    ...(inner.understands && {
      understands(action) {
        const { refused, command } = translate(action)
        return !refused && inner.understands!(command)
      },
    }),
    ...(inner.read && { read: inner.read }),
    ...(inner.knowsVerb && { knowsVerb: (word) => inner.knowsVerb!(word) }),
    ...(inner.solve && { solve: () => after(inner.solve!(), (plan) => plan && translateList(plan)) }),
    ...(inner.otherExamples && {
      otherExamples() {
        const examples = inner.otherExamples!()
        const { commands, lists, text } = lens
        const here = { ...(commands && { commands }), ...(lists && { lists }), ...(text && { text }) }
        const hooksHere = createHooks(name, here, random, reached)
        const given = hooksHere.brief({ ...inner.briefing, examples })
        const spoken = createTranslator(
          lens,
          given.forms,
          inner.names,
          given.examples.map((example) => example.names),
        )
        const both = mode === 'alias' ? spoken.aliases(first) : undefined
        return createRenderer(lens, hooksHere, spoken, reached, inner.read, both).brief(given).examples
      },
    }),
    ...(inner.stepLimit && { stepLimit: (limit) => inner.stepLimit!(limit) }),
    ...(inner.close && { close: () => inner.close!() }),
    dose() {
      const shown = renderer.dose()
      const { characters, ...others } = hooks.dose()
      const own = { ...shown, characters: shown.characters + characters, commandsSaid, failed, ...others }
      return addDoses((inner.dose ? inner : below).dose?.(), own)
    },
  }
}

/** @throws ShaketableError `perturbation` for a lens that rewords neither actions nor names */
function aliasesOf(name: string, lens: Lens, translator: Translator, first: Wording): Aliases {
  if (lens.form !== undefined || lens.name !== undefined) return translator.aliases(first)
  throw new ShaketableError(
    'perturbation',
    `'${name}' rewords neither actions nor names of items, so mode=alias has no two wordings to list. Leave mode=alias out.`,
  )
}

/** Whether a world has perturbations applied. */
export function isPerturbed(world: World): world is PerturbedWorld {
  return 'toEnvironment' in world
}
