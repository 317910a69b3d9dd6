import type { MaybePromise } from './after.js'
import type { Dose } from './dose.js'
import type { ActionForm, Filling } from './form.js'
import type { Random } from './random.js'
import type { Text } from './text.js'

export type { Dose, DoseCount } from './dose.js'

/** One row of a benchmark. `data` is whatever its environment needs to set it up. */
export interface Task {
  readonly id: string
  /** What is to be done, as the environment words it. */
  readonly goal: string
  /**
   * A family of tasks within the environment, such as `pick_heat_then_place_in_recep`; it selects the worked example.
   */
  readonly kind?: string
  /** As the benchmark labels it; absent where that is not known. */
  readonly difficulty?: 'easy' | 'hard'
  /** Hash of everything the task is made of: two tasks with one id and different hashes cannot be compared. */
  readonly hash: string
  readonly data?: unknown
}

/**
 * Where the tasks of an environment come from, and its prompt, for people: what decides an episode stands in settings
 * and hashes.
 */
export interface TaskSource {
  /** `generated`: made by shaketable. `benchmark`: the published benchmark's own. `files`: anybody's. */
  readonly kind: 'generated' | 'benchmark' | 'files'
  /** Whose benchmark, such as `ALFWorld`. */
  readonly from?: string
  readonly split?: string
  /** Name of the prompt file without its folder; absent where the words are shaketable's own. */
  readonly promptFile?: string
  /** Tasks that are left out since their files are damaged; `text` says in sentences which and why. */
  readonly leftOut?: { readonly count: number; readonly of: number; readonly text: string }
}

/** A named family of tasks. The object is shared between episodes and holds no state of any of them. */
export interface Environment {
  readonly name: string
  /** Changes whenever the same actions would get different answers. */
  readonly version: string
  /**
   * For captions, in words without a full stop: what progress and success count, and by whose rules. Not part of any
   * key.
   */
  readonly measure?: string
  readonly summary: string
  readonly source: string
  /** In the order in which the benchmark plays them. */
  readonly tasks: readonly Task[]
  /** Settings that decide what an episode looks like, as plain JSON; part of every episode's key. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Not part of any key. */
  readonly data?: TaskSource | undefined
  /**
   * The benchmark's own tidying of an agent's action, such as a full stop cut off. Applied once, in the agent's
   * wording, before any perturbation; what it returns is what the history shows.
   */
  normalise?(action: string): string
  /** Sets up one episode. */
  begin(task: Task, random: Random): MaybePromise<World>
}

/**
 * One live episode. Authors of environments write a WorldDefinition; see defineEnvironment(). What the environment
 * cannot tell is absent, and whatever needs it does without.
 */
export interface World {
  readonly briefing: Briefing
  /** What the agent sees before its first move. */
  readonly opening: Text
  /** The opening in the environment's own wording, whatever perturbations lie between. */
  readonly originalOpening: string
  /** Every item name of this episode, seen yet or not: `drawer 1`, `drawer 10`. */
  readonly names: readonly string[]
  step(action: string): MaybePromise<Turn>
  /** Answers as to an action that the environment does not understand; it costs a step and changes nothing. */
  refuse(action: string): MaybePromise<Turn>
  /** The actions accepted now, in the wording of this world, in the environment's order. */
  admissible?(): MaybePromise<readonly string[]>
  /** Whether an action in this world's wording would be understood now. */
  understands?(action: string): MaybePromise<boolean>
  /**
   * Reads an action as loosely as the environment reads its own wording (in whatever letters, with words in between,
   * …), but by the templates and item names that are given: of which template it is, and which names stand in its
   * slots. Absent where only the exact wording counts. It lets perturbations tolerate as much as the unperturbed
   * environment does, and refuse the old wording however loosely it is said. Templates stand in the order of the
   * briefing's forms; names in that of the world's, behind which more may come that only examples have. With `ever` it
   * reads what could be said at some time, even where an environment passes over what cannot be done now.
   */
  read?(action: string, templates: readonly string[], names: readonly string[], ever?: boolean): ReadAction | undefined
  /**
   * A solution from here, in this world's wording; undefined where there is none. Absent where an environment has no
   * planner.
   */
  solve?(): MaybePromise<readonly string[] | undefined>
  /** How much perturbations have changed so far; absent on an unperturbed world. */
  dose?(): Dose
  /** Ends the episode where it lives elsewhere, in a process or on a server; whoever began it calls this once. */
  close?(): MaybePromise<void>
}

/** What an action was read as. */
export interface ReadAction {
  readonly template: string
  readonly filling: Filling
}

/** What comes back from a step. */
export interface Turn {
  /** In the agent's wording. */
  readonly observation: Text
  /** In the environment's own wording, whatever perturbations lie between. */
  readonly original: string
  /** The environment's wording of the action; undefined where a perturbation refused it. */
  readonly command: string | undefined
  /**
   * Whether the environment understood the action (AgentBoard's grounding accuracy counts these); undefined where it
   * cannot tell.
   */
  readonly understood: boolean | undefined
  /** The action was refused for its wording, and the unperturbed environment would have understood it. */
  readonly memorised?: boolean
  /**
   * A perturbation let the action fail: before it reached the environment, which then is as it was, or after it took
   * effect, so that only the answer is missing.
   */
  readonly failed?: 'before' | 'after'
  /** The step does not count against the step limit. */
  readonly refunded?: boolean
  /** Share of the task that is done, 0 to 1. Never falls. It is recorded as it stands; a success does not make it 1. */
  readonly progress: number
  /** How the world ended the episode, or false while it goes on. Limits are not the world's business. */
  readonly ended: false | 'success' | 'failure'
}

/** Everything an agent is told before its first move, as data. */
export interface Briefing {
  readonly system: string
  /** Prose, with the advertised action forms quoted in it as `{ form }` pieces. */
  readonly instruction: Text
  /** Every kind of action the environment understands, advertised or not. */
  readonly forms: readonly ActionForm[]
  /**
   * Templates of all other tasks and settings of the environment too, so that a rule for none of them is found out.
   * Absent where not all are known.
   */
  readonly knownForms?: readonly string[]
  readonly examples: readonly Example[]
  /** What is to be done. */
  readonly goal: string
  /** Commands that help when an action is not understood, such as `check valid actions`. */
  readonly help: readonly string[]
  /**
   * What the agent noted after earlier trials at the task, oldest first, in its own words; no environment gives any.
   */
  readonly memory?: readonly Note[]
}

/** A reflection on a trial that failed. */
export interface Note {
  /** Number of the trial, from 1. */
  readonly trial: number
  /** On one line. */
  readonly text: string
}

/** A worked example: what was seen first, then what was done and what came of it. */
export interface Example {
  /** Goal and first observation. */
  readonly opening: Text
  readonly exchanges: readonly { readonly action: string; readonly observation: Text }[]
  /** The item names that occur in it. */
  readonly names: readonly string[]
  /** What stands behind its last line where it is laid out; a line break unless it is given. */
  readonly ending?: string
}
