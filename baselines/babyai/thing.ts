/** A kind of thing, by its class words. */
export interface Kind {
  /** `key`, `ball`, `box`, `door`. */
  readonly type: string
  readonly colour: string
  /** Of a door: `open`, `closed`, `locked`. */
  readonly state: string
}

const types = ['door', 'key', 'ball', 'box']
const colours = ['red', 'green', 'blue', 'purple', 'yellow', 'grey']
const states = ['open', 'closed', 'locked']
const known = new Map<string, Kind>()

/** What a name stands for: red, ball for `red ball 1`, `red-ball-1`, `RED BALL no. 1`, `redball1`; empty words where it does not say. */
export function readKind(name: string): Kind {
  const before = known.get(name)
  if (before !== undefined) return before
  if (known.size > 10_000) known.clear()
  const letters = name.toLowerCase().replace(/[^a-z]/g, '')
  const wordIn = (words: readonly string[]): string => words.find((word) => letters.includes(word)) ?? ''
  const kind = { type: wordIn(types), colour: wordIn(colours), state: wordIn(states) }
  known.set(name, kind)
  return kind
}

/** The number in a name; 1 where there is none. */
export function numberIn(name: string): number {
  return Number(/\d{1,4}/.exec(name)?.[0] ?? 1)
}

/** Whether two names are of one thing, in whatever spelling. */
export function isSameName(one: string, other: string): boolean {
  if (one === other) return true
  const kind = readKind(one)
  const { type, colour, state } = readKind(other)
  return kind.type === type && kind.colour === colour && kind.state === state && numberIn(one) === numberIn(other)
}
