import { Parser } from 'htmlparser2'

/** Elements whose content is no text. */
const hidden = new Set(['script', 'style', 'template', 'noscript', 'title'])
/** Elements within one another at which a page is given up: reading on would take time that grows with the square. */
const maxDepth = 500
/** Characters of all texts together; the rest of a page is passed over. */
const maxLength = 32 << 20
/** Characters that are parsed before the bounds are looked at. */
const pieceLength = 1 << 14

/**
 * The text of each element that is wanted, in the order of the page, with entities decoded, as `get_text()` of Python's
 * BeautifulSoup has it. Of elements within one another each has its own text.
 */
export function textsOf(
  html: string,
  isWanted: (name: string, attributes: Readonly<Record<string, string>>) => boolean,
): readonly string[] {
  const found: string[] = []
  /** For each open element its place in `found`, or -1. */
  const open: number[] = []
  let inHidden = 0
  let length = 0
  const parser = new Parser({
    onopentag(name, attributes) {
      if (hidden.has(name)) inHidden++
      open.push(isWanted(name, attributes) ? found.push('') - 1 : -1)
    },
    onclosetag(name) {
      if (hidden.has(name)) inHidden--
      open.pop()
    },
    ontext(text) {
      if (inHidden > 0) return
      for (const place of open) {
        if (place === -1) continue
        found[place] += text
        length += text.length
      }
    },
  })
  for (let at = 0; at < html.length && open.length <= maxDepth && length <= maxLength; at += pieceLength)
    parser.write(html.slice(at, at + pieceLength))
  parser.end()
  return found
}

/** Whether the attributes of an element give it a class. */
export function hasClass({ class: names = '' }: Readonly<Record<string, string>>, name: string): boolean {
  return names.split(/\s+/).includes(name)
}
