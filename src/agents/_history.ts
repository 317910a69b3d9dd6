import type { Message } from '../core/model.js'

/** Maximum number of actions and observations that are shown; AgentBoard's `memory_size`. */
export const historySize = 100

/**
 * Maximum number of UTF-16 code units that are shown, some 300,000 tokens. A server that enforces its limit of tokens
 * never comes near it; one that does not would otherwise fill the memory with requests.
 */
const maxHistoryLength = 1 << 20

/** The history of an episode, oldest first, of which only the end is shown. */
export interface History<Entry> {
  add(...entries: readonly Entry[]): void
  shown(): readonly Entry[]
  /** Whether nothing has been left out. */
  isWhole(): boolean
  /**
   * Leaves the oldest entries out from now on, as AgentBoard does where a prompt is too long for its model. The newest
   * always stay.
   * @returns whether there was anything left to leave out
   */
  cut(): boolean
}

/**
 * @param together how many entries are left out at once: 2 for a chat, for a reply and its observation
 */
export function createHistory<Entry extends string | Message>(
  first: readonly Entry[] = [],
  together = 1,
): History<Entry> {
  let entries = [...first]
  let length = entries.reduce((sum, entry) => sum + lengthOf(entry), 0)
  let isWhole = true
  const leaveOut = (count: number): void => {
    for (const entry of entries.slice(0, count)) length -= lengthOf(entry)
    entries = entries.slice(count)
    isWhole = false
  }
  return {
    add(...added) {
      entries.push(...added)
      for (const entry of added) length += lengthOf(entry)
      if (entries.length > historySize) leaveOut(entries.length - historySize)
      while (length > maxHistoryLength && entries.length > together) leaveOut(together)
    },
    shown: () => entries.slice(),
    isWhole: () => isWhole,
    cut() {
      if (entries.length <= together) return false
      leaveOut(together)
      return true
    },
  }
}

function lengthOf(entry: string | Message): number {
  if (typeof entry === 'string') return entry.length
  const { content, reasoning = '', toolCalls = [] } = entry
  return toolCalls.reduce(
    (sum, call) => sum + call.name.length + call.arguments.length,
    content.length + reasoning.length,
  )
}
