import type { World } from '../core/environment.js'
import type { InvalidKind, Step } from '../core/episode.js'
import { parseTemplate, readForm } from '../core/form.js'
import { createNameFinder } from '../core/names.js'
import type { Measures } from '../results/episode-row.js'
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
  return measureTrials([steps], 0, failedCall, knowsUnderstood)
}

/** The measures of an episode of several trials: all of them together, and the gains of the trial that counts. */
export function measureTrials(
  trials: readonly (readonly Step[])[],
  counting: number,
  failedCall: readonly Attempt[],
  knowsUnderstood: boolean,
): Measures & Required<Pick<Measures, 'gains'>> {
  const steps = trials.flat()
  const faults = countEach(steps.flatMap(({ fault }) => fault ?? []))
  const attempts = steps.reduce((sum, step) => sum + (step.attempts?.length ?? 0), failedCall.length)
  const cut = steps.reduce((sum, step) => sum + (step.cut ?? 0), 0)
  const isKnown = steps.every((step) => step.understood !== undefined)
  const adapted = steps.findIndex((step) => isKnown && step.understood && typeof step.command === 'string') + 1
  const repeats = trials.flatMap((trial) =>
    trial.slice(1).filter(({ action }, index) => trial[index]!.understood === false && trial[index]!.action === action),
  )
  return {
    steps: steps.length,
    ...(isKnown && { understood: count(steps, (step) => step.understood!) }),
    formatErrors: count(steps, (step) => step.formatError !== undefined),
    ...(faults && { faults }),
    ...keepFinishes(countEach(steps.flatMap(({ finishes = [] }) => finishes))),
    repeats: repeats.length,
    ...(knowsUnderstood && { memorised: count(steps, (step) => step.memorised === true) }),
    ...(adapted > 0 && { adapted }),
    ...(isKnown && describeRecovery(steps, trials)),
    modelCalls: steps.reduce((sum, step) => sum + 1 + (step.thoughts?.length ?? 0), 0),
    ...(attempts > 0 && { attempts }),
    ...(cut > 0 && { cut }),
    ...sumLogprobs(steps),
    promptTokens: steps.reduce((sum, step) => sum + (step.promptTokens ?? 0), 0),
    completionTokens: steps.reduce((sum, step) => sum + (step.completionTokens ?? 0), 0),
    gains: findGains(trials[counting] ?? []),
  }
}

/** How often each wording was chosen in an episode in mode `alias`; empty in any other. */
export function choicesIn(steps: readonly Step[], first: Wording | undefined): Pick<Measures, 'choices'> {
  if (first === undefined) return {}
  const times = (wording: Step['wording']): number => count(steps, (step) => step.wording === wording)
  return { choices: { first, original: times('original'), alias: times('alias'), mixed: times('mixed') } }
}

/** How many steps an agent has to recover from a failure. */
const stepsToRecover = 3

