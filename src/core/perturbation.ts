import type { Briefing, EnvironmentCard, Example, World } from './environment.js'
import type { Random } from './random.js'
import type { Part, Text } from './text.js'

/**
 * The effect of a perturbation on one episode. Every hook is optional; a missing hook changes nothing.
 *
 * Hooks are synchronous. They return a new value and never modify their arguments. All hooks see the wording of the
 * world below the lens. What a hook of a plug-in throws or returns is checked where the plug-in is loaded, with an
 * error that names the file and the hook.
 *
 * Order within a lens, from the environment to the agent: `wrap`, `act`, `commands`, then `brief` for the briefing,
 * then `text`, then `form` and `name`. So each also rewords what the ones before it add. In a stack of lenses, the
 * first of the list is nearest the environment, and all of its hooks run before those of the next lens. Actions pass
 * through the lenses in the opposite direction.
 *
 * `form` and `name` describe one direction only. perturb() derives the translation of actions back to the environment,
 * the refusal of the old wording, and the check for collisions. Both must be pure.
 *
 * The scope of an {@link AppliedPerturbation} limits which parts of the text the hooks reach.
 */
export interface Lens {
  /**
   * Templates of the action forms that the lens is made for. Where the environment lists all of its forms, opening the
   * lens fails if one of these is not among them.
   */
  readonly rules?: readonly string[]
  /** Rewords an action form, with the same slots: `go to {recep}` → `move to {recep}`. */
  form?(template: string): string
  /** Respells an item name: `sofa 1` → `sofa1`. */
  name?(name: string): string
  /**
   * Replaces a text that the agent reads: the goal, a part of the briefing, or a whole turn, the opening included. A
   * text has quoted commands, lists and forms beside its prose; see `mapProse`.
   */
  text?(pieces: Text, at: TextPlace): string | Text
  /**
   * Replaces parts of the briefing; parts that are absent from the result stay as they are. Scope: `examples` for the
   * examples, `instruction` for all others.
   */
  brief?(briefing: Briefing, moment: Moment): Partial<BriefingText>
  /**
   * Replaces a list of commands wherever one is shown; `[]` hides it. Hidden commands are still understood. Scope:
   * `admissible` for lists in observations, otherwise the part of the text that shows the list.
   */
  commands?(list: readonly string[], moment: Moment): readonly string[]
  /**
   * The changes that `commands` may make to a list; reordering is always allowed. Default: `reorder`.
   * - `reorder`: nothing else.
   * - `hide`: leave commands out.
   * - `add`: add commands. An added command is refused as not understood, whatever it is.
   */
  readonly lists?: 'reorder' | 'hide' | 'add'
  /**
   * Makes an action fail, or withholds its observation; undefined lets it pass. Applies to any scope. Whether an action
   * fails may depend on the moment only, so that all models meet the same failures; the text shown instead may also
   * depend on the action.
   */
  act?(action: string, moment: Moment): Failure | undefined
  /**
   * A promise of `act`, which `shaketable validate` checks where the environment has a planner. An agent that follows
   * it still solves every task within the default step limit. Absent: no promise.
   * - `retry`: it repeats each action that failed before it took effect.
   * - `continue`: it goes on as if the action had taken effect, as it has.
   */
  readonly recovery?: 'retry' | 'continue'
  /**
   * Replaces the world below the lens, for changes that no other hook can make, such as of the step limit or of the
   * layout of the prompt; `withDose` counts them. The laws check only what is visible from outside.
   */
  wrap?(world: World): World
}

/** The time of a hook call, and its randomness. */
export interface Moment {
  /** Number of the turn: 0 for the opening and the briefing, 1 for the first action and its observation. */
  readonly turn: number
  /**
   * Determined by seed, perturbation, hook and turn alone. Each call within a turn gets the same stream from its
   * beginning, and draws elsewhere do not affect it.
   */
  readonly random: Random
}

/** The parts of a briefing that `brief` may replace. Action forms are reworded by `form` instead. */
export type BriefingText = Pick<Briefing, 'system' | 'instruction' | 'examples' | 'help'>

/**
 * What the hook `text` rewrites: the goal; the system text, the instruction or the meaning of a form; the opening or an
 * observation of a worked example; or a turn of the episode. `goal` belongs to the scope `instruction`.
 */
export type TextPart = 'goal' | Exclude<Part, 'admissible'>

/** Where a text stands, for the hook `text`. Each turn is passed in once. */
export interface TextPlace extends Moment {
  readonly part: TextPart
  /** Of a turn: the action before it, in the wording below the lens. Absent for the opening. */
  readonly action?: string
  /**
   * Whether the environment understood the action. Undefined for the opening, and where the environment does not report
   * it.
   */
  readonly understood: boolean | undefined
  /** Whether a perturbation refused the action, for example because it was in the old wording. */
  readonly refused: boolean
  /** The first list of commands in the text, as `commands` returned it; absent if there is none. */
  readonly commands?: readonly string[]
}

