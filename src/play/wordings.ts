import type { CallNames } from './ask.js'
import type { Step, Summed, WordingScores } from '../core/episode.js'
import type { World } from '../core/environment.js'
import { CallError } from '../models/call-error.js'
import type { Completion, Message, Model, Sampling, TokenLogprob } from '../core/model.js'
import { isPerturbed } from '../core/perturb.js'

/**
 * Maximum number of steps per episode whose wordings are scored by separate calls, spread evenly; two calls per step.
 */
export const maxScoredSteps = 8
/** Maximum number of tokens of an action that are stored individually. */
const maxTokensKept = 256

type Tokens = NonNullable<Completion['logprobs']>

/** A reply with the action found in it. */
export interface Acted {
  readonly text: string
  readonly action: string
  readonly tokens: Tokens | undefined
}

/** The offset of each token in the reply's text. Tokens before the text, such as reasoning, are left out. */
function placeTokens({ text, tokens = [] }: Acted): readonly { readonly at: number; readonly token: Tokens[number] }[] {
  const begins =
    text === ''
      ? -1
      : tokens
          .map(({ token }) => token)
          .join('')
          .lastIndexOf(text)
  if (begins === -1) return []
  let at = -begins
  return tokens.flatMap((token) => {
    const placed = { at, token }
    at += token.token.length
    return at > 0 && placed.at < text.length ? [placed] : []
  })
}

/**
 * The tokens of a reply that overlap its action. Undefined if the tokens do not spell the reply, or the reply does
 * not contain the action.
 */
export function actionTokensOf(acted: Acted): Step['actionTokens'] {
  const begin = acted.action === '' ? -1 : acted.text.lastIndexOf(acted.action)
  const end = begin + acted.action.length
  const own = placeTokens(acted).filter(({ at, token }) => begin !== -1 && at < end && at + token.token.length > begin)
  if (own.length === 0) return undefined
  const list = own.map(({ token: { token, logprob } }) => ({ token: token.slice(0, 100), logprob }))
  return { ...sumOf(list), list: list.slice(0, maxTokensKept) }
}

/** @returns the number of tokens and the sum of their log-probabilities */
function sumOf(tokens: readonly TokenLogprob[]): Summed {
  return { tokens: tokens.length, sum: tokens.reduce((sum, { logprob }) => sum + logprob, 0) }
}

/** Both wordings of an action. */
export interface Wordings {
  readonly present: string
  readonly original: string
}

/**
 * An action in the perturbed wording and in the original wording of its form, with item names in the perturbed spelling
 * in both. Undefined if the two are equal, or if the unperturbed environment does not understand the action.
 */
export async function wordingsOf(world: World, action: string): Promise<Wordings | undefined> {
  if (!isPerturbed(world)) return undefined
  const { command } = world.toEnvironment(action)
  if (!(await world.original.understands?.(command))) return undefined
  const [present, original] = [world.fromEnvironment(command), world.fromEnvironment(command, 'items')]
  return present === original ? undefined : { present, original }
}

/**
 * The log-probabilities of the first tokens in which two wordings differ, if the reply reached that place: for each
 * wording the likeliest reported token that continues it and not the other. They do not cover the rest of a wording.
 * Undefined if no reported token continues one of the two.
 */
export function firstDifference(
  acted: Acted,
  { present, original }: Wordings,
): { readonly present: Summed; readonly original: Summed } | undefined {
  const begin = acted.action === '' ? -1 : acted.text.lastIndexOf(acted.action)
  if (begin === -1) return undefined
  const before = acted.text.slice(0, begin)
  const [asPresent, asOriginal] = [before + present, before + original]
  for (const { at, token } of placeTokens(acted)) {
    if (at + token.token.length <= begin) continue
    if (at < 0 || !asPresent.startsWith(acted.text.slice(0, at)) || !asOriginal.startsWith(acted.text.slice(0, at)))
      break
    const continues = (text: string, { token: word }: TokenLogprob): boolean => {
      const rest = text.slice(at)
      return word !== '' && rest !== '' && (rest.startsWith(word) || word.startsWith(rest))
    }
    const isOfBoth = continues(asPresent, token) && continues(asOriginal, token)
    if (isOfBoth) continue
    const reported = [token, ...(token.top ?? [])]
    const likeliest = (of: string, other: string): Summed | undefined => {
      const own = reported.filter((one) => continues(of, one) && !continues(other, one)).map(({ logprob }) => logprob)
      return own.length === 0 ? undefined : { tokens: 1, sum: Math.max(...own) }
    }
    const [of, other] = [likeliest(asPresent, asOriginal), likeliest(asOriginal, asPresent)]
    return of && other && { present: of, original: other }
  }
  return undefined
}

