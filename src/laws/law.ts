import { checkFields } from '../define/check-fields.js'
import { isChanged as isDosed } from '../core/dose.js'
import { type Environment, type Task, type World, exampleTexts } from '../core/environment.js'
import { canonicalJson } from '../core/episode.js'
import { ShaketableError, messageOf } from '../core/errors.js'
import { type AppliedPerturbation, type Lens, type Perturbation, promiseOf } from '../core/perturbation.js'
import { type Random, createRandom } from '../core/random.js'
import { textOf } from '../core/text.js'

/** The subject of a law: one task under the perturbations of a condition. */
export interface Subject {
  readonly environment: Environment
  readonly task: Task
  /** In order, nearest the environment first; at least one. */
  readonly applied: readonly AppliedPerturbation[]
  readonly seed: string
}

/** Result of checking a law on a subject. */
export interface Finding {
  readonly law: string
  /**
   * `unchanged`: it holds, but nothing was changed here, so this is no evidence. `unchecked`: the law does not apply to
   * this subject, for the reason in `detail`.
   */
  readonly outcome: 'holds' | 'fails' | 'unchanged' | 'unchecked'
  /** A sentence, if a law fails or is not checked. */
  readonly detail?: string
  readonly evidence?: Evidence
}

/** The place where a law fails, for replaying it; or a text before and after a change, for a person to judge. */
export interface Evidence {
  /** The agent's earlier actions, in its own wording. */
  readonly before: readonly string[]
  /** Its next action, in its own wording. */
  readonly action?: string
  readonly expected: string
  readonly got: string
}

/** A law that perturbations must keep. */
export interface Law {
  readonly kind: 'law'
  readonly name: string
  /** The law, in a sentence. */
  readonly summary: string
  /** It applies to lenses with this hook only. */
  readonly hook?: keyof Lens
  /** Whether it applies to the perturbations of a condition. */
  applies(applied: readonly AppliedPerturbation[]): boolean
  /** @param watched the subject with a record of its lenses, where the caller shares one between laws */
  check(subject: Subject, watched?: WatchedSubject): Promise<Finding>
}

/** Result of a law's check: it holds, it does not apply, or it is broken. */
export type Verdict =
  | { readonly changed: boolean }
  | { readonly unchecked: string; readonly evidence?: Evidence }
  | { readonly broken: string; readonly evidence?: Evidence }

/** All promises: whatever a lens promises, renamed actions can still be said and still solve the task. */
const everyPromise: readonly Perturbation['promise'][] = ['invariant', 'identity', 'harder', 'easier']

/** Definition of a law. */
export interface LawDefinition extends Pick<Law, 'name' | 'summary' | 'hook'> {
  /** The promises that include this law. Default: all. */
  readonly promises?: readonly Perturbation['promise'][]
  /** Whether it applies to these perturbations, which all have such a promise. Default: true. */
  applies?(applied: readonly AppliedPerturbation[]): boolean
  /** @param lenses that the perturbations of the subject opened last, in order; empty ones before that */
  check(subject: Subject, lenses: readonly Lens[]): Verdict | Promise<Verdict>
}

const definitionFields = {
  name: 'string',
  summary: 'string',
  kind: 'string?',
  promises: 'strings?',
  hook: 'string?',
  applies: 'function?',
  check: 'function',
} as const

/**
 * Defines a law; a file that exports one is a plug-in. An error of a lens during the check breaks the law; an error of
 * the environment is rethrown.
 * @throws ShaketableError `usage` for a field that is unknown or not of its type
 */
