import type { Step, WordingScores } from '../core/episode.js'
import type { Measures } from '../results/episode-row.js'
import { invalidKinds } from '../core/episode.js'
import type { Attempt } from '../core/model.js'
import type { Wording } from '../core/text.js'

/**
 * The measures that explain a result, from an episode's steps and the attempts of a failed call at its end. Grounding
 * accuracy (share of understood actions) and the steps with progress (score change record) are AgentBoard's; that only
 * failures count that the agent read is ToolBench-X's rule (arXiv 2606.25819). Repeats after refusal, memorised
 * wording, steps to adapt and recovery are shaketable's own.
 * @param knowsUnderstood whether the environment reports which actions it understands, which memorised wording requires
 */
export function measure(
  steps: readonly Step[],
  failedCall: readonly Attempt[] = [],
  knowsUnderstood = true,
): Measures & Required<Pick<Measures, 'gains'>> {
  const faults = countEach(steps.flatMap(({ fault }) => fault ?? []))
  const attempts = steps.reduce((sum, step) => sum + (step.attempts?.length ?? 0), failedCall.length)
  const cut = steps.reduce((sum, step) => sum + (step.cut ?? 0), 0)
  const isKnown = steps.every((step) => step.understood !== undefined)
  const adapted = steps.findIndex((step) => isKnown && step.understood && typeof step.command === 'string') + 1
  return {
    steps: steps.length,
    ...(isKnown && { understood: count(steps, (step) => step.understood!) }),
    formatErrors: count(steps, (step) => step.formatError !== undefined),
    ...(faults && { faults }),
    ...keepFinishes(countEach(steps.flatMap(({ finishes = [] }) => finishes))),
    repeats: count(steps, (step, index) => {
      const previous = steps[index - 1]
      return previous !== undefined && previous.understood === false && previous.action === step.action
    }),
    ...(knowsUnderstood && { memorised: count(steps, (step) => step.memorised === true) }),
    ...(adapted > 0 && { adapted }),
    ...(isKnown && describeRecovery(steps)),
    modelCalls: steps.reduce((sum, step) => sum + 1 + (step.thoughts?.length ?? 0), 0),
    ...(attempts > 0 && { attempts }),
    ...(cut > 0 && { cut }),
    ...sumLogprobs(steps),
    promptTokens: steps.reduce((sum, step) => sum + (step.promptTokens ?? 0), 0),
    completionTokens: steps.reduce((sum, step) => sum + (step.completionTokens ?? 0), 0),
    gains: findGains(steps),
  }
}

/** How often each wording was chosen in an episode in mode `alias`; empty in any other. */
export function choicesIn(steps: readonly Step[], first: Wording | undefined): Pick<Measures, 'choices'> {
  if (first === undefined) return {}
  const times = (wording: Step['wording']): number => count(steps, (step) => step.wording === wording)
  return { choices: { first, original: times('original'), alias: times('alias'), mixed: times('mixed') } }
}

type Count = 'steps' | 'understood' | 'formatErrors' | 'repeats' | 'memorised' | 'touched' | 'modelCalls'
type Total = Count | 'attempts' | 'cut' | 'promptTokens' | 'completionTokens'

/** The measures of an episode of several trials: the sum of all counts, and the gains of the trial that counts. */
export function addMeasures(trials: readonly Measures[], counting: number): Measures {
  const total = (name: Total): number => trials.reduce((sum, measures) => sum + (measures[name] ?? 0), 0)
  const isKnown = (name: Count): boolean => trials.every((measures) => measures[name] !== undefined)
  const ifKnown = (name: Count): Partial<Measures> => (isKnown(name) ? { [name]: total(name) } : {})
  const ifAny = (name: 'attempts' | 'cut'): Partial<Measures> => (total(name) > 0 ? { [name]: total(name) } : {})
  /** Steps of the trials before each. */
  const before = trials.map((_, trial) => trials.slice(0, trial).reduce((sum, { steps }) => sum + steps, 0))
  const firstStep = (name: 'adapted' | 'firstUnderstood'): Partial<Measures> => {
    const trial = trials.findIndex((measures) => measures[name] !== undefined)
    return trial === -1 ? {} : { [name]: before[trial]! + trials[trial]![name]! }
  }
  const refused = trials.findIndex(({ firstRefusal }) => firstRefusal)
  const firstRefusal = trials[refused]?.firstRefusal
  const faults = addCounts(trials.map((measures) => measures.faults))
  const failures = addCounts(trials.map((measures) => measures.failures))
  const gains = trials[counting]?.gains
  const chosen = trials.flatMap(({ choices }) => choices ?? [])
  const times = addCounts(chosen.map(({ original, alias, mixed }) => ({ original, alias, mixed })))
  return {
    steps: total('steps'),
    ...ifKnown('understood'),
    formatErrors: total('formatErrors'),
    ...(faults && { faults }),
    ...keepFinishes(addCounts(trials.map(({ finishes }) => finishes))),
    repeats: total('repeats'),
    ...ifKnown('memorised'),
    ...ifKnown('touched'),
    ...(isKnown('understood') && {
      ...firstStep('adapted'),
      ...firstStep('firstUnderstood'),
      ...(firstRefusal && { firstRefusal: { ...firstRefusal, step: before[refused]! + firstRefusal.step } }),
      ...(failures && { failures }),
      ...addInvalid(trials),
    }),
    modelCalls: total('modelCalls'),
    ...ifAny('attempts'),
    ...ifAny('cut'),
    ...addLogprobs(trials),
    ...(times && { choices: { first: chosen[0]!.first, ...times } }),
    promptTokens: total('promptTokens'),
    completionTokens: total('completionTokens'),
    ...(gains && { gains }),
  }
}

