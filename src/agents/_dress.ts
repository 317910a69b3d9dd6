/**
 * Characters that show nothing: controls, soft hyphens, zero-width characters, marks of direction and of byte order.
 */
const invisible =
  /[\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe0e\ufe0f\ufeff]/g
const blanks = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g
const lineEnds = /[\v\f\u0085\u2028\u2029]/g
const doubleQuotes = /[«»\u201c-\u201f\u2033\u2036\u300c-\u300f\uff02]/g
const singleQuotes = /[\u2018-\u201b\u2032\u2035\u2039\u203a\uff07]/g
/** A colon of another script behind the first words of a line. */
const wideColon = /^([^\n:]{1,40}?)[\u02d0\u2236\ufe13\ufe30\ufe55\uff1a]/gm
const fence = /^[ \t>]{0,20}(?:`{3,}|~{3,})[ \t]{0,20}[\w+-]{0,20}[ \t]{0,20}$/gm
/** A fence that opens behind a label. */
const labelledFence = /^([^\n`]{1,60}:[ \t*]{0,10})(?:`{3,}|~{3,})[\w+-]{0,20}[ \t]{0,20}$/gm
const anyAction = /^[\s>*#-]{0,20}action(?: ?\d{1,4})?[*\s]{0,4}:|<action>/im
/** A thought with the label of an action within its line. */
const actionWithin =
  /^([\s>*#-]{0,20}(?:[Tt]hought|THOUGHT|[Tt]hink|THINK)[sS]?\b[^\n]*?[\s.!?;,)"'*])(?=\*{0,4}(?:Action|ACTION)(?: ?\d{1,4})?[*\s]{0,4}:)/gm

/**
 * A reply in plain characters, as parsers read it: typographic quotes, blanks and colons as those of a keyboard,
 * without invisible characters and the fences of code blocks; an action on the line of its thought on a line of its
 * own.
 */
export function plainText(reply: string): string {
  const plain = plainBlanks(withoutInvisible(reply).replace(lineEnds, '\n'))
    .replace(doubleQuotes, '"')
    .replace(singleQuotes, "'")
    .replace(labelledFence, '$1')
    .replace(fence, '')
  return anyAction.test(plain) ? plain : plain.replace(actionWithin, '$1\n')
}

/** A text without the characters that show nothing. */
function withoutInvisible(text: string): string {
  return text.replace(invisible, '')
}

/** A text of the same length with the blanks and colons of a keyboard. */
export function plainBlanks(text: string): string {
  return text.replace(blanks, ' ').replace(wideColon, '$1:')
}
