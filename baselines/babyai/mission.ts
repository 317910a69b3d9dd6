/** A description of what is wanted. */
export interface Wanted {
  /** `key`, `ball`, `box`, `door`; empty for any. */
  readonly type: string
  readonly colour: string
  /** Where it is to be, seen from the start. */
  readonly side: '' | 'left' | 'right' | 'front' | 'behind'
}

/** One thing to be done. */
export interface Errand {
  readonly deed: 'go' | 'take' | 'open' | 'put'
  readonly thing: Wanted
  /** What it is to be put next to. */
  readonly beside?: Wanted
}

const mostErrands = 8

/**
 * Reads an instruction as a row of errands, the first to be done first. What stands behind a bare `and` may have been said to come first (a
 * benchmark writes `and` for `after you`, and leaves the comma of `, then`), and where it was not, the order does not matter.
 */
export function readMission(instruction: string): readonly Errand[] {
  const text = instruction.toLowerCase().slice(0, 1000)
  const groups = text.split(/,(?: *and\b)?(?: *then\b)?|\b(?:and )?then\b/)
  return groups
    .flatMap((group) =>
      group
        .split(/\b(?:and|after you)\b/)
        .reverse()
        .flatMap(readErrand),
    )
    .slice(0, mostErrands)
}

function readErrand(text: string): Errand | [] {
  const put = /\b(?:put|place|lay|drop|move)\b(.*)\b(?:next to|beside|near|by)\b(.*)/.exec(text)
  if (put !== null) return { deed: 'put', thing: readWanted(put[1]!), beside: readWanted(put[2]!) }
  const wanted = readWanted(text)
  if (/\b(?:open|unlock|toggle)\b/.test(text)) return { deed: 'open', thing: { ...wanted, type: 'door' } }
  if (/\b(?:pick|pickup|take|get|grab|fetch|collect)\b/.test(text)) return { deed: 'take', thing: wanted }
  if (wanted.type === '' && wanted.colour === '') return []
  return { deed: 'go', thing: wanted }
}

function readWanted(text: string): Wanted {
  const wordIn = (words: RegExp): string => words.exec(text)?.[1] ?? ''
  const side = /\b(left|right|behind|front)\b/.exec(text)?.[1] ?? ''
  return {
    type: wordIn(/\b(key|ball|box|door)\b/),
    colour: wordIn(/\b(red|green|blue|purple|yellow|grey)\b/),
    side: side as Wanted['side'],
  }
}
