import { pythonStrip } from '../python-strip.js'

/**
 * The sentences of a page by ReAct's rule (`wikienv.py`): each line is cut at `. `, and every part gets a full stop,
 * so that the last sentence of a paragraph ends in two.
 */
export function sentencesOf(page: string): readonly string[] {
  return page
    .split('\n')
    .map(pythonStrip)
    .flatMap((paragraph) => paragraph.split('. '))
    .map(pythonStrip)
    .filter((sentence) => sentence !== '')
    .map((sentence) => `${sentence}.`)
}

/** A string as Python's `repr` prints it. */
export function pythonRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const inner = text.replace(/[\\'"]|[^\x20-\x7e]/gu, (character) => {
    if (character === '\\') return '\\\\'
    if (character === '"' || character === "'") return character === quote ? `\\${quote}` : character
    if (Object.hasOwn(short, character)) return short[character]!
    // Python prints what is no separator but the blank, no control and no unassigned or private character.
    if (!/[\p{C}\p{Z}]/u.test(character)) return character
    const code = character.codePointAt(0)!
    const [letter, digits] = code <= 0xff ? ['x', 2] : code <= 0xffff ? ['u', 4] : (['U', 8] as const)
    return `\\${letter}${code.toString(16).padStart(digits, '0')}`
  })
  return quote + inner + quote
}

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }
