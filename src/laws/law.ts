import { checkFields } from '../core/check-fields.js'
import { isChanged as isDosed } from '../core/dose.js'
import type { Briefing, Environment, Task, World } from '../core/environment.js'
import { ShaketableError, messageOf } from '../core/errors.js'
import type { AppliedPerturbation, Lens, Perturbation } from '../core/perturbation.js'
import type { Random } from '../core/random.js'
import { createRandom } from '../core/random.js'

/** What a law is checked on: one task seen through the perturbations of a column. */
export interface Subject {
  readonly environment: Environment
  readonly task: Task
  /** In order, nearest the environment first; at least one. */
  readonly applied: readonly AppliedPerturbation[]
  readonly seed: string
}

/** What came of checking a law on a subject. */
export interface Finding {
  readonly law: string
  /**
   * `unchanged`: it holds, but nothing was changed here, so that it is no evidence. `unchecked`: the law says nothing
   * about this subject; `detail` says why.
   */
  readonly outcome: 'holds' | 'fails' | 'unchanged' | 'unchecked'
  /** A sentence, where a law fails or is not checked. */
  readonly detail?: string
  readonly evidence?: Evidence
}

/** Where a law fails, so that a person can go and look; or what a person has to judge, before the change and after. */
export interface Evidence {
  /** What the agent said before, in its own wording. */
  readonly before: readonly string[]
  /** What it said then, in its own wording. */
  readonly action?: string
  readonly expected: string
  readonly got: string
}

/** One of the promises of a perturbation. */
export interface Law {
  readonly kind: 'law'
  readonly name: string
  /** What holds, in a sentence. */
  readonly summary: string
  /** It is a law of lenses with this hook alone. */
  readonly hook?: keyof Lens
  /** Whether the perturbations of a column are held to it. */
  applies(applied: readonly AppliedPerturbation[]): boolean
  check(subject: Subject): Promise<Finding>
}

/** What the body of a law comes to: it went well, it says nothing here, or it is broken. */
export type Verdict =
  | { readonly changed: boolean }
  | { readonly unchecked: string; readonly evidence?: Evidence }
  | { readonly broken: string; readonly evidence?: Evidence }

/** Every promise, as a lens can only reword: what it renames can still be said, and solves what it solved. */
const everyPromise: readonly Perturbation['promise'][] = ['invariant', 'identity', 'harder', 'easier']

/** A law as data: what holds, for whom, and how it is checked. */
export interface LawDefinition {
  readonly name: string
  readonly summary: string
  /** The promises that include this law; all of them where it is absent. */
  readonly promises?: readonly Perturbation['promise'][]
  /** It is a law of lenses with this hook alone. */
  readonly hook?: keyof Lens
  /** Whether it says anything of these perturbations, which all have such a promise; true where it is absent. */
  applies?(applied: readonly AppliedPerturbation[]): boolean
  check(subject: Subject): Verdict | Promise<Verdict>
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
 * Defines a law; a file that exports one is a plug-in. What a lens throws on the way is a broken law; what an
 * environment says about itself is not, and is thrown on.
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
      applied.every(({ perturbation }) => promises.includes(perturbation.promise)) && (law.applies?.(applied) ?? true),
    async check(subject) {
      let verdict: Verdict
      try {
        verdict = await law.check(subject)
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

/** The stream of an episode, as `shaketable play --seed` draws it, so that what is found here can be replayed there. */
export function randomOf({ seed, task }: Pick<Subject, 'seed' | 'task'>): Random {
  return createRandom(`${seed}/${task.id}`)
}

/** What an agent can be told of a briefing: not which forms other tasks have. */
export function toldIn(briefing: Briefing): object {
  return Object.fromEntries(Object.entries(briefing).filter(([key]) => key !== 'knownForms'))
}

/** Whether perturbations have changed anything that was shown or said so far. */
export function isChanged(world: World): boolean {
  return isDosed(world.dose?.())
}

/** A subject that is watched: the lenses that its perturbations opened last, in order, which are none before that. */
export function watchHooks(given: Subject): { readonly subject: Subject; readonly lenses: readonly Lens[] } {
  const lenses: Lens[] = given.applied.map(() => ({}))
  const applied = given.applied.map((one, index): AppliedPerturbation => {
    const open: Perturbation['open'] = (scene) => (lenses[index] = one.perturbation.open(scene))
    return { ...one, perturbation: { ...one.perturbation, open } }
  })
  return { subject: { ...given, applied }, lenses }
}

/** Two long texts, cut to what stands around their first difference. */
export function aroundDifference(expected: string, got: string): { readonly expected: string; readonly got: string } {
  let at = 0
  while (at < expected.length && expected[at] === got[at]) at++
  const around = (text: string): string =>
    `${at > 60 ? '…' : ''}${text.slice(Math.max(0, at - 60), at + 60)}${text.length > at + 60 ? '…' : ''}`
  return { expected: around(expected), got: around(got) }
}
