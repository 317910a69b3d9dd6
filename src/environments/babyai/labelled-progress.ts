/** Sub-goals of AgentBoard's label file: patterns of what is to be read, or several lists of them, each another way to the goal. */
export type Labels = readonly string[] | readonly (readonly string[])[]

/** Counts what has been read. */
export interface Progress {
  /** Hears what was said; @returns the share of sub-goals reached, 0 to 1, which never falls */
  hear(observation: string): number
}

/**
 * AgentBoard's progress: each observation reaches at most one pattern, the first of those left that fits. With several ways, the patterns at one
 * place of each way stand for each other, and what one of them reaches is struck out of all.
 */
export function createLabelledProgress(labels: Labels): Progress {
  const isWays = labels.some((one) => typeof one !== 'string')
  const ways = (isWays ? labels : [labels]).map((way) => [...(way as readonly string[])])
  const whole = ways[0]?.length ?? 0
  let reached = 0
  return {
    hear(observation) {
      const sentences = observation.split('.')
      const places = ways[0]?.length ?? 0
      for (let place = 0; place < places; place++) {
        const hit = ways.map((way) => way[place]).find((pattern) => pattern !== undefined && fits(pattern, sentences))
        if (hit === undefined) continue
        for (const way of ways) {
          const at = isWays ? place : way.indexOf(hit)
          if (at !== -1) way.splice(at, 1)
        }
        reached++
        break
      }
      return whole === 0 ? 0 : reached / whole
    },
  }
}

/** A pattern is prose with stars for what may stand there; all its parts must stand in one sentence, in any order. */
function fits(pattern: string, sentences: readonly string[]): boolean {
  const text = pattern.trim()
  const parts = text.split(text.includes('**') ? '**' : '*').map((part) => trimStops(part.trim()))
  return sentences.some((sentence) => parts.every((part) => sentence.includes(part)))
}

function trimStops(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && text[start] === '.') start++
  while (end > start && text[end - 1] === '.') end--
  return text.slice(start, end)
}
