import type { Measures, ReplyFault, Step } from './episode.js'
import type { Attempt } from './model.js'

/**
 * The measures that explain a result, from an episode's steps and the attempts of the call that ended it without a
 * reply. Grounding accuracy and the steps at which progress was made are AgentBoard's (share of actions understood;
 * score change record); repeats after refusal, memorised wording and steps to adapt are this testbed's own.
 */
export function measure(
  steps: readonly Step[],
  failedCall: readonly Attempt[] = [],
): Measures & Required<Pick<Measures, 'gains'>> {
  const faults = countFaults(steps)
  const attempts = steps.reduce((sum, step) => sum + (step.attempts?.length ?? 0), failedCall.length)
  const cut = steps.reduce((sum, step) => sum + (step.cut ?? 0), 0)
  const adapted = steps.findIndex((step) => step.understood && typeof step.command === 'string') + 1
  return {
    steps: steps.length,
    understood: count(steps, (step) => step.understood),
    formatErrors: count(steps, (step) => step.formatError !== undefined),
    ...(faults && { faults }),
    repeats: count(steps, (step, index) => {
      const previous = steps[index - 1]
      return previous !== undefined && !previous.understood && previous.action === step.action
    }),
    memorised: count(steps, (step) => step.memorised === true),
    ...(adapted > 0 && { adapted }),
    modelCalls: steps.reduce((sum, step) => sum + 1 + (step.thoughts?.length ?? 0), 0),
    ...(attempts > 0 && { attempts }),
    ...(cut > 0 && { cut }),
    promptTokens: steps.reduce((sum, step) => sum + (step.promptTokens ?? 0), 0),
    completionTokens: steps.reduce((sum, step) => sum + (step.completionTokens ?? 0), 0),
    gains: findGains(steps),
  }
}

/** Measures of several trials as those of one episode: all counts together, and the gains of the trial that counts. */
export function addMeasures(trials: readonly Measures[], counting: number): Measures {
  const total = (of: (measures: Measures) => number | undefined): number =>
    trials.reduce((sum, measures) => sum + (of(measures) ?? 0), 0)
  const faults: Partial<Record<ReplyFault, number>> = {}
  let adapted: number | undefined
  let before = 0
  for (const measures of trials) {
    for (const fault of Object.keys(measures.faults ?? {}) as ReplyFault[]) {
      faults[fault] = (faults[fault] ?? 0) + measures.faults![fault]!
    }
    if (measures.adapted !== undefined) adapted ??= before + measures.adapted
    before += measures.steps
  }
  const attempts = total((measures) => measures.attempts)
  const cut = total((measures) => measures.cut)
  const gains = trials[counting]?.gains
  return {
    steps: before,
    understood: total((measures) => measures.understood),
    formatErrors: total((measures) => measures.formatErrors),
    ...(Object.keys(faults).length > 0 && { faults }),
    repeats: total((measures) => measures.repeats),
    memorised: total((measures) => measures.memorised),
    ...(adapted !== undefined && { adapted }),
    modelCalls: total((measures) => measures.modelCalls),
    ...(attempts > 0 && { attempts }),
    ...(cut > 0 && { cut }),
    promptTokens: total((measures) => measures.promptTokens),
    completionTokens: total((measures) => measures.completionTokens),
    ...(gains && { gains }),
  }
}

function count(steps: readonly Step[], holds: (step: Step, index: number) => boolean): number {
  let found = 0
  steps.forEach((step, index) => {
    if (holds(step, index)) found++
  })
  return found
}

function countFaults(steps: readonly Step[]): Measures['faults'] {
  const faults: Partial<Record<ReplyFault, number>> = {}
  for (const { fault } of steps) if (fault !== undefined) faults[fault] = (faults[fault] ?? 0) + 1
  return Object.keys(faults).length === 0 ? undefined : faults
}

/** Progress is the best so far, as an episode's own is. */
function findGains(steps: readonly Step[]): NonNullable<Measures['gains']> {
  const gains: [step: number, progress: number][] = []
  let best = 0
  steps.forEach(({ progress }, index) => {
    if (progress <= best) return
    best = progress
    gains.push([index + 1, best])
  })
  return gains
}
