import type { Header } from './header.js'
import type { Memory, Meter } from './memory.js'

/** Characters 155 to 223 of stories without a table of their own (section 3.8.5.3 of the standard). */
const extraCharacters = 'äöüÄÖÜß»«ëïÿËÏáéíóúýÁÉÍÓÚÝàèìòùÀÈÌÒÙâêîôûÂÊÎÔÛåÅøØãñõÃÑÕæÆçÇþðÞÐ£œŒ¡¿'

const alphabets = 'abcdefghijklmnopqrstuvwxyz' + 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' + ' \r0123456789.,!?_#\'"/\\-:()'
const firstExtra = 155
const lastExtra = 251
const newline = 13

/** A string has at most this many words of three Z-characters, abbreviations included; real ones have hundreds. */
const maxWords = 50_000

/** The story's characters: ZSCII, its alphabets, and strings of Z-characters (section 3 of the standard). */
export function createText(memory: Memory, header: Header, meter: Meter) {
  /** Words of the string that were decoded so far. */
  let words = 0
  /** The Unicode character of each ZSCII code that can be printed, '' for the others. */
  const unicode = charactersOf(memory, header.unicode)
  const codes = new Map<string, number>()
  unicode.forEach((character, code) => {
    if (code >= 32 && character !== '' && !codes.has(character)) codes.set(character, code)
  })
  /** The ZSCII codes of the three alphabets, 26 each. */
  const letters =
    header.alphabets === 0
      ? Uint8Array.from(alphabets, (character) => character.charCodeAt(0))
      : memory.bytes.slice(header.alphabets, header.alphabets + 78)
  letters[53] = newline
  /** Alphabet × 32 + Z-character of each ZSCII code, or 0 where it needs an escape. */
  const zCharacter = new Uint8Array(256)
  for (let index = 77; index >= 0; index--) {
    if (index !== 52 && index !== 53) zCharacter[letters[index]!] = ((index / 26) << 5) | ((index % 26) + 6)
  }
  const entryCharacters = header.version === 3 ? 6 : 9

  /** The text of a ZSCII code on the screen; '' for codes without one. */
  function character(code: number): string {
    return unicode[code] ?? ''
  }

  /** The ZSCII code of a Unicode character (one code point), undefined where the story has none. */
  function zscii(character: string): number | undefined {
    return codes.get(character)
  }

  /** Decodes the string at an address, which need not be one that the story can write as a byte address. */
  function decode(address: number): string {
    words = 0
    return read(address, false)
  }

  function read(address: number, abbreviated: boolean): string {
    let text = ''
    let alphabet = 0
    let abbreviation = 0
    /** Z-characters of an escape that are still to come: 2, 1, or 0. */
    let escape = 0
    let code = 0
    let at = address
    for (;;) {
      const word = memory.word(at)
      at += 2
      meter.spend(1)
      if (++words > maxWords) meter.fault(`a string has more than ${maxWords.toLocaleString('en')} words`)
      for (let shift = 10; shift >= 0; shift -= 5) {
        const z = (word >> shift) & 31
        if (escape > 0) {
          code = ((code << 5) | z) & 1023
          if (--escape === 0) text += character(code)
        } else if (abbreviation > 0) {
          const entry = header.abbreviations + 2 * (32 * (abbreviation - 1) + z)
          abbreviation = 0
          text += read(memory.word(entry) * 2, true)
        } else if (z >= 6) {
          if (alphabet === 2 && z === 6) {
            escape = 2
            code = 0
          } else text += character(letters[alphabet * 26 + z - 6]!)
          alphabet = 0
        } else if (z >= 4) {
          alphabet = z - 3
        } else {
          alphabet = 0
          if (z === 0) text += ' '
          else if (abbreviated) meter.fault('an abbreviation contains an abbreviation')
          else abbreviation = z
        }
      }
      if ((word & 0x8000) !== 0) break
    }
    return text
  }

  /** Encodes ZSCII codes as a dictionary does (section 3.7): 4 bytes in version 3, later 6; cut or padded. */
  function encode(typed: Uint8Array): Uint8Array {
    const length = entryCharacters
    const zCharacters: number[] = []
    for (const code of typed) {
      if (zCharacters.length >= length) break
      if (code === 32) {
        zCharacters.push(0)
        continue
      }
      const place = zCharacter[code]!
      if (place === 0) zCharacters.push(5, 6, code >> 5, code & 31)
      else if (place < 32) zCharacters.push(place)
      else zCharacters.push((place >> 5) + 3, place & 31)
    }
    const encoded = new Uint8Array((length / 3) * 2)
    for (let index = 0; index < length / 3; index++) {
      const [first = 5, second = 5, third = 5] = zCharacters.slice(3 * index, 3 * index + 3)
      encoded[2 * index] = (first << 2) | (second >> 3)
      encoded[2 * index + 1] = (second << 5) | third
    }
    encoded[encoded.length - 2]! |= 0x80
    return encoded
  }

  return { character, zscii, decode, encode }
}

/** See {@link createText}. */
export type Text = ReturnType<typeof createText>

/**
 * The Unicode characters of all ZSCII codes, '' for those that print nothing. The standard leaves tabs (9), gaps
 * between sentences (11) and extra characters outside the table open; they are printed as Frotz prints them.
 */
function charactersOf(memory: Memory, table: number): readonly string[] {
  const characters: string[] = Array.from({ length: 256 }, () => '')
  characters[newline] = '\n'
  characters[9] = ' '
  characters[11] = '  '
  characters.fill('?', firstExtra, lastExtra + 1)
  for (let code = 32; code < 127; code++) characters[code] = String.fromCharCode(code)
  const extra =
    table === 0
      ? [...extraCharacters]
      : Array.from({ length: memory.byte(table) }, (_, index) =>
          String.fromCharCode(memory.word(table + 1 + 2 * index)),
        )
  extra.slice(0, lastExtra - firstExtra + 1).forEach((character, index) => {
    characters[firstExtra + index] = character
  })
  return characters
}
