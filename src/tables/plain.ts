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

/** How many code units at the beginning of a text take at most `width` columns. */
function unitsWithin(text: string, width: number): number {
  let [units, columns] = [0, 0]
  for (const character of text) {
    columns += widthOf(character)
    if (columns > width) break
    units += character.length
  }
  return units
}

/** Text of at most `width` columns: of a longer one the beginning, and `…`. */
export function fitTo(text: string, width: number): string {
  return widthOf(text) <= width ? text : `${text.slice(0, unitsWithin(text, width - 1)).trimEnd()}…`
}

/** Breaks text into lines of at most `width` columns, at spaces if possible; later lines begin with `hang`. */
export function wrap(text: string, width: number, hang = ''): string[] {
  return text.split('\n').flatMap((line, index) => {
    const lines: string[] = []
    let rest = index === 0 ? line : hang + line
    while (widthOf(rest) > width) {
      const most = Math.max(unitsWithin(rest, width), hang.length + 1)
      const space = rest.lastIndexOf(' ', most)
      const end = space > hang.length ? space : most
      lines.push(rest.slice(0, end).trimEnd())
      rest = hang + rest.slice(end).trimStart()
    }
    return [...lines, rest.trimEnd()]
  })
}

/** A name of about `max` letters: a longer one without its middle, since names often differ only at their ends. */
export function withoutMiddle(name: string, max: number): string {
  const letters = [...plainText(name)]
  if (letters.length <= max) return letters.join('')
  const kept = Math.max(0, max - 1) / 2
  return [...letters.slice(0, Math.ceil(kept)), '…', ...letters.slice(letters.length - Math.floor(kept))].join('')
}