/**
 * How an action fails. The last turn of an episode is always shown, together with all observations that were still
 * delayed.
 */
export interface Failure<Answer = string | Text> {
  /** `before`: the action does not reach the environment. `after`: it takes effect, but its observation is withheld. */
  readonly fails: 'before' | 'after'
  /** The text that the agent sees instead of the observation. */
  readonly answer: Answer
  /** Whether the step counts towards the step limit. Default: true. */
  readonly charged?: boolean
  /**
   * Only with `after`: number of turns, at least 1, after which the withheld observation is shown, in front of that
   * turn's own. Absent: it is never shown.
   */
  readonly delay?: number
}

/** The input of a perturbation when it opens its lens for an episode. */
export interface Scene {
  readonly briefing: Briefing
  /** Every item name of the episode, in the wording below the lens. */
  readonly names: readonly string[]
  /**
   * Determined by the episode's seed and the perturbation's name alone. The only randomness that a perturbation may
   * use.
   */
  readonly random: Random
  /** Dose from 0 to 1, for a graded perturbation. Default: 1. */
  readonly intensity: number
  /** Which of the perturbation's wordings is used, from 1. Default: 1. */
  readonly draw: number
  /** The value of every option that the perturbation declares. */
  readonly options: Readonly<Record<string, string>>
  /** Absent if the world was made without an environment. */
  readonly environment?: EnvironmentCard
  /** See {@link World.knowsVerb}. Absent where the environment does not tell. */
  knowsVerb?(word: string): boolean
  /** See {@link World.otherExamples}. Absent where the environment has none. */
  otherExamples?(): readonly Example[]
  /** A world as it is under the condition that the option `of` names, for a perturbation that takes one. */
  throughOther?(world: World): World
}

/**
 * Parts of the decision process: what an agent reads, what it can say, what an action does, what is to be done, and
 * which actions are listed.
 */
export const touched = ['observation', 'action', 'transition', 'goal', 'list'] as const
/** One of {@link touched}. */
export type Touched = (typeof touched)[number]

/** A named, versioned change of wording or surroundings, with a promise about its effect on success. */
export interface Perturbation {
  readonly kind: 'lens'
  readonly name: string
  /** Must change whenever equal input would be worded differently. Part of every episode's key. Default: `1`. */
  readonly version: string
  /** What it changes, on one line. */
  readonly summary: string
  /** The paper, project or lab that it comes from. */
  readonly source: string
  /**
   * The expected effect on success.
   * - `invariant`: none.
   * - `identity`: none, since no text changes at all.
   * - `harder`, `easier`: success may only fall, or only rise.
   */
  readonly promise: 'invariant' | 'identity' | 'harder' | 'easier'
  /**
   * Promises with options that are not at their defaults: `{ 'number=0': 'harder' }`. The first that applies counts.
   */
  readonly promises?: Readonly<Record<string, Perturbation['promise']>>
  /** The part of the decision process that it changes, by which reports group families. Absent: it enters no group. */
  readonly touches?: Touched
  /** Whether what is said still means the same. Default: it does where the promise is `invariant` or `identity`. */
  readonly keepsMeaning?: boolean
  /**
   * It contradicts itself or the world on purpose. A condition with it is shown by itself and enters no average, worst
   * case or primary endpoint over conditions.
   */
  readonly adversarial?: true
  /** It has the environment add objects to each task; see `Environment.enlarge`. Default: no. */
  readonly enlarges?: true
  /** Whether the perturbation uses `intensity`. Default: false. */
  readonly graded: boolean
  /**
   * How many wordings `draw` chooses from; `Infinity` if each is generated from its number. A draw is the same in every
   * episode. Default: 1.
   */
  readonly draws?: number
  /** Its own options with their values, the default first. Default: none. */
  readonly options?: Readonly<Record<string, readonly string[]>>
  /**
   * The default of an option `of` with another condition, see {@link Scene.throughOther}. Absent: it has no such
   * option.
   */
  readonly takesCondition?: string
  /** Changes the layout of the prompt, so that it needs agents that take another one. Default: false. */
  readonly laysOut?: boolean
  /** Name of the only environment it is made for, such as `babyai`. Absent: it suits any environment. */
  readonly environment?: string
  /**
   * Name of the corresponding perturbation of another environment: `babyai-1` is used on BabyAI in a condition named
   * `agentrefine-1`.
   */
  readonly counterpartOf?: string
  /** Creates the lens of an episode; called once per episode, and synchronous. */
  open(scene: Scene): Lens
}

