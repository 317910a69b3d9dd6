import type { MaybePromise } from './after.js'
import type { Dose } from './dose.js'
import type { ActionForm, Filling } from './form.js'
import type { Random } from './random.js'
import { type Text, type Wording, textOf } from './text.js'

/** One row of a benchmark. `data` is whatever its environment needs to set it up. */
export interface Task {
  readonly id: string
  /** The goal in the environment's wording. */
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

/** The origin of tasks and prompt, for captions; settings and hashes decide an episode. */
export interface TaskSource {
  /** `generated`: made by shaketable. `benchmark`: the published benchmark's own. `files`: any other files. */
  readonly kind: 'generated' | 'benchmark' | 'files'
  /** Whose benchmark, such as `ALFWorld`. */
  readonly from?: string
  readonly split?: string
  /** Name of the prompt file without its folder; absent where the words are shaketable's own. */
  readonly promptFile?: string
  /** Tasks that are left out since their files are damaged; `text` names them and the reasons in sentences. */
  readonly leftOut?: { readonly count: number; readonly of: number; readonly text: string }
}

/** What a perturbation may know of an environment beyond an episode. */
export interface EnvironmentCard {
  readonly name: string
  /** Its words as data, a Vocabulary. Absent where its author gives none; those that ship are in `perturbations/`. */
  readonly vocabulary?: object
}

/** How a task gets further objects; equal values give the same world for every model and episode seed. */
export interface Enlargement {
  /** Number of objects to add for each that can be counted, above 0 to 1. */
  readonly share: number
  /** Which objects are added and where: `distractor-objects/1`, to be joined with the task. */
  readonly seed: string
}

/** A named family of tasks. The object is shared between episodes and has no state of any of them. */
export interface Environment {
  readonly name: string
  /** Changes whenever the same actions would get different answers. */
  readonly version: string
  /**
   * For captions, without a full stop: what progress and success measure, and by whose rules. Not part of any key.
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
   * The benchmark's own normalisation of an agent's action, such as removing a full stop. Applied once, in the agent's
   * wording, before any perturbation; the history shows its result.
   */
  normalise?(action: string): string
  /** Sets up one episode. */
  begin(task: Task, random: Random): MaybePromise<World>
  /**
   * Sets up one episode of a task with further objects that are there to be seen and used, but that the goal does not
   * mean. The task can still be solved. The world's dose counts them. Absent where tasks cannot be regenerated.
   */
  enlarge?(task: Task, enlargement: Enlargement, random: Random): MaybePromise<World>
}

/**
 * One live episode. Authors of environments write a WorldDefinition; see defineEnvironment(). Members that the
 * environment does not know are absent.
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
  /**
   * Whether a word begins actions of the environment, listed or not, so that no perturbation may use it as a new one.
   */
  knowsVerb?(word: string): boolean
  /** Whether an action in this world's wording would be understood now. */
  understands?(action: string): MaybePromise<boolean>
  /**
   * Reads an action as tolerantly as the environment reads its own wording (case, extra words, …), but by the given
   * templates and item names: its template, and the names in its slots. Absent where only the exact wording counts.
   * With it perturbations tolerate as much as the unperturbed environment does, and refuse every form of the old
   * wording. Templates are in the order of the briefing's forms; names in that of the world's, followed by names of
   * examples. With `ever` it also reads actions that are possible at another time only.
   */
  read?(action: string, templates: readonly string[], names: readonly string[], ever?: boolean): ReadAction | undefined
  /**
   * A solution from here, in this world's wording; undefined where there is none. Absent where an environment has no
   * planner.
   */
  solve?(): MaybePromise<readonly string[] | undefined>
  /** Worked examples of other families of tasks, in this world's wording. Absent where there are none. */
  otherExamples?(): readonly Example[]
  /** The step limit of its episodes, from that of the run. Absent: that of the run holds. */
  stepLimit?(limit: number): number
  /** Which environment it is of; absent where that is not known. */
  readonly environment?: EnvironmentCard
  /** How much perturbations have changed so far; absent on a world as the task has it. */
  dose?(): Dose
  /** Ends an episode in another process or on a server; whoever began it calls this once. */
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
  /** In mode `alias`: which wording an action used that took effect, where the two differ. */
  readonly wording?: Wording | 'mixed'
  /**
   * A perturbation let the action fail: before it reached the environment, which then is as it was, or after it took
   * effect, so that only the answer is missing.
   */
  readonly failed?: 'before' | 'after'
  /** The step does not count against the step limit. */
  readonly refunded?: boolean
  /** Share of the task that is done, 0 to 1. Never falls. It is recorded as it stands; a success does not make it 1. */
  readonly progress: number
  /** How the world ended the episode, or false while it goes on. Limits are applied elsewhere. */
  readonly ended: false | 'success' | 'failure'
}

/** Everything that an agent gets before its first action, as data. */
export interface Briefing {
  readonly system: string
  /** Prose, with the advertised action forms quoted in it as `{ form }` pieces. */
  readonly instruction: Text
  /** Every kind of action the environment understands, advertised or not. */
  readonly forms: readonly ActionForm[]
  /**
   * Templates of all tasks and settings of the environment, so that a rule for none of them is an error. Absent where
   * not all are known.
   */
  readonly knownForms?: readonly string[]
  readonly examples: readonly Example[]
  /** What is to be done. */
  readonly goal: string
  /** Commands that help when an action is not understood, such as `check valid actions`. */
  readonly help: readonly string[]
  /**
   * The agent's notes after earlier trials at the task, oldest first; no environment gives any.
   */
  readonly memory?: readonly Note[]
  /** Labels and order of the parts of the prompt. Absent: the agent's own; no environment gives any. */
  readonly layout?: Layout
}

/** The parts of a prompt. A conversation in several messages has the first observation alone for its history. */
export const promptParts = ['instruction', 'examples', 'goal', 'help', 'history'] as const
/** A part of a prompt; the instruction lists the actions. */
export type PromptPart = (typeof promptParts)[number]

/** How a prompt is laid out. What is absent stays as the agent has it. */
export interface Layout {
  readonly labels?: LayoutLabels
  /** Every part once. */
  readonly order?: readonly PromptPart[]
}

/** The labels of a prompt: the word of each, and how the words are marked up. */
export interface LayoutLabels {
  readonly thought: string
  readonly action: string
  readonly observation: string
  readonly goal: string
  readonly examples: string
  /** `Action: x`, `**Action:** x`, `[Action] x` or `<Action>x</Action>`. */
  readonly markup: 'colon' | 'bold' | 'brackets' | 'tags'
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

/** The texts of a worked example, in order. */
export function exampleTexts({ opening, exchanges }: Example): readonly string[] {
  return [textOf(opening), ...exchanges.flatMap(({ action, observation }) => [action, textOf(observation)])]
}
