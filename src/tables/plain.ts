/**
 * Text without characters that a screen acts on instead of showing: control characters, line breaks, lone surrogates
 * and marks of writing direction become a space each.
 */
export function plainText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu, ' ')
}

/**
 * How many columns of a terminal a text takes: two for East Asian wide letters and emoji, none for combining marks.
 */
export function widthOf(text: string): number {
  let width = 0
  for (const character of text) {
    if (/\p{M}/u.test(character)) continue
    width +=
      /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u.test(
        character,
      )
        ? 2
        : 1
  }
  return width
}

/** Text of at most `width` columns: of a longer one the beginning, and `…`. */
export function fitTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let kept = ''
  for (const character of text) {
    if (widthOf(kept + character) >= width) break
    kept += character
  }
  return `${kept.trimEnd()}…`
}

/** A name of about `max` letters: a longer one without its middle, since names often differ only at their ends. */
export function withoutMiddle(name: string, max: number): string {
  const letters = [...plainText(name)]
  if (letters.length <= max) return letters.join('')
  const kept = Math.max(0, max - 1) / 2
  return [...letters.slice(0, Math.ceil(kept)), '…', ...letters.slice(letters.length - Math.floor(kept))].join('')
}