type Definition = Omit<Perturbation, 'kind' | 'version' | 'graded'> & Partial<Pick<Perturbation, 'version' | 'graded'>>

/**
 * Defines a perturbation; a file that exports one as its default is a plug-in.
 * @example
 * ```ts
 * export default definePerturbation({
 *   name: 'grab',
 *   summary: 'take {obj} from {recep} → grab {obj} in {recep}',
 *   source: 'our lab, 2026',
 *   promise: 'invariant',
 *   open: () => rewordActions({ 'take {obj} from {recep}': 'grab {obj} in {recep}' }),
 * })
 * ```
 */
export function definePerturbation(definition: Definition): Perturbation {
  return { version: '1', graded: false, ...definition, kind: 'lens' }
}

/**
 * A lens that rewords action forms: `rewordActions({ 'go to {recep}': 'move to {recep}' })`. All other forms stay.
 * Opening it fails for a form that the environment does not have.
 */
export function rewordActions(rules: Readonly<Record<string, string>>): Lens {
  const table = new Map(Object.entries(rules))
  return { rules: [...table.keys()], form: (template) => table.get(template) ?? template }
}

/** A lens that respells item names: `renameItems((name) => name.replace(/ (\d+)$/, '$1'))`. */
export function renameItems(rename: (name: string) => string): Lens {
  return { name: rename }
}

/** The values of {@link Mode}. */
export const modes = ['replace', 'alias'] as const
/**
 * What a rewording does to the old wording. `replace`: only the new wording is shown, and the old one is refused.
 * `alias`: both are listed side by side and accepted, and which one comes first is counterbalanced over episodes (after
 * the alias-based metric of PIPE, arXiv 2602.01611).
 */
export type Mode = (typeof modes)[number]

/** How a perturbation of a condition is used. Absent settings are at their defaults. */
export interface PerturbationSettings<Scope = Part> {
  /** The parts of the text that it reaches. Default: all. */
  readonly scope?: readonly Scope[]
  /** See {@link Mode}. Default: `replace`. */
  readonly mode?: Mode
  /** Whether actions in the old wording are refused. Default: true; only in mode `replace`. */
  readonly refuse?: boolean
  /** See {@link Scene.intensity}. Default: 1. */
  readonly intensity?: number
  /** See {@link Scene.draw}. Default: 1. */
  readonly draw?: number
  /** Its own options that are not at their defaults. */
  readonly options?: Readonly<Record<string, string>>
}

/** The settings of a perturbation without those that are absent. */
export function settingsOf<Scope>(perturbationSettings: PerturbationSettings<Scope>): PerturbationSettings<Scope> {
  const settings = (['scope', 'mode', 'refuse', 'intensity', 'draw', 'options'] as const).filter(
    (name) => perturbationSettings[name] !== undefined,
  )
  return Object.fromEntries(settings.map((name) => [name, perturbationSettings[name]]))
}

/** What a perturbation promises with its settings. */
export function promiseOf({ perturbation, options = {} }: AppliedPerturbation): Perturbation['promise'] {
  const { promise, promises = {} } = perturbation
  const set = Object.entries(options).map((pair) => pair.join('='))
  return Object.entries(promises).find(([option]) => set.includes(option))?.[1] ?? promise
}

/** Opens the lens of a perturbation for an episode, with its settings. */
export function openLens(
  { perturbation, intensity = 1, draw = 1, options }: AppliedPerturbation,
  scene: Omit<Scene, 'intensity' | 'draw' | 'options'>,
): Lens {
  const defaults = Object.entries(perturbation.options ?? {}).map(([name, [first]]) => [name, first!] as const)
  return perturbation.open({ ...scene, intensity, draw, options: { ...Object.fromEntries(defaults), ...options } })
}

/** A perturbation of a condition, with its settings. */
export interface AppliedPerturbation extends PerturbationSettings {
  readonly perturbation: Perturbation
  /** Names of the environments in which it is used. Absent: all. */
  readonly environments?: readonly string[]
  /** The condition that its option `of` names. */
  readonly other?: readonly AppliedPerturbation[]
  /**
   * Applies it to a world in place of applyLens(), as mode `alias` does. `place` is that of the task among those of its
   * environment plus the seed, for what is counterbalanced over episodes; absent where that is not known.
   */
  readonly apply?: (world: World, applied: AppliedPerturbation, random: Random, place?: number) => World
}

/** The perturbations that are used in an environment. */
export function usedIn<Applied extends Pick<AppliedPerturbation, 'environments'>>(
  applied: readonly Applied[],
  environment: string,
): readonly Applied[] {
  return applied.filter(({ environments }) => environments?.includes(environment) ?? true)
}
