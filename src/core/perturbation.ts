import type { Fields } from './check-fields.js'
import { checkFields } from './check-fields.js'
import type { Briefing, World } from './environment.js'
import { ShaketableError } from './errors.js'
import type { ActionForm } from './form.js'
import type { Message } from './model.js'
import type { Random } from './random.js'
import type { Part, Text } from './text.js'

export type { Part } from './text.js'
export { parts } from './text.js'

/**
 * What a perturbation does in one episode. Every hook is optional and a missing one changes nothing. Hooks answer at
 * once, give a new value instead of changing what they were given, and see the wording of the world below the lens.
 *
 * The order, from the environment to the agent. Within a lens: `wrap`, `act`, `commands`, `goal` and `brief` or `view`,
 * then `form`, `name` and `prose`, so that what another hook adds is worded too. Of several lenses the first of the
 * list is nearest the environment, and each has all of its hooks between the world below and the lens above, but for
 * `messages`, which come after everything else, again the first of the list first. An action goes the other way.
 *
 * `form` and `name` describe one way: the way back, the refusal of the old wording, and the check for collisions come
 * with perturb(). They are pure: equal input gives equal output, so that nothing is worked out twice.
 */
export interface Lens {
  /**
   * The action forms that it has rules for. One that no task of the environment has is an error when the lens is
   * opened.
   */
  readonly rules?: readonly string[]
  /** Another wording for an action form, with the same slots: `go to {recep}` to `move to {recep}`. */
  form?(template: string): string
  /** Another spelling for an item name: `sofa 1` to `sofa1`. */
  name?(name: string): string
  /** Another look for prose that the environment says; commands and forms quoted in it are not passed in. */
  prose?(text: string, part: Part): string
  /** Another wording of the goal. Scope: `instruction`. */
  goal?(goal: string, moment: Moment): string
  /** Other parts of the briefing; those that it does not give stay. Scope: `instruction`, and `examples` for those. */
  brief?(briefing: Briefing, moment: Moment): Partial<BriefingText>
  /** Another text of a turn as a whole, once a turn, the opening included. Scope: `observations`. */
  view?(view: View, moment: Moment): string | Text
  /**
   * Another list of commands, wherever one is shown; `[]` hides it. The agent can say what is hidden. Scope: that of
   * the part that shows it, of an observation `admissible`.
   */
  commands?(list: readonly string[], moment: Moment): readonly string[]
  /**
   * What `commands` may do to a list beside its order. Default: `reorder`, nothing. A command that is added with `add`
   * is refused as one that is not understood, whatever it is; with `alias` it is another wording of a command, which
   * the world below has to understand.
   */
  readonly lists?: 'reorder' | 'hide' | 'add' | 'alias'
  /**
   * Lets an action fail, or withholds its answer; undefined lets it pass. When it fails may depend on the moment alone,
   * so that all models meet the same failures; what the answer says may depend on the action as well. Whatever the
   * scope.
   */
  act?(action: string, moment: Moment): Failure | undefined
  /**
   * With `act`: whoever says a failed action again still solves every task within the usual step limit, which is
   * checked where the environment can solve its tasks. Absent: nothing is promised.
   */
  readonly recovery?: 'retry'
  /**
   * Other messages than the agent laid out, just before they are sent; its own conversation stays as it is. Messages of
   * earlier turns come again in every turn: draw for each with `scene.random.fork(content)` to change it alike again.
   * Whatever the scope.
   */
  messages?(messages: readonly Message[], sent: Sent): readonly Message[]
  /**
   * Another world in place of the one below, for what no other hook can do. Laws hold it to what they can see of it.
   */
  wrap?(world: World): World
}

/** When a hook is called. */
export interface Moment {
  /** Number of the turn: 0 for the opening and the briefing, 1 for the first action and what comes of it. */
  readonly turn: number
  /**
   * A stream that seed, perturbation, hook and turn decide, however often the hook is called and whatever others draw.
   */
  readonly random: Random
}

/** When messages are sent, and the final wording, which character noise must not touch where an agent types it. */
export interface Sent extends Moment {
  readonly names: readonly string[]
  readonly forms: readonly ActionForm[]
}

/** What a lens may change of a briefing beside the wording of its forms. */
export type BriefingText = Pick<Briefing, 'system' | 'instruction' | 'examples' | 'help'>

/** A turn as an agent is to see it. */
export interface View {
  /** The whole observation, lists of commands as they are shown. */
  readonly pieces: Text
  /** The action that led to it, in the wording below the lens. Absent at the opening. */
  readonly action?: string
  /** Whether the action was understood; undefined at the opening, and where the environment cannot tell. */
  readonly understood: boolean | undefined
  /** Whether a perturbation refused the action, as for its old wording. */
  readonly refused: boolean
  /** The first list of commands in it. */
  readonly commands?: readonly string[]
}

