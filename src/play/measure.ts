import type { ReplyFault, Step, WordingScores } from '../core/episode.js'
import type { FirstRefusal, Measures, WordingSums } from '../results/episode-row.js'
import type { InvalidKind } from '../core/episode.js'
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
  const faults = countFaults(steps)
  const attempts = steps.reduce((sum, step) => sum + (step.attempts?.length ?? 0), failedCall.length)
  const cut = steps.reduce((sum, step) => sum + (step.cut ?? 0), 0)
  const isKnown = steps.every((step) => step.understood !== undefined)
  const adapted = steps.findIndex((step) => isKnown && step.understood && typeof step.command === 'string') + 1
  return {
    steps: steps.length,
    ...(isKnown && { understood: count(steps, (step) => step.understood!) }),
    formatErrors: count(steps, (step) => step.formatError !== undefined),
    ...(faults && { faults }),
    ...addFinishes(steps.flatMap(({ finishes = [] }) => finishes.map((finish) => ({ finishes: { [finish]: 1 } })))),
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

/** The measures of an episode of several trials: the sum of all counts, and the gains of the trial that counts. */
export function addMeasures(trials: readonly Measures[], counting: number): Measures {
  const total = (of: (measures: Measures) => number | undefined): number =>
    trials.reduce((sum, measures) => sum + (of(measures) ?? 0), 0)
  const isKnown = (name: 'understood' | 'memorised' | 'touched'): boolean =>
    trials.every((measures) => measures[name] !== undefined)
  const faults: Partial<Record<ReplyFault, number>> = {}
  let adapted: number | undefined
  let firstUnderstood: number | undefined
  let firstRefusal: FirstRefusal | undefined
  let before = 0
  for (const measures of trials) {
    for (const fault of Object.keys(measures.faults ?? {}) as ReplyFault[]) {
      faults[fault] = (faults[fault] ?? 0) + measures.faults![fault]!
    }
    if (measures.adapted !== undefined) adapted ??= before + measures.adapted
    if (measures.firstUnderstood !== undefined) firstUnderstood ??= before + measures.firstUnderstood
    if (measures.firstRefusal) firstRefusal ??= { ...measures.firstRefusal, step: before + measures.firstRefusal.step }
    before += measures.steps
  }
  const attempts = total((measures) => measures.attempts)
  const cut = total((measures) => measures.cut)
  const gains = trials[counting]?.gains
  const first = trials.find(({ choices }) => choices)?.choices?.first
  return {
    steps: before,
    ...(isKnown('understood') && { understood: total((measures) => measures.understood) }),
    formatErrors: total((measures) => measures.formatErrors),
    ...(Object.keys(faults).length > 0 && { faults }),
    ...addFinishes(trials),
    repeats: total((measures) => measures.repeats),
    ...(isKnown('memorised') && { memorised: total((measures) => measures.memorised) }),
    ...(isKnown('touched') && { touched: total((measures) => measures.touched) }),
    ...(isKnown('understood') && {
      ...(adapted !== undefined && { adapted }),
      ...(firstUnderstood !== undefined && { firstUnderstood }),
      ...(firstRefusal && { firstRefusal }),
      ...addFailures(trials),
      ...addInvalid(trials),
    }),
    modelCalls: total((measures) => measures.modelCalls),
    ...(attempts > 0 && { attempts }),
    ...(cut > 0 && { cut }),
    ...addLogprobs(trials),
    ...(first && {
      choices: {
        first,
        original: total(({ choices }) => choices?.original),
        alias: total(({ choices }) => choices?.alias),
        mixed: total(({ choices }) => choices?.mixed),
      },
    }),
    promptTokens: total((measures) => measures.promptTokens),
    completionTokens: total((measures) => measures.completionTokens),
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
    ...(reasons.length > 0 && reasons.length === refusals.length && { invalid: countEach(reasons) }),
  }
}

function countEach<Kind extends string>(kinds: readonly Kind[]): Partial<Record<Kind, number>> {
  const counts: Partial<Record<Kind, number>> = {}
  for (const kind of kinds) counts[kind] = (counts[kind] ?? 0) + 1
  return counts
}

function addFailures(trials: readonly Measures[]): Pick<Measures, 'failures'> {
  const all = trials.flatMap(({ failures }) => failures ?? [])
  if (all.length === 0) return {}
  const sum = (part: keyof (typeof all)[number]): number => all.reduce((total, one) => total + one[part], 0)
  return { failures: { read: sum('read'), repeated: sum('repeated'), recovered: sum('recovered') } }
}

/** Absent where the reasons are not known in a trial with an action that was not understood. */
function addInvalid(trials: readonly Measures[]): Pick<Measures, 'invalid'> {
  if (trials.some(({ steps, understood, invalid }) => steps > understood! && invalid === undefined)) return {}
  const counts: Partial<Record<InvalidKind, number>> = {}
  for (const { invalid = {} } of trials) {
    for (const kind of invalidKinds) if (invalid[kind]) counts[kind] = (counts[kind] ?? 0) + invalid[kind]
  }
  return Object.keys(counts).length === 0 ? {} : { invalid: counts }
}

/** Sums of log-probabilities are rounded to a millionth of a nat, to keep stored rows short. */
const perNat = 1e6

/** The fields of {@link WordingSums} in the order of stored rows. */
const wordingSums = [
  'steps',
  'asked',
  'scored',
  'preferred',
  'present',
  'original',
  'calls',
  'promptTokens',
  'completionTokens',
] as const

function sumLogprobs(steps: readonly Step[]): Pick<Measures, 'actionTokens' | 'wordings'> {
  const ofSteps = steps.map(({ actionTokens, wordings }): Pick<Measures, 'actionTokens' | 'wordings'> => {
    const of = wordings && meansPerToken(wordings)
    return {
      ...(actionTokens && { actionTokens }),
      ...(wordings && {
        wordings: {
          steps: 1,
          asked: wordings.asked ? 1 : 0,
          scored: of ? 1 : 0,
          preferred: of && of.present > of.original ? 1 : 0,
          present: of?.present ?? 0,
          original: of?.original ?? 0,
          calls: wordings.calls ?? 0,
          promptTokens: wordings.promptTokens ?? 0,
          completionTokens: wordings.completionTokens ?? 0,
        },
      }),
    }
  })
  return addLogprobs(ofSteps)
}

/** Log-probability per token of both wordings, in nats; undefined if one is unknown. */
function meansPerToken({
  present,
  original,
}: WordingScores): { readonly present: number; readonly original: number } | undefined {
  if (!present.tokens || !original.tokens) return undefined
  return { present: present.sum! / present.tokens, original: original.sum! / original.tokens }
}

function addLogprobs(
  parts: readonly Pick<Measures, 'actionTokens' | 'wordings'>[],
): Pick<Measures, 'actionTokens' | 'wordings'> {
  const tokens = parts.flatMap(({ actionTokens }) => actionTokens ?? [])
  const wordings = parts.flatMap((part) => part.wordings ?? [])
  const sum = <Of>(all: readonly Of[], of: (one: Of) => number): number => all.reduce((sum, one) => sum + of(one), 0)
  const rounded = (value: number): number => Math.round(value * perNat) / perNat || 0
  return {
    ...(tokens.length > 0 && {
      actionTokens: { tokens: sum(tokens, (one) => one.tokens), sum: rounded(sum(tokens, (one) => one.sum)) },
    }),
    ...(wordings.length > 0 && {
      wordings: Object.fromEntries(
        wordingSums.map((name) => [name, rounded(sum(wordings, (one) => one[name]))]),
      ) as Record<keyof WordingSums, number>,
    }),
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
  const faults = countEach(steps.flatMap(({ fault }) => fault ?? []))
  return Object.keys(faults).length === 0 ? undefined : faults
}

/** Maximum number of different finish reasons that are counted in an episode. */
const maxFinishes = 20

function addFinishes(parts: readonly Pick<Measures, 'finishes'>[]): Pick<Measures, 'finishes'> {
  const counts = new Map<string, number>()
  for (const [finish, times] of parts.flatMap(({ finishes = {} }) => Object.entries(finishes))) {
    if (counts.has(finish) || counts.size < maxFinishes) counts.set(finish, (counts.get(finish) ?? 0) + times)
  }
  return counts.size === 0 ? {} : { finishes: Object.fromEntries(counts) }
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
