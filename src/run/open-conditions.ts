import { closeWorlds } from '../core/close-worlds.js'
import { isChanged } from '../core/dose.js'
import type { Environment, Task, World } from '../core/environment.js'
import { NotApplicable, ShaketableError } from '../core/errors.js'
import { beginEnlarged, perturb, perturbWorld } from '../core/perturb.js'
import { type AppliedPerturbation, type Lens, openLens, usedIn } from '../core/perturbation.js'
import type { Condition } from './conditions.js'
import { relocated } from './experiment-file.js'
import type { GridEnvironment } from './grid.js'
import { randomOf } from './play-cell.js'

/** A condition, and where it was written. */
export interface PlacedCondition extends Condition {
  readonly place: string
  /** Whether it is left out of an environment in which it cannot be used. */
  readonly isOptional: boolean
}

/** The most tasks of an environment on which the conditions are opened, and after how many milliseconds no more are. */
const [maxTasks, maxMs] = [24, 1000]

/** The most tasks on which an effect is looked for, and the most steps on each. */
const [maxProbed, maxProbedSteps] = [6, 30]

/**
 * Opens every condition on tasks of each kind before anything is played, so that words that are missing or collide are
 * reported at once and not in every episode. A condition of a suite is left out of an environment in which it cannot be
 * opened, or in which it changes nothing. Errors of a task itself are left to its episodes.
 * @param seed the one whose episodes are opened
 * @throws ShaketableError `perturbation` for a condition that is not of a suite, with its place and what to do
 */
export async function openConditions(
  environments: readonly GridEnvironment[],
  conditions: readonly PlacedCondition[],
  seed: number,
): Promise<{ readonly conditions: readonly Condition[]; readonly notes: readonly string[] }> {
  const leftOut = new Map<PlacedCondition, readonly string[]>()
  const notes: string[] = []
  for (const { environment, tasks } of environments) {
    const { name } = environment
    const reasons = await findUnusable(environment, sampleOf(tasks), conditions, seed)
    if (reasons.size === 0) continue
    // The draws of a family have one reason.
    const families = [...reasons].map(
      ([{ applied }, why]) =>
        `${applied.map(({ perturbation }) => perturbation.name).join('+')} ${why.replace(/\. .*$|\.$/s, '')}`,
    )
    notes.push(`${name}: left out of the suite: ${[...new Set(families)].join('; ')}.`)
    for (const condition of reasons.keys()) leftOut.set(condition, [...(leftOut.get(condition) ?? []), name])
  }
  const names = environments.map(({ environment }) => environment.name)
  const used = conditions.flatMap((condition): Condition[] => {
    const { label, applied } = condition
    const without = leftOut.get(condition)
    if (without === undefined) return [{ label, applied }]
    const kept = applied.flatMap((perturbation) => {
      const where = (perturbation.environments ?? names).filter((name) => !without.includes(name))
      return where.length === 0 ? [] : [{ ...perturbation, environments: where }]
    })
    return kept.length === 0 ? [] : [{ label, applied: kept }]
  })
  return { conditions: used, notes }
}

/** The conditions of a suite that cannot be used in an environment, and why. */
async function findUnusable(
  environment: Environment,
  sample: readonly Task[],
  conditions: readonly PlacedCondition[],
  seed: number,
): Promise<ReadonlyMap<PlacedCondition, string>> {
  const { name } = environment
  const reasons = new Map<PlacedCondition, string>()
  const perturbed = conditions.filter(({ applied }) => applied.length > 0)
  const started = performance.now()
  for (const [place, task] of perturbed.length === 0 ? [] : sample.entries()) {
    if (place > 0 && performance.now() - started > maxMs) break
    const base = await beginOrNone(environment, task, seed)
    if (base === undefined) continue
    for (const condition of perturbed) {
      const used = usedIn(condition.applied, name)
      if (used.length === 0 || reasons.has(condition)) continue
      const why = await whyNotOpened(environment, base, used, task, seed)
      if (why === undefined) continue
      if (!condition.isOptional) throw relocated(condition.place, explain(why, condition, name, task))
      reasons.set(condition, why instanceof NotApplicable ? why.needs : why.message)
    }
    await closeWorlds([base])
  }
  for (const condition of perturbed) {
    if (!condition.isOptional || reasons.has(condition)) continue
    const used = usedIn(condition.applied, name)
    if (used.length === 0) reasons.set(condition, 'is not made for it')
    else if (!(await hasEffect(environment, used, sample.slice(0, maxProbed), seed)))
      reasons.set(condition, 'changes nothing there')
  }
  return reasons
}