/** A step whose action has two wordings, with the input for scoring them. */
interface Candidate {
  readonly step: number
  readonly messages: readonly Message[]
  /** The text of the reply before its action. */
  readonly before: string
}

/** Measures the log-probabilities of both wordings of actions. */
interface WordingScorer {
  /** Records a step by its number from 0; must be called before its observation is added. */
  look(step: number, messages: readonly Message[], acted: Acted, wordings: Wordings): WordingScores
  /**
   * Scores the recorded steps that need calls of their own. A step whose call fails stays without scores.
   * @throws the reason of an abort, and any error of a model that is not a CallError
   */
  finish(steps: Step[]): Promise<void>
}

/** Creates a scorer for one episode, or for one trial; undefined for a model without log-probabilities. */
export function createWordingScorer(
  model: Model,
  sampling: Sampling,
  { episode }: CallNames,
): WordingScorer | undefined {
  if (model.logprobs === undefined) return undefined
  const byCalls = model.logprobs === 'continuations'
  let candidates: Candidate[] = []
  let [seen, stride] = [0, 1]
  let calls = 0

  const score = async ({ messages, before }: Candidate, text: string): Promise<Completion> =>
    model.complete([...messages, { role: 'assistant', content: before + text }], {
      ...sampling,
      maxTokens: 1,
      stop: [],
      scored: text.length,
      ...(episode !== undefined && { call: { episode: `${episode} · wordings`, number: calls++ } }),
    })
  const scoreStep = async (candidate: Candidate, step: Step): Promise<Step> => {
    const { present, original } = step.wordings!
    const completions: Completion[] = []
    let failed: CallError | undefined
    for (const { text } of [present, original]) {
      try {
        completions.push(await score(candidate, text))
      } catch (thrown) {
        sampling.signal?.throwIfAborted()
        if (!(thrown instanceof CallError)) throw thrown
        failed = thrown
        break
      }
    }
    const scores = completions.map(({ logprobs = [] }) => logprobs)
    const isScored = scores.length === 2 && scores.every(({ length }) => length > 0)
    const attempts = [
      ...(step.attempts ?? []),
      ...completions.flatMap((one) => one.attempts ?? []),
      ...(failed?.attempts ?? []),
    ]
    const total = (of: (one: Completion) => number | undefined): number =>
      completions.reduce((sum, one) => sum + (of(one) ?? 0), 0)
    const wordings: WordingScores = {
      present: { text: present.text, ...(isScored && sumOf(scores[0]!)) },
      original: { text: original.text, ...(isScored && sumOf(scores[1]!)) },
      asked: true,
      calls: completions.length,
      promptTokens: total((one) => one.promptTokens),
      completionTokens: total((one) => one.completionTokens),
    }
    return { ...step, wordings, ...(attempts.length > 0 && { attempts }) }
  }
  return {
    look(step, messages, acted, { present, original }) {
      if (!byCalls) {
        const found = firstDifference(acted, { present, original })
        return {
          present: { text: present, ...found?.present },
          original: { text: original, ...found?.original },
          asked: true,
        }
      }
      const begin = acted.action === '' ? -1 : acted.text.lastIndexOf(acted.action)
      if (begin !== -1 && seen++ % stride === 0) {
        candidates.push({ step, messages, before: acted.text.slice(0, begin) })
        if (candidates.length >= 2 * maxScoredSteps) {
          candidates = candidates.filter((_, place) => place % 2 === 0)
          stride *= 2
        }
      }
      return { present: { text: present }, original: { text: original }, asked: begin === -1 }
    },
    async finish(steps) {
      const chosen = Math.min(maxScoredSteps, candidates.length)
      for (let place = 0; place < chosen; place++) {
        const candidate = candidates[Math.floor((place * candidates.length) / chosen)]!
        steps[candidate.step] = await scoreStep(candidate, steps[candidate.step]!)
      }
    },
  }
}
