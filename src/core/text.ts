import { printForm } from './form.js'

/**
 * Text of an environment. Quoted commands, lists of commands and action forms are data beside the prose, so that a
 * perturbation never has to search for them: `['Valid: ', { list: ['go to desk 1', 'look'] }]`.
 */
export type Text = readonly Piece[]

/**
 * Prose; a command in an environment's wording; a list of commands, printed with `separator` between them (default `,
 * `); or an action form, printed with the values of `fill` in its slots (default `{slot}`).
 */
export type Piece =
  | string
  | { readonly command: string }
  | CommandList
  | { readonly form: string; readonly fill?: Readonly<Record<string, string>> }

/** A list of commands in a text, such as those possible now. */
export interface CommandList {
  readonly list: readonly string[]
  readonly separator?: string
}

/** One of the two wordings of mode `alias`: `original` is that of the world below the lens, `alias` the lens's own. */
export type Wording = 'original' | 'alias'

/** A text as pieces. */
export function piecesOf(text: string | Text): Text {
  return typeof text === 'string' ? [text] : text
}

/** A text with its prose changed; quoted commands, lists and forms stay. */
export function mapProse(text: Text, change: (prose: string) => string): Text {
  return text.map((piece) => (typeof piece === 'string' ? change(piece) : piece))
}

/** The text as it is printed. */
export function textOf(text: Text): string {
  if (text.length === 1 && typeof text[0] === 'string') return text[0]
  return text.map(pieceText).join('')
}

/** A piece as it is printed. */
export function pieceText(piece: Piece): string {
  if (typeof piece === 'string') return piece
  if ('command' in piece) return piece.command
  if ('list' in piece) return piece.list.join(piece.separator ?? ', ')
  return piece.fill === undefined ? piece.form : printForm(piece.form, piece.fill)
}

/** The parts of a conversation that a perturbation can reach. */
export const parts = ['instruction', 'examples', 'observations', 'admissible'] as const
/**
 * One of {@link parts}: the briefing's instruction and forms, its worked examples, the observations, and the lists of
 * commands in observations.
 */
export type Part = (typeof parts)[number]

/** A copy in memory of its own, where a slice would keep the whole original text in memory. */
export function copyText(text: string): string {
  const encoding = /[\u0100-\uffff]/.test(text) ? 'utf16le' : 'latin1'
  return Buffer.from(text, encoding).toString(encoding)
}
