import type { CallNames } from './ask.js'
import type { Step, Summed, WordingScores } from './episode.js'
import { CallError } from './errors.js'
import type { Completion, Message, Model, Sampling, TokenLogprob } from './model.js'

/** Steps of an episode whose two wordings are scored by calls of their own, at even distances; two calls each. */
export const maxScoredSteps = 8
/** Tokens of an action that are kept one by one. */
const maxTokensKept = 256

type Tokens = NonNullable<Completion['logprobs']>

/** A reply in which an action was found. */
export interface Acted {
  readonly text: string
  readonly action: string
  readonly tokens: Tokens | undefined
}

/** Where each token of a reply's text begins in it; what comes before the text, such as reasoning, is left out. */
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
 * The tokens of a reply that make up its action, those that reach beyond its ends included. Undefined where the tokens
 * do not spell the reply, and where the action does not stand in it.
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
 * The log-probabilities of the first tokens in which two wordings differ, where a reply came to that place: each the
 * likeliest of the tokens told there with which one wording goes on and the other does not. Less than the wording's own
 * log-probability is not known of it. Undefined where one of the two is not among the tokens told.
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
    const goesOn = (text: string, { token: word }: TokenLogprob): boolean => {
      const rest = text.slice(at)
      return word !== '' && rest !== '' && (rest.startsWith(word) || word.startsWith(rest))
    }
    const isOfBoth = goesOn(asPresent, token) && goesOn(asOriginal, token)
    if (isOfBoth) continue
    const told = [token, ...(token.top ?? [])]
    const likeliest = (of: string, other: string): Summed | undefined => {
      const own = told.filter((one) => goesOn(of, one) && !goesOn(other, one)).map(({ logprob }) => logprob)
      return own.length === 0 ? undefined : { tokens: 1, sum: Math.max(...own) }
    }
    const [of, other] = [likeliest(asPresent, asOriginal), likeliest(asOriginal, asPresent)]
    return of && other && { present: of, original: other }
  }
  return undefined
}

/** A step whose action has two wordings, with what is needed to score them. */
interface Candidate {
  readonly step: number
  readonly messages: readonly Message[]
  /** What the reply says before its action. */
  readonly before: string
}

/** Finds out how likely the wordings of an episode's actions are. */
interface WordingScorer {
  /** Looks at a step, by its number from 0, before anything is observed. */
  look(step: number, messages: readonly Message[], acted: Acted, wordings: Wordings): WordingScores
  /**
   * Scores what is left to be scored by calls; a call that fails leaves its step without scores.
   * @throws whatever a model throws that is not a failed call, and whatever an abort throws
   */
  finish(steps: Step[]): Promise<void>
}

/** Makes a scorer for one episode, or one trial of one; undefined for a model without log-probabilities. */
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
    const told = completions.map(({ logprobs = [] }) => logprobs)
    const isTold = told.length === 2 && told.every(({ length }) => length > 0)
    const attempts = [
      ...(step.attempts ?? []),
      ...completions.flatMap((one) => one.attempts ?? []),
      ...(failed?.attempts ?? []),
    ]
    const total = (of: (one: Completion) => number | undefined): number =>
      completions.reduce((sum, one) => sum + (of(one) ?? 0), 0)
    const wordings: WordingScores = {
      present: { text: present.text, ...(isTold && sumOf(told[0]!)) },
      original: { text: original.text, ...(isTold && sumOf(told[1]!)) },
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
