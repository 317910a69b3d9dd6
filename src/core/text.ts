/**
 * Text that an environment says. Where it quotes a command or an action form it carries that as data beside the prose, so that a
 * perturbation never has to search for it: `['Valid: ', { command: 'go to desk 1' }]`.
 */
export type Text = readonly Piece[]

/** Prose; or a command in an environment's wording; or an action form, printed with each slot filled as `fill` says (default `{slot}`). */
export type Piece =
  string | { readonly command: string } | { readonly form: string; readonly fill?: Readonly<Record<string, string>> }

/** Whether a value that somebody else made is prose or a list of pieces. */
export function isText(value: unknown): value is string | Text {
  return typeof value === 'string' || (Array.isArray(value) && value.every(isPiece))
}

function isPiece(value: unknown): value is Piece {
  if (typeof value === 'string') return true
  const { command, form } = (value ?? {}) as { command?: unknown; form?: unknown }
  return typeof command === 'string' || typeof form === 'string'
}

/** What a reader of the text sees. */
export function textOf(text: Text): string {
  if (text.length === 1 && typeof text[0] === 'string') return text[0]
  return text.map(pieceText).join('')
}

/** What a reader of one piece sees. */
export function pieceText(piece: Piece): string {
  if (typeof piece === 'string') return piece
  if ('command' in piece) return piece.command
  const { form, fill } = piece
  return fill === undefined
    ? form
    : form.replace(/\{(\w+)\}/g, (slot, name: string) => (Object.hasOwn(fill, name) ? fill[name]! : slot))
}

/** Quotes commands in a list: `quoteCommands(['a', 'b'], ', ')` reads `a, b`. */
export function quoteCommands(commands: readonly string[], separator: string): Piece[] {
  return commands.flatMap((command, index): Piece[] => (index === 0 ? [{ command }] : [separator, { command }]))
}

/** The parts of a conversation that a perturbation can reach. */
export const parts = ['instruction', 'examples', 'observations', 'admissible'] as const
/**
 * One of {@link parts}: the briefing's instruction and forms, its worked examples, what the world says, and lists of
 * commands in it.
 */
export type Part = (typeof parts)[number]
