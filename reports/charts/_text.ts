import { plainText } from '../formats/plain.js'
import type { Attributes } from './_svg.js'
import { element, escapeText } from './_svg.js'

/** Families that are on some machine or other; a chart brings no letters of its own. */
export const fontFamily = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"

/** Widths of letters in ems, as wide as the widest of the usual families (DejaVu Sans) has them, so that text fits with any of them. */
const widths: readonly (readonly [letters: RegExp, width: number])[] = [
  [/\p{M}/u, 0],
  [/[ijlI.,:;'|!()[\]/\\ ]/, 0.4],
  [/[frt"-]/, 0.47],
  [/[mwMW@%]/, 1],
  [/[A-HJ-Z+<=>&~#^−–±…×]/, 0.8],
  [
    /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u,
    1.1,
  ],
]
const otherwise = 0.64

/** How much wider bold letters are. */
export const boldness = 1.08

/** About how wide a text is at a size in the chart's units; rather too much than too little. */
export function textWidth(text: string, size: number): number {
  let ems = 0
  for (const letter of text) ems += widths.find(([letters]) => letters.test(letter))?.[1] ?? otherwise
  return ems * size
}

/** The text, or as much of its beginning and end as fits a width with `…` between: names often differ in their ends alone. */
export function fitText(text: string, width: number, size: number): string {
  const letters = [...plainText(text)]
  if (letters.length <= mostLetters && textWidth(letters.join(''), size) <= width) return letters.join('')
  let fitted = '…'
  for (let kept = 1; kept < Math.min(letters.length, mostLetters); kept++) {
    const longer = `${letters.slice(0, Math.ceil(kept / 2)).join('')}…${letters.slice(letters.length - Math.floor(kept / 2)).join('')}`
    if (textWidth(longer, size) > width) break
    fitted = longer
  }
  return fitted
}
/** Marks that take no width would otherwise have no end. */
const mostLetters = 200

/** Room for the widest of some names with what stands beside it, between a least and a most. */
export function nameRoom(names: readonly string[], size: number, beside: number, most: number): number {
  return Math.ceil(Math.min(most, beside + Math.max(0, ...names.map((name) => textWidth(plainText(name), size)))))
}

/** A text in lines no wider than a width; a word that is wider is cut, and what is beyond so many lines is left out with `…`. */
export function wrapText(text: string, width: number, size: number, most: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of plainText(text).split(/ +/)) {
    const longer = line === '' ? word : `${line} ${word}`
    if (textWidth(longer, size) <= width) {
      line = longer
      continue
    }
    if (line !== '') lines.push(line)
    if (lines.length >= most) return [...lines.slice(0, most - 1), fitText(`${lines[most - 1]!} ${word}…`, width, size)]
    line = fitText(word, width, size)
  }
  if (line !== '') lines.push(line)
  return lines
}

/** Text at a place, its baseline on `y`; what does not fit `width` is cut and told in full where the pointer rests. */
export function label(
  text: string,
  { width, size = 11, ...attributes }: Attributes & { readonly width?: number; readonly size?: number },
): string {
  const shown = width === undefined ? text : fitText(text, width, attributes['font-weight'] ? size * boldness : size)
  const full = width !== undefined && shown !== plainText(text) ? element('title', {}, escapeText(text)) : ''
  return element('text', { 'font-size': size, fill: 'ink', ...attributes }, full + escapeText(shown))
}
