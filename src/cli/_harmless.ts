/**
 * Text that came from a model or a file, made harmless for a terminal: control characters, escape sequences and marks
 * that turn the direction of writing are written out, so that they are seen and do nothing. Line ends stay, tabs become
 * spaces.
 */
export function harmless(text: string): string {
  return text.replace(/\r\n/g, '\n').replace(/\t/g, '  ').replace(acting, writeOut)
}

/** Control characters but line ends, and marks that turn the direction of writing or are not seen. */
export const acting = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

/** The same on one line. */
export function harmlessLine(text: string): string {
  return harmless(text).replace(/\n/g, '\\n')
}

function writeOut(character: string): string {
  const code = character.charCodeAt(0)
  return code < 256 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}