export function defineLaw(law: LawDefinition): Law {
  checkFields(`The law '${String(law.name)}'`, law, definitionFields)
  const { name, summary, promises = everyPromise, hook } = law
  return {
    kind: 'law',
    name,
    summary,
    ...(hook && { hook }),
    applies: (applied) =>
      applied.every((perturbation) => promises.includes(promiseOf(perturbation))) && (law.applies?.(applied) ?? true),
    async check(original, { subject, lenses } = watchHooks(original)) {
      let verdict: Verdict
      try {
        verdict = await law.check(subject, lenses)
      } catch (thrown) {
        if (thrown instanceof ShaketableError && thrown.code !== 'perturbation') throw thrown
        verdict = { broken: messageOf(thrown) }
      }
      if ('changed' in verdict) return { law: name, outcome: verdict.changed ? 'holds' : 'unchanged' }
      const { evidence } = verdict
      const [outcome, detail] =
        'broken' in verdict ? (['fails', verdict.broken] as const) : (['unchecked', verdict.unchecked] as const)
      return { law: name, outcome, detail, ...(evidence && { evidence }) }
    },
  }
}

/** The random stream of an episode, equal to that of `shaketable play --seed`, so that findings can be replayed. */
export function randomOf({ seed, task }: Pick<Subject, 'seed' | 'task'>): Random {
  return createRandom(`${seed}/${task.id}`)
}

/** All that an agent is given before its first action, as text. The forms of other tasks are not part of it. */
export function beginningOf({ briefing, opening, names }: World): string {
  const shown = Object.fromEntries(Object.entries(briefing).filter(([key]) => key !== 'knownForms'))
  return canonicalJson([opening, shown, names])
}

/** All text that an agent reads before its first action. */
export function readAtFirst({ briefing, opening }: World): string {
  const { system, instruction, examples, goal, help } = briefing
  return [system, textOf(instruction), ...examples.flatMap(exampleTexts), goal, ...help, textOf(opening)].join('\n')
}

/** Whether perturbations have changed anything in the episode so far. */
export function isChanged(world: World): boolean {
  return isDosed(world.dose?.())
}

/** Whether each perturbation shows its own wording alone, which mode `alias` does not. */
export function isReplacing(applied: readonly AppliedPerturbation[]): boolean {
  return applied.every(({ mode }) => mode !== 'alias')
}

/** Whether a perturbation is used with its first draw, all of its intensity and none of its options set. */
export function isAtDefaults({ draw = 1, intensity = 1, options = {} }: AppliedPerturbation): boolean {
  return draw === 1 && intensity === 1 && Object.keys(options).length === 0
}

/** A subject with a record of the lenses that its perturbations opened last, in order; empty lenses before that. */
interface WatchedSubject {
  readonly subject: Subject
  readonly lenses: readonly Lens[]
}

export function watchHooks(subject: Subject): WatchedSubject {
  const lenses: Lens[] = subject.applied.map(() => ({}))
  const applied = subject.applied.map((perturbation, index): AppliedPerturbation => {
    const open: Perturbation['open'] = (scene) => (lenses[index] = perturbation.perturbation.open(scene))
    return { ...perturbation, perturbation: { ...perturbation.perturbation, open } }
  })
  return { subject: { ...subject, applied }, lenses }
}

/** The verdict that a law is broken after some actions, at the next one where that is given. */
export function breaks(
  broken: string,
  before: readonly string[],
  expected: string,
  got: string,
  action?: string,
): { readonly broken: string; readonly evidence: Evidence } {
  return { broken, evidence: { before, ...(action !== undefined && { action }), expected, got } }
}

/** The same for two long texts, of which the surroundings of their first difference are shown. */
export function breaksAt(
  ...[broken, before, expected, got, action]: Parameters<typeof breaks>
): ReturnType<typeof breaks> {
  const around = aroundDifference(expected, got)
  return breaks(broken, before, around.expected, around.got, action)
}

/** Two long texts, cut to the surroundings of their first difference. */
export function aroundDifference(expected: string, got: string): { readonly expected: string; readonly got: string } {
  let at = 0
  while (at < expected.length && expected[at] === got[at]) at++
  const around = (text: string): string =>
    `${at > 60 ? '…' : ''}${text.slice(Math.max(0, at - 60), at + 60)}${text.length > at + 60 ? '…' : ''}`
  return { expected: around(expected), got: around(got) }
}
