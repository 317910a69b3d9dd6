/** A place in a text that looks like the name of an item: words and a number. */
export interface Mention {
  /** As it is written within a sentence. */
  readonly text: string
  /** What kind of item it is: the name without its number, in small letters. */
  readonly kind: string
  readonly start: number
  readonly end: number
}

/** What training texts taught about names. */
export interface NameLore {
  /** Words that stand in front of the last word of a name and belong to it, such as colours. */
  readonly modifiers: ReadonlySet<string>
}

const numbered = /(?<![A-Za-z\d])([A-Za-z]{1,40})([ _-]?)(\d{1,9})(?![A-Za-z\d])/g
const sentenceEnd = /[.!?\n] *$/
const wordBefore = /([A-Za-z]+) $/
/** Longer texts are read to here. */
const mostLetters = 40

/** Finds the names in a text, from left to right. Letters and digits are told apart, with or without a space between them. */
export function findNames(text: string, { modifiers }: NameLore): Mention[] {
  const mentions: Mention[] = []
  for (const match of text.matchAll(numbered)) {
    const [whole, word] = match as unknown as [string, string]
    let start = match.index
    const end = start + whole.length
    const last = mentions.at(-1)?.end ?? 0
    if (modifiers.size > 0) {
      for (
        let before = previousWord(text, start, last);
        before !== undefined;
        before = previousWord(text, start, last)
      ) {
        if (!modifiers.has(before.word.toLowerCase())) break
        start = before.start
      }
    }
    const words = text.slice(start, match.index + word.length)
    const name = text.slice(start, end)
    const isFirst = start === 0 || sentenceEnd.test(text.slice(Math.max(0, start - 3), start))
    mentions.push({
      text: isFirst ? name[0]!.toLowerCase() + name.slice(1) : name,
      kind: words.toLowerCase(),
      start,
      end,
    })
  }
  return mentions
}

/** The word in front of a place in a text, with one space between them; undefined where there is none behind `from`. */
export function previousWord(
  text: string,
  before: number,
  from = 0,
): { readonly word: string; readonly start: number } | undefined {
  const near = text.slice(Math.max(from, before - mostLetters), before)
  const word = wordBefore.exec(near)?.[1]
  return word === undefined ? undefined : { word, start: before - 1 - word.length }
}

/** A text with each name in it replaced by `{}`. */
export function cutNames(text: string, mentions: readonly Mention[]): string {
  let cut = ''
  let from = 0
  for (const { start, end } of mentions) {
    cut += `${text.slice(from, start)}{}`
    from = end
  }
  return cut + text.slice(from)
}
