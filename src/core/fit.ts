import type { OverflowCounts } from './errors.js'
import { CallError, ShaketableError } from './errors.js'
import type { Attempt, Completion, Message, Model, Sampling, ToolDefinition } from './model.js'
import { charactersOf } from './tokens.js'

/** A prompt whose oldest part can be left out. */
export interface CuttablePrompt {
  messages(): readonly Message[]
  tools?(): readonly ToolDefinition[]
  /** @returns whether there was anything left to leave out */
  cut?(): boolean
}

/** What came of asking: a reply, and how many parts of the prompt were left out for it. */
interface Fitted {
  /** With the attempts that were refused as too long. */
  readonly completion: Completion
  readonly cut: number
}

/**
 * Asks with a prompt that is cut until it fits. `ask` makes one call; its `maxTokens` is 0 where tokens are counted.
 */
type FittingAsk = (
  prompt: CuttablePrompt,
  ask: (maxTokens: number) => Completion | Promise<Completion>,
) => Promise<Fitted>

/**
 * Characters a token, from the densest text to the sparsest: household histories measure 2.43 with the vocabulary of
 * Llama 2, BabyAI's 3.8, English prose up to 4.5.
 */
const charactersPerToken = { least: 2.4, most: 4.5 } as const
/**
 * A count outside of these bounds, in characters a token, is not one of this prompt: zeros, or without what is cached.
 */
const credible = { least: 0.25, most: 8 } as const
/** The most that a chat template adds to a message. */
const tokensPerMessage = 6
/** Refusals of one call after which all is left out that can be. */
const maxRefusals = 6
/** How much shorter a prompt becomes after a refusal that says nothing of how long it was. */
const shareKept = 0.8

interface Size {
  readonly characters: number
  readonly messages: number
}

/**
 * Makes what keeps the prompts of one episode within the model's context. The length of a prompt is told from the last
 * one whose tokens are known (by the usage of its reply, a count or a refusal), with the densest text for what was
 * added since. Where that leaves open whether it fits and the model counts, it is counted. All of it is learned within
 * the episode, so that an episode is cut alike whichever others are played beside it.
 */
export function createFitting(model: Model, maxTokens: Sampling['maxTokens']): FittingAsk {
  let room = model.contextTokens === undefined ? Infinity : model.contextTokens - maxTokens
  let known: { readonly size: Size; readonly tokens: number } | undefined

  const sizeOf = (prompt: CuttablePrompt): Size => {
    const messages = prompt.messages()
    return { characters: charactersOf(messages, prompt.tools?.()), messages: messages.length }
  }
  const learn = (size: Size, tokens: number | undefined): void => {
    if (tokens === undefined || !isCredible(size, tokens)) return
    known = { size, tokens }
  }
  const boundsOf = ({ characters, messages }: Size): TokenBounds => {
    if (known === undefined) return boundTokens(characters, messages)
    const { size, tokens } = known
    const added = boundTokens(characters - size.characters, Math.max(0, messages - size.messages))
    return { least: tokens + added.least, most: tokens + added.most }
  }
  const fit = async (prompt: CuttablePrompt, ask: Parameters<FittingAsk>[1]): Promise<number> => {
    for (let cut = 0; ; cut++) {
      const size = sizeOf(prompt)
      let { least, most } = boundsOf(size)
      if (most <= room) return cut
      if (least <= room && model.counts && known?.size.characters !== size.characters) {
        learn(size, await count(ask))
        ;({ least, most } = boundsOf(size))
        if (most <= room) return cut
      }
      if (prompt.cut?.() !== true) return cut
    }
  }
  /** Makes a refused prompt shorter. @returns how many parts were left out */
  const shorten = (prompt: CuttablePrompt, told: OverflowCounts, refusals: number): number => {
    const refused = sizeOf(prompt)
    const { promptTokens, contextTokens = Infinity, maxPromptTokens = Infinity } = told
    room = Math.min(room, contextTokens - maxTokens, maxPromptTokens)
    learn(refused, promptTokens)
    const tellsWhy = boundsOf(refused).most > room
    for (let cut = 0; ; cut++) {
      const size = sizeOf(prompt)
      const isShorter = tellsWhy ? boundsOf(size).most <= room : size.characters <= shareKept * refused.characters
      if ((isShorter && cut > 0 && refusals < maxRefusals) || prompt.cut?.() !== true) return cut
    }
  }
  return async (prompt, ask) => {
    const refused: Attempt[] = []
    let cut = 0
    for (let refusals = 1; ; refusals++) {
      if (room !== Infinity) cut += await fit(prompt, ask)
      try {
        const reply = ask(maxTokens)
        const completion = reply instanceof Promise ? await reply : reply
        if (completion.promptTokens !== undefined) learn(sizeOf(prompt), completion.promptTokens)
        return { completion: withAttempts(completion, refused), cut }
      } catch (thrown) {
        if (!isOverflow(thrown)) throw thrown
        const { attempts = [], overflow = {} } = thrown instanceof CallError ? thrown : {}
        const shorter = shorten(prompt, overflow, refusals)
        refused.push(...attempts)
        if (shorter === 0) throw new CallError('context-overflow', thrown.message, refused, { cause: thrown, overflow })
        cut += shorter
      }
    }
  }
}

/** The least and the most tokens that a text may have, or may take away where its characters are below 0. */
interface TokenBounds {
  readonly least: number
  readonly most: number
}

/** Bounds for so many characters in so many messages, of which nothing else is known. */
export function boundTokens(characters: number, messages: number): TokenBounds {
  const bounds = [
    characters / charactersPerToken.least + messages * tokensPerMessage,
    characters / charactersPerToken.most,
  ]
  return { least: Math.min(...bounds), most: Math.max(...bounds) }
}

/** Whether a model threw because its prompt does not fit. */
export function isOverflow(thrown: unknown): thrown is ShaketableError {
  return thrown instanceof ShaketableError && thrown.code === 'context-overflow'
}

/** The model's own count; undefined where it cannot be had now. */
async function count(ask: Parameters<FittingAsk>[1]): Promise<number | undefined> {
  try {
    return (await ask(0)).promptTokens
  } catch (thrown) {
    if (thrown instanceof ShaketableError && thrown.code === 'model') return undefined
    throw thrown
  }
}

function isCredible({ characters, messages }: Size, tokens: number): boolean {
  const { least, most } = credible
  return tokens > 0 && tokens >= characters / most && tokens <= characters / least + 32 * messages
}

function withAttempts(completion: Completion, refused: readonly Attempt[]): Completion {
  return refused.length === 0 ? completion : { ...completion, attempts: [...refused, ...(completion.attempts ?? [])] }
}