/** The first task of each kind, then the second of each, and so on. */
function sampleOf(tasks: readonly Task[]): readonly Task[] {
  const ranks = new Map<string | undefined, number>()
  const ranked = tasks.map((task) => {
    const rank = ranks.get(task.kind) ?? 0
    ranks.set(task.kind, rank + 1)
    return { task, rank }
  })
  const sorted = ranked.toSorted((one, other) => one.rank - other.rank)
  return sorted.slice(0, maxTasks).map(({ task }) => task)
}

async function beginOrNone(environment: Environment, task: Task, seed: number): Promise<World | undefined> {
  try {
    return await environment.begin(task, randomOf(environment.name, task.id, seed))
  } catch {
    return undefined
  }
}

/** The error of perturbations that do not open on a task. */
async function whyNotOpened(
  environment: Environment,
  base: World,
  used: readonly AppliedPerturbation[],
  task: Task,
  seed: number,
): Promise<ShaketableError | undefined> {
  const random = randomOf(environment.name, task.id, seed)
  try {
    const isOther = used.some(({ perturbation }) => perturbation.enlarges)
    const world = isOther ? await beginEnlarged(environment, used, task, random) : base
    perturbWorld(world, used, random)
    if (isOther) await closeWorlds([world])
    return undefined
  } catch (thrown) {
    return thrown instanceof ShaketableError && thrown.code === 'perturbation' ? thrown : undefined
  }
}

function explain(why: ShaketableError, { label }: Condition, environment: string, task: Task): ShaketableError {
  return new ShaketableError(
    'perturbation',
    `'${label}' cannot be played in ${environment} (task '${task.id}'): ${why.message} Leave it out, choose another draw, or play it elsewhere alone (environment=NAME).`,
    { cause: why },
  )
}

/** Hooks that may change a later turn although they changed nothing in a few. */
const lateHooks: readonly (keyof Lens)[] = ['brief', 'text', 'act', 'wrap']

/** Whether a condition changes what an agent reads or says while one of several tasks is solved. */
async function hasEffect(
  environment: Environment,
  used: readonly AppliedPerturbation[],
  tasks: readonly Task[],
  seed: number,
): Promise<boolean> {
  // Whether objects can be added differs from task to task.
  if (used.some(({ perturbation }) => perturbation.enlarges)) return true
  if (used.every(({ perturbation }) => perturbation.promise === 'identity')) return true
  for (const task of tasks) {
    const world = await beginOrNone(perturb(environment, used), task, seed)
    if (world === undefined) continue
    const { briefing, names } = world
    const scene = {
      briefing,
      names,
      random: randomOf('', '', 0),
      ...(world.environment && { environment: world.environment }),
    }
    try {
      if (used.some((perturbation) => lateHooks.some((hook) => openLens(perturbation, scene)[hook] !== undefined)))
        return true
      const slotless = briefing.forms.map(({ template }) => template).filter((template) => !template.includes('{'))
      for (const action of ['', ...slotless, ...((await world.solve?.()) ?? [])].slice(0, maxProbedSteps)) {
        const ended = action !== '' && (await world.step(action)).ended !== false
        if (isChanged(world.dose?.())) return true
        if (ended) break
      }
    } catch {
      return true // Its episodes will say what is wrong with it.
    } finally {
      await closeWorlds([world])
    }
  }
  return false
}
