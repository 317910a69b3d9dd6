import type { Step, Summed, WordingScores } from '../core/episode.js'
import type { World } from '../core/environment.js'
import type { Completion, TokenLogprob } from '../core/model.js'
import { isPerturbed } from '../core/perturb.js'

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
  const tokens = placeTokens(acted).filter(
    ({ at, token }) => begin !== -1 && at < end && at + token.token.length > begin,
  )
  if (tokens.length === 0) return undefined
  const list = tokens.map(({ token: { token, logprob } }) => ({ token: token.slice(0, 100), logprob }))
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
      const tokens = reported
        .filter((tokenLogprob) => continues(of, tokenLogprob) && !continues(other, tokenLogprob))
        .map(({ logprob }) => logprob)
      return tokens.length === 0 ? undefined : { tokens: 1, sum: Math.max(...tokens) }
    }
    const [of, other] = [likeliest(asPresent, asOriginal), likeliest(asOriginal, asPresent)]
    return of && other && { present: of, original: other }
  }
  return undefined
}

/** How likely an action is that a reply contains, and both of its wordings where it has two. */
export async function likelihoodOf(world: World, action: string, acted: Acted): Promise<Partial<Step>> {
  const actionTokens = actionTokensOf(acted)
  const both = await wordingsOf(world, action)
  const difference = both && firstDifference(acted, both)
  const wordings: WordingScores | undefined = both && {
    present: { text: both.present, ...difference?.present },
    original: { text: both.original, ...difference?.original },
  }
  return { ...(actionTokens && { actionTokens }), ...(wordings && { wordings }) }
}
