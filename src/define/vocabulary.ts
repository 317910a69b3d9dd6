import * as z from 'zod'

/** The words of an environment as data, so that any perturbation can replace them. Everything is optional. */
export interface Vocabulary {
  /**
   * Other wordings of each action form, by its template: the first for draw 1, the second for draw 2, and so on. Within
   * a draw no two forms may get the same words.
   */
  readonly actions?: Readonly<Record<string, readonly string[]>>
  /** Another order of the words of an action form, by its template, where the items of the form do not suggest one. */
  readonly orders?: Readonly<Record<string, string>>
  /** Other common names of kinds of item, by the kind as names have it: `fridge` of `fridge 1`. */
  readonly items?: Readonly<Record<string, readonly string[]>>
  /**
   * Other wordings of goals, and of parts of goals between connectors such as `, then `: five or more each, in the
   * order of draws, with the slots of their templates.
   */
  readonly goals?: {
    readonly rules: Readonly<Record<string, readonly string[]>>
    readonly connectors?: Readonly<Record<string, readonly string[]>>
  }
  /** Other sentences for those of observations, five or more each; `{n#}` takes digits alone. */
  readonly observations?: Readonly<Record<string, readonly string[]>>
  /**
   * Sentences that distract, ten or more each, with `{item}` in them. Each must be true whatever the state of a world,
   * and ask for nothing.
   */
  readonly distractors?: {
    /** Fills `{item}` of `topical`, but for what the goal mentions. */
    readonly items: readonly string[]
    /** What is generally so. */
    readonly topical: readonly string[]
    /** What happened in the past and in another place; `{item}` is filled with an item of the goal. */
    readonly nearMiss: readonly string[]
  }
  /**
   * Sentences of observations that say a fact which a second look shows again, by their templates: `{subject}` is what
   * it is about, `{false}` the word that can be said wrongly, and `{list}` items of which one can be left out. The
   * wrong word is another of the same group here, or another item of the same kind.
   */
  readonly facts?: Readonly<Record<string, readonly (readonly string[])[]>>
  /** Pairs of action forms with the same slots and contrary meanings, by their templates. */
  readonly swaps?: readonly (readonly [string, string])[]
  /**
   * How an action is written as a call, where the environment would take `verb(slot=item)` for the verb itself: what
   * stands before the verb, and between slot and item.
   */
  readonly calls?: { readonly prefix: string; readonly equals: string }
}

const text = z.string().min(1)
const texts = z.array(text).min(1)
const wordings = z.record(text, texts)

/** What a {@link Vocabulary} may hold. */
export const vocabularySchema: z.ZodType<Vocabulary> = z.strictObject({
  actions: wordings.optional(),
  orders: z.record(text, text).optional(),
  items: wordings.optional(),
  goals: z.strictObject({ rules: wordings, connectors: wordings.optional() }).optional(),
  observations: wordings.optional(),
  distractors: z.strictObject({ items: texts, topical: texts, nearMiss: texts }).optional(),
  facts: z.record(text, z.array(texts)).optional(),
  swaps: z.array(z.tuple([text, text])).optional(),
  calls: z.strictObject({ prefix: text, equals: text }).optional(),
}) as z.ZodType<Vocabulary>
