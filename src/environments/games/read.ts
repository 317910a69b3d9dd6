import { wordsOf } from './tokens.js'

/** What a verb takes: so many objects. */
export interface Verb {
  readonly slots: number
}

/**
 * Reads an action as AgentBoard does. The first word that is a verb counts, wherever it stands; then come the objects in the order in which the text
 * names them, as many as the verb takes; all other words are passed over.
 * @param verbOf what can be done now by that word
 * @returns undefined where there is no verb, or the text names fewer objects than it takes
 */
export function readWords<T extends Verb>(
  text: string,
  verbOf: (word: string) => T | undefined,
  isObject: (word: string) => boolean,
): { readonly verb: T; readonly objects: readonly string[] } | undefined {
  const words = wordsOf(text)
  for (const word of words) {
    const verb = verbOf(word)
    if (verb === undefined) continue
    if (verb.slots === 0) return { verb, objects: [] }
    const objects = words.filter(isObject)
    return objects.length < verb.slots ? undefined : { verb, objects: objects.slice(0, verb.slots) }
  }
  return undefined
}