/** How many steps an agent has to recover from a failure. */
const stepsToRecover = 3

function describeRecovery(
  steps: readonly Step[],
): Pick<Measures, 'firstUnderstood' | 'firstRefusal' | 'failures' | 'invalid'> {
  const firstUnderstood = steps.findIndex(({ understood }) => understood) + 1
  const refused = steps.findIndex(({ understood }) => understood === false)
  const recovered = steps.slice(refused + 1).findIndex(({ understood }) => understood) + 1
  const refusals = steps.filter(({ understood }) => understood === false)
  const reasons = refusals.flatMap(({ invalid }) => invalid ?? [])
  const failed = steps.flatMap((step, index) => (step.failed === undefined ? [] : [index]))
  const read = failed.filter((index) => index < steps.length - 1)
  const after = (index: number): readonly Step[] =>
    steps.slice(index + 1, index + 1 + stepsToRecover).filter((step) => step.understood && step.failed === undefined)
  return {
    ...(firstUnderstood > 0 && { firstUnderstood }),
    ...(refused >= 0 && {
      firstRefusal: { step: refused + 1, left: steps.length - refused - 1, ...(recovered > 0 && { recovered }) },
    }),
    ...(failed.length > 0 && {
      failures: {
        read: read.length,
        repeated: read.filter((index) => after(index).some(({ action }) => action === steps[index]!.action)).length,
        recovered: read.filter((index) => after(index).length > 0).length,
      },
    }),
    ...(reasons.length > 0 && reasons.length === refusals.length && { invalid: countEach(reasons)! }),
  }
}

function countEach<Kind extends string>(kinds: readonly Kind[]): Record<Kind, number> | undefined {
  return addCounts(kinds.map((kind) => ({ [kind]: 1 }) as Record<Kind, number>))
}

/** Sums of numbers by their names, in the order in which these come; undefined where there are none. */
function addCounts<Name extends string>(
  parts: readonly (Readonly<Partial<Record<Name, number>>> | undefined)[],
): Record<Name, number> | undefined {
  const sums = new Map<string, number>()
  for (const part of parts) {
    for (const [name, number] of Object.entries<number | undefined>(part ?? {})) {
      sums.set(name, (sums.get(name) ?? 0) + (number ?? 0))
    }
  }
  return sums.size === 0 ? undefined : (Object.fromEntries(sums) as Record<Name, number>)
}

/** Absent where the reasons are not known in a trial with an action that was not understood. */
function addInvalid(trials: readonly Measures[]): Pick<Measures, 'invalid'> {
  if (trials.some(({ steps, understood, invalid }) => steps > understood! && invalid === undefined)) return {}
  const counts = addCounts(trials.map(({ invalid }) => invalid))
  if (counts === undefined) return {}
  return { invalid: Object.fromEntries(invalidKinds.flatMap((kind) => (counts[kind] ? [[kind, counts[kind]]] : []))) }
}

function sumLogprobs(steps: readonly Step[]): Pick<Measures, 'actionTokens' | 'wordings'> {
  return addLogprobs(
    steps.map(({ actionTokens, wordings }) => {
      const of = wordings && meansPerToken(wordings)
      return {
        ...(actionTokens && { actionTokens: { tokens: actionTokens.tokens, sum: actionTokens.sum } }),
        ...(wordings && {
          wordings: {
            steps: 1,
            asked: 1,
            scored: of ? 1 : 0,
            preferred: of && of.present > of.original ? 1 : 0,
            present: of?.present ?? 0,
            original: of?.original ?? 0,
          },
        }),
      }
    }),
  )
}

/** Log-probability per token of both wordings, in nats; undefined if one is unknown. */
function meansPerToken({
  present,
  original,
}: WordingScores): { readonly present: number; readonly original: number } | undefined {
  if (!present.tokens || !original.tokens) return undefined
  return { present: present.sum! / present.tokens, original: original.sum! / original.tokens }
}

/** Sums of log-probabilities are rounded to a millionth of a nat, to keep stored rows short. */
const perNat = 1e6

function addLogprobs(
  parts: readonly Pick<Measures, 'actionTokens' | 'wordings'>[],
): Pick<Measures, 'actionTokens' | 'wordings'> {
  const rounded = <Sums extends object>(sums: Sums | undefined): Sums | undefined =>
    sums && (Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, roundNats(sum as number)])) as Sums)
  const actionTokens = rounded(addCounts(parts.map((part) => part.actionTokens)))
  const wordings = rounded(addCounts(parts.map((part) => part.wordings)))
  return { ...(actionTokens && { actionTokens }), ...(wordings && { wordings }) }
}

function roundNats(sum: number): number {
  return Math.round(sum * perNat) / perNat || 0
}

function count(steps: readonly Step[], holds: (step: Step, index: number) => boolean): number {
  let found = 0
  steps.forEach((step, index) => {
    if (holds(step, index)) found++
  })
  return found
}

/** Maximum number of different finish reasons that are counted in an episode. */
const maxFinishes = 20

function keepFinishes(counts: Measures['finishes']): Pick<Measures, 'finishes'> {
  return counts ? { finishes: Object.fromEntries(Object.entries(counts).slice(0, maxFinishes)) } : {}
}

/** Each step at which the progress exceeds its maximum so far. */
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