/** How an action fails. The end of an episode is shown whatever fails, and with it all that was still to come. */
export interface Failure<Answer = string | Text> {
  /** `before`: the environment is not asked. `after`: the action takes effect, but its answer is withheld. */
  readonly fails: 'before' | 'after'
  /** What the agent is told instead. */
  readonly answer: Answer
  /** Whether the step counts against the step limit. Default true. */
  readonly charged?: boolean
  /** With `after`: in how many turns the answer comes, in front of the answer then. Absent: it never does. */
  readonly delay?: number
}

const lensFields: Fields = {
  rules: 'strings?',
  form: 'function?',
  name: 'function?',
  prose: 'function?',
  goal: 'function?',
  brief: 'function?',
  view: 'function?',
  commands: 'function?',
  lists: 'string?',
  act: 'function?',
  recovery: 'string?',
  messages: 'function?',
  wrap: 'function?',
}

const checked = new WeakSet<Lens>()

/**
 * Checks what `open` gave.
 * @throws ShaketableError `perturbation` that names the perturbation, the field, what was expected and what came
 */
export function checkLens(name: string, lens: Lens): void {
  if (checked.has(lens)) return
  checkFields(`The lens of '${name}'`, lens, lensFields, 'perturbation')
  checkChoice(name, 'lists', lens.lists, ['reorder', 'hide', 'add', 'alias'])
  checkChoice(name, 'recovery', lens.recovery, ['retry'])
  checked.add(lens)
}

function checkChoice(name: string, field: string, got: string | undefined, choices: readonly string[]): void {
  if (got === undefined || choices.includes(got)) return
  throw new ShaketableError(
    'perturbation',
    `The lens of '${name}': '${field}' must be ${choices.map((choice) => `'${choice}'`).join(' or ')}, got '${got.slice(0, 60)}'.`,
  )
}

/** What a perturbation may look at when it opens its lens for an episode. */
export interface Scene {
  readonly briefing: Briefing
  /** Every item name of the episode. */
  readonly names: readonly string[]
  /** A stream of its own, decided by the episode's seed and the perturbation's name. */
  readonly random: Random
  /** 0 to 1, where the perturbation has a dose; 1 unless asked otherwise. */
  readonly intensity: number
}

/** A named, versioned change of wording or surroundings, with a promise. */
export interface Perturbation {
  readonly kind: 'lens'
  readonly name: string
  /** Changes whenever equal input would be worded differently. Default `1`. */
  readonly version: string
  readonly summary: string
  /** Where it comes from. */
  readonly source: string
  /**
   * `invariant`: success should not move. `identity`: nothing changes at all. `harder`, `easier`: it may only move that
   * way.
   */
  readonly promise: 'invariant' | 'identity' | 'harder' | 'easier'
  /** Whether `intensity` means something to it. */
  readonly graded: boolean
  /** The environment that it is made for, such as `babyai`; absent where it means something in any. */
  readonly environment?: string
  /**
   * The perturbation of another environment whose part it plays in its own, as `babyai-1` plays that of
   * `agentrefine-1`.
   */
  readonly counterpartOf?: string
  open(scene: Scene): Lens
}

type Definition = Omit<Perturbation, 'kind' | 'version' | 'graded'> & Partial<Pick<Perturbation, 'version' | 'graded'>>

/** Defines a perturbation; a file that exports one as its default is a plug-in. */
export function definePerturbation(definition: Definition): Perturbation {
  return { version: '1', graded: false, ...definition, kind: 'lens' }
}

const rewordings = new Map<string, Lens>()

/**
 * A lens that words action forms differently: `rewordActions({ 'go to {recep}': 'move to {recep}' })`. Forms that are
 * not named stay; naming one that the environment does not have is an error when it is opened. Equal rules give the
 * same lens again.
 */
export function rewordActions(rules: Readonly<Record<string, string>>): Lens {
  const key = JSON.stringify(rules)
  const known = rewordings.get(key)
  if (known !== undefined) return known
  const table = new Map(Object.entries(rules))
  const lens: Lens = { rules: [...table.keys()], form: (template) => table.get(template) ?? template }
  if (rewordings.size > 1000) rewordings.clear()
  rewordings.set(key, lens)
  return lens
}

/** A lens that spells item names differently: `renameItems((name) => name.replace(/ (\d+)$/, '$1'))`. */
export function renameItems(rename: (name: string) => string): Lens {
  return { name: rename }
}

/** One perturbation of a column, with the options it is used with. */
export interface AppliedPerturbation {
  readonly perturbation: Perturbation
  /** What it reaches; all parts unless asked otherwise. */
  readonly scope?: readonly Part[]
  /** Whether the old wording is refused; true unless asked otherwise. */
  readonly refuse?: boolean
  /** 0 to 1; 1 unless asked otherwise. */
  readonly intensity?: number
  /** Names of the environments in which it is used; absent where that is all. */
  readonly environments?: readonly string[]
}

/** Those of several perturbations that are used in an environment. */
export function usedIn<Applied extends Pick<AppliedPerturbation, 'environments'>>(
  applied: readonly Applied[],
  environment: string,
): readonly Applied[] {
  return applied.filter(({ environments }) => environments?.includes(environment) ?? true)
}
