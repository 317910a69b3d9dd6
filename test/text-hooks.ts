import { type Lens, type Text, type TextPart, type TextPlace, mapProse, textOf } from '../src/index.js'

type TextHook = NonNullable<Lens['text']>

/** Changes the prose of every part. */
export const inProse =
  (change: (text: string, part: TextPart) => string): TextHook =>
  (pieces, { part }) =>
    mapProse(pieces, (text) => change(text, part))

/** Changes whole turns, the opening included. */
export const inTurns =
  (change: (pieces: Text, at: TextPlace) => string | Text): TextHook =>
  (pieces, at) =>
    at.part === 'observations' ? change(pieces, at) : pieces

/** Changes the goal. */
export const inGoal =
  (change: (goal: string) => string): TextHook =>
  (pieces, { part }) =>
    part === 'goal' ? change(textOf(pieces)) : pieces
