/** A prompt as it is stored: `keep` characters of the prompt at byte `from`, followed by `rest`. */
interface SharedPrompt {
  readonly from?: number
  readonly keep?: number
  readonly rest: string
}

interface Written {
  readonly offset: number
  readonly text: string
  /** Number of other lines to read for it. */
  readonly depth: number
}

/** Maximum number of prompts kept in memory. */
const maxRemembered = 1024
const maxDepth = 64
/** Prompts that share this many first characters probably share their instruction. */
const headCharacters = 400
/** A shorter common beginning is not worth a reference. */
const minShared = 64

/**
 * Creates a function that reduces each prompt to its new part. An agent's prompt grows by a line per call, and all
 * prompts of an experiment begin with the same instruction. So the reference is the last prompt of the same
 * conversation, or else the first with the same beginning.
 */
export function createPromptSharing(): (text: string, conversation: string, offset: number) => SharedPrompt {
  const known = new Map<string, Written>()
  const remember = (key: string, written: Written): void => {
    known.delete(key)
    known.set(key, written)
    if (known.size > maxRemembered) known.delete(known.keys().next().value!)
  }
  return (text, conversation, offset) => {
    const head = text.slice(0, headCharacters)
    const [before, first] = [known.get(conversation), known.get(head)]
    const near = before !== undefined && before.depth < maxDepth ? before : first
    const keep = near === undefined ? 0 : commonStart(near.text, text)
    const shared = near !== undefined && keep >= minShared
    const written: Written = { offset, text, depth: shared ? near.depth + 1 : 0 }
    remember(head, first ?? written)
    remember(conversation, written)
    return shared ? { from: near.offset, keep, rest: text.slice(keep) } : { rest: text }
  }
}

/** Length of the common beginning of two texts. */
export function commonStart(a: string, b: string): number {
  const end = Math.min(a.length, b.length)
  let length = 0
  while (length < end && a.charCodeAt(length) === b.charCodeAt(length)) length++
  return length
}
