import { plainText } from '../../src/tables/plain.js'
import type { Attributes } from './_svg.js'
import { element, escapeText } from './_svg.js'

/** Common fonts; a chart embeds none. */
export const fontFamily = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"

/** Width of bold letters relative to regular ones. */
export const boldness = 1.08

/**
 * Widths of letters in ems in DejaVu Sans, the widest of the usual families, so that text fits with any of them.
 */
const kinds: readonly (readonly [letters: RegExp, width: number])[] = [
  [/\p{M}/u, 0],
  [/[ijlI.,:;'|!()[\]/\\ ]/, 0.4],
  [/[frt"-]/, 0.47],
  [/[mwMW@%…]/, 1],
  [/[A-HJ-Z]/, 0.8],
  [/[+<=>&~#^−–±×]/, 0.84],
  [
    /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u,
    1.1,
  ],
]

function measureLetter(letter: string): number {
  return kinds.find(([letters]) => letters.test(letter))?.[1] ?? 0.64
}

const ascii = Array.from({ length: 128 }, (_, code) => measureLetter(String.fromCharCode(code)))

/** The estimated width of a text at a size, in the chart's units; an overestimate rather than an underestimate. */
export function textWidth(text: string, size: number): number {
  let ems = 0
  for (const letter of text) ems += ascii[letter.codePointAt(0)!] ?? measureLetter(letter)
  return ems * size
}

/** Bounds text made of combining marks, which have no width. */
const maxLetters = 200

/**
 * The text, or as much of its beginning and end as fits a width, with `…` between: names often differ only at their
 * ends.
 */
export function fitText(text: string, width: number, size: number): string {
  const plain = plainText(text)
  if (plain.length <= maxLetters && textWidth(plain, size) <= width) return plain
  const letters = [...plain]
  let fitted = '…'
  for (let kept = 1; kept < Math.min(letters.length, maxLetters); kept++) {
    const end = letters.slice(letters.length - Math.floor(kept / 2)).join('')
    const longer = `${letters.slice(0, Math.ceil(kept / 2)).join('')}…${end}`
    if (textWidth(longer, size) > width) break
    fitted = longer
  }
  return fitted
}

/**
 * Wraps a text in lines no wider than a width. A wider word is cut; text beyond `maxLines` is left out, with `…` at the
 * end.
 */
export function wrapText(text: string, width: number, size: number, maxLines: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of plainText(text).split(/ +/)) {
    const longer = line === '' ? word : `${line} ${word}`
    if (longer.length <= maxLetters && textWidth(longer, size) <= width) {
      line = longer
      continue
    }
    if (line !== '' && lines.push(line) === maxLines) return [...lines.slice(0, -1), addEllipsis(line, width, size)]
    line = fitText(word, width, size)
  }
  return line === '' ? lines : [...lines, line]
}

function addEllipsis(line: string, width: number, size: number): string {
  const letters = [...line]
  while (letters.length > 0 && textWidth(`${letters.join('')}…`, size) > width) letters.pop()
  return `${letters.join('')}…`
}

/** Width for the widest of some names plus `beside`, at most `max`. */
export function nameRoom(names: readonly string[], size: number, beside: number, max: number): number {
  const widest = names.reduce((width, name) => Math.max(width, textWidth(plainText(name), size)), 0)
  return Math.ceil(Math.min(max, beside + widest))
}

/**
 * Text with its baseline on `y`, in ink unless `fill` is given. Text that does not fit `width` is cut; its tooltip is
 * the full text.
 */
export function label(
  text: string,
  { width, size = 11, ...attributes }: Attributes & { readonly width?: number; readonly size?: number },
): string {
  const letterSize = attributes['font-weight'] === undefined ? size : size * boldness
  const shown = width === undefined ? text : fitText(text, width, letterSize)
  const full = width !== undefined && shown !== plainText(text) ? element('title', {}, escapeText(text)) : ''
  return element('text', { 'font-size': size, ...attributes }, full + escapeText(shown))
}
