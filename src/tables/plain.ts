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

/** Breaks text into lines of at most `width` characters, at spaces if possible; later lines begin with `hang`. */
export function wrap(text: string, width: number, hang = ''): string[] {
  return text.split('\n').flatMap((line, index) => {
    const lines: string[] = []
    let rest = index === 0 ? line : hang + line
    while (rest.length > width) {
      const space = rest.lastIndexOf(' ', width)
      const end = space > hang.length ? space : width
      lines.push(rest.slice(0, end).trimEnd())
      rest = hang + rest.slice(end).trimStart()
    }
    return [...lines, rest.trimEnd()]
  })
}