function describeRecovery(
  steps: readonly Step[],
  trials: readonly (readonly Step[])[],
): Pick<Measures, 'firstRefusal' | 'failures' | 'invalid'> {
  const refused = steps.findIndex(({ understood }) => understood === false)
  const refusals = steps.filter(({ understood }) => understood === false)
  const reasons = refusals.flatMap(({ invalid }) => invalid ?? [])
  // What follows a step is what follows in its trial.
  let end = 0
  const ends = trials.flatMap(({ length }) => Array<number>(length).fill((end += length)))
  const following = (index: number): readonly Step[] => steps.slice(index + 1, ends[index])
  const recovered = following(refused).findIndex(({ understood }) => understood) + 1
  const read = steps.flatMap(({ failed, action }, index) => {
    const after = following(index)
    if (failed === undefined || after.length === 0) return []
    const worked = after.slice(0, stepsToRecover).filter((step) => step.understood && step.failed === undefined)
    return [{ isRecovered: worked.length > 0, isRepeated: worked.some((step) => step.action === action) }]
  })
  return {
    ...(refused >= 0 && {
      firstRefusal: { step: refused + 1, left: following(refused).length, ...(recovered > 0 && { recovered }) },
    }),
    ...(steps.some(({ failed }) => failed !== undefined) && {
      failures: {
        read: read.length,
        repeated: read.filter(({ isRepeated }) => isRepeated).length,
        recovered: read.filter(({ isRecovered }) => isRecovered).length,
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

function sumLogprobs(steps: readonly Step[]): Pick<Measures, 'actionTokens' | 'wordings'> {
  const actionTokens = rounded(addCounts(steps.map(({ actionTokens: of }) => of && { tokens: of.tokens, sum: of.sum })))
  const wordings = rounded(
    addCounts(
      steps.map(({ wordings: both }) => {
        if (both === undefined) return undefined
        const [present, original] = [both.present, both.original].map(({ tokens, sum }) => tokens && sum! / tokens)
        const isScored = present !== undefined && original !== undefined
        return {
          ...{ steps: 1, asked: 1, scored: isScored ? 1 : 0, preferred: isScored && present > original ? 1 : 0 },
          ...{ present: isScored ? present : 0, original: isScored ? original : 0 },
        }
      }),
    ),
  )
  return { ...(actionTokens && { actionTokens }), ...(wordings && { wordings }) }
}

/** Sums of log-probabilities are rounded to a millionth of a nat, to keep stored rows short. */
const perNat = 1e6

function rounded<Sums extends Readonly<Record<string, number>>>(sums: Sums | undefined): Sums | undefined {
  const short = (sum: number): number => Math.round(sum * perNat) / perNat || 0
  return sums && (Object.fromEntries(Object.entries(sums).map(([name, sum]) => [name, short(sum)])) as Sums)
}

function count(steps: readonly Step[], holds: (step: Step) => boolean): number {
  return steps.reduce((sum, step) => sum + (holds(step) ? 1 : 0), 0)
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

/**
 * Classifies actions that were not understood by the forms and item names of an episode, in the agent's wording.
 * Undefined where the environment names no action forms, or has forms with slots and names no items.
 */
export function createInvalidClassifier(
  world: Pick<World, 'briefing' | 'names' | 'read'>,
): ((action: string, isWhole: boolean) => InvalidKind) | undefined {
  const templates = world.briefing.forms.map(({ template }) => template)
  const needsNames = templates.some((template) => parseTemplate(template).slots.length > 0)
  if (templates.length === 0 || (needsNames && world.names.length === 0)) return undefined
  const names = new Set(world.names)
  const longest = world.names.reduce((length, name) => Math.max(length, name.length), 0)
  const finder = createNameFinder(names)
  const isNamed = (value: string): boolean => {
    let found = names.has(value)
    if (!found) finder.replace(value, (name) => ((found = true), name))
    return found
  }
  const verbs = new Set(templates.map((template) => firstWord(parseTemplate(template).literals[0]!)))
  // An environment that takes texts around names may read an action without any item of the episode.
  const isRead = (action: string): boolean => {
    const filling = world.read?.(action, templates, world.names, true)?.filling
    return filling !== undefined && Object.values(filling).every(isNamed)
  }
  const isForm = (action: string): boolean =>
    templates.some((template) => readForm(template, action, (value) => names.has(value), longest) !== undefined) ||
    isRead(action)
  return (action, isWhole) => {
    const words = action.trim()
    if (!isWhole || words === '') return 'unparsable'
    if (isForm(words)) return 'wrong-state'
    // A form that begins with a slot has no first word, so every action begins like it.
    return verbs.has('') || verbs.has(firstWord(words)) ? 'unknown-item' : 'unknown-verb'
  }
}

/** The letters, digits and marks up to the first blank, bracket or quotation mark, in lower case. */
function firstWord(text: string): string {
  return /^[^\s()[\]{}"']*/.exec(text.trimStart())![0].toLowerCase()
}
