import type { Dose, Environment, Task } from '../core/environment.js'
import { addLeaks } from '../core/dose.js'
import { closeWorlds, closingWorlds } from '../core/close-worlds.js'
import type { AppliedPerturbation } from '../core/perturbation.js'
import { commutes } from './commutes.js'
import { checkLaws } from './index.js'
import type { Evidence, Finding, Law } from './law.js'
import { beginThrough, scriptOf, tidy } from './twins.js'

/** Outcomes of a law over many tasks. */
export interface LawCount {
  readonly law: string
  readonly holds: number
  readonly unchanged: number
  readonly unchecked: number
  readonly fails: number
  /** The first failure. */
  readonly failure?: { readonly task: Task; readonly finding: Finding }
  /** The different reasons why it was not checked. */
  readonly reasons: readonly string[]
  /** The first example for a person to judge. */
  readonly example?: { readonly task: Task; readonly evidence: Evidence }
}

/** Checks laws of a column over tasks; by default all shipped laws. */
export async function surveyColumn(
  environment: Environment,
  tasks: readonly Task[],
  applied: readonly AppliedPerturbation[],
  seed: string,
  checked?: readonly Law[],
): Promise<readonly LawCount[]> {
  const found: { task: Task; finding: Finding }[] = []
  for (const task of tasks) {
    const findings = await closingWorlds(environment, (environment) =>
      checkLaws({ environment, task, applied, seed }, checked),
    )
    for (const finding of findings) found.push({ task, finding })
  }
  return count(found)
}

/** Checks over tasks that each pair of these perturbations commutes. */
export async function surveyPairs(
  environment: Environment,
  tasks: readonly Task[],
  applied: readonly AppliedPerturbation[],
  seed: string,
): Promise<LawCount | undefined> {
  const found: { task: Task; finding: Finding }[] = []
  for (const task of tasks) {
    for (const [index, first] of applied.entries()) {
      for (const second of applied.slice(index + 1)) {
        const applied = [first, second]
        const finding = await closingWorlds(environment, (environment) =>
          commutes.check({ environment, task, applied, seed }),
        )
        found.push({ task, finding })
      }
    }
  }
  return count(found)[0]
}

/** Counts the old vocabulary that is still shown in an episode of each task; see Dose.leaks. */
export async function countLeaks(
  environment: Environment,
  tasks: readonly Task[],
  applied: readonly AppliedPerturbation[],
  seed: string,
): Promise<Pick<Dose, 'leaks' | 'leaked'>> {
  let leaks = 0
  let leaked: ReturnType<typeof addLeaks> = {}
  for (const task of tasks) {
    const subject = { environment, task, applied, seed }
    const world = await beginThrough(subject, applied)
    for (const action of await scriptOf(world)) {
      if ((await world.step(tidy(subject, action))).ended !== false) break
    }
    await closeWorlds([world])
    const dose = world.dose?.()
    leaks += dose?.leaks ?? 0
    leaked = addLeaks(leaked.leaked, dose?.leaked)
  }
  return { leaks, ...leaked }
}

function count(found: readonly { readonly task: Task; readonly finding: Finding }[]): LawCount[] {
  const laws = [...new Set(found.map(({ finding }) => finding.law))]
  return laws.map((law) => {
    const own = found.filter(({ finding }) => finding.law === law)
    const times = (outcome: Finding['outcome']): number =>
      own.filter(({ finding }) => finding.outcome === outcome).length
    const failure = own.find(({ finding }) => finding.outcome === 'fails')
    const shown = own.find(({ finding }) => finding.outcome === 'unchecked' && finding.evidence !== undefined)
    const reasons = own.flatMap(({ finding }) => (finding.outcome === 'unchecked' ? [finding.detail ?? ''] : []))
    return {
      law,
      holds: times('holds'),
      unchanged: times('unchanged'),
      unchecked: times('unchecked'),
      fails: times('fails'),
      ...(failure && { failure }),
      ...(shown && { example: { task: shown.task, evidence: shown.finding.evidence! } }),
      reasons: [...new Set(reasons)],
    }
  })
}
