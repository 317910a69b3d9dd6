import { type Handler, Parser } from 'htmlparser2'

/** Elements whose content is no text for BeautifulSoup; that of `noscript` and `title` is. */
const hidden = new Set(['script', 'style', 'template', 'rt', 'rp'])
/** Elements in which white space stays as it is. */
const preserved = new Set(['pre', 'textarea'])
const empty = new Set(
  'area base br col embed hr img input keygen link menuitem meta param source track wbr basefont bgsound command frame image isindex nextid spacer'.split(
    ' ',
  ),
)
/** Elements within one another at which a page is given up: time would grow with the square. */
const maxDepth = 500
/** Characters of all texts together; the rest of a page is passed over. */
const maxLength = 32 << 20
/** Characters that are parsed before the bounds are looked at. */
const pieceLength = 1 << 14

/**
 * The text of each element that is wanted, in the order of the page, with entities decoded, as `get_text()` of Python's
 * BeautifulSoup with `html.parser` has it: an element lasts until its own end tag or that of an element around it, each
 * of several within one another has its own text, and a text of white space alone is one line feed or blank.
 */
export function textsOf(
  html: string,
  isWanted: (name: string, attributes: Readonly<Record<string, string>>) => boolean,
): readonly string[] {
  const pieces: string[] = []
  const open: { readonly name: string; readonly isWanted: boolean }[] = []
  /** How many elements of each name are open. */
  const counts = new Map<string, number>()
  /** The open elements that are wanted, as places in `found`. */
  const wanted: number[] = []
  /** The parser's own count of open elements, some of which it takes as ended. */
  let depth = 0
  let text = ''
  let length = 0
  const within = (names: ReadonlySet<string>): boolean => [...names].some((name) => (counts.get(name) ?? 0) > 0)
  const endText = (): void => {
    if (text !== '' && wanted.length > 0 && !within(hidden)) {
      const isSpace = /^[ \n\t\f\r]*$/.test(text) && !within(preserved)
      const kept = isSpace ? (text.includes('\n') ? '\n' : ' ') : text
      for (const place of wanted) pieces[place] += kept
      length += kept.length * wanted.length
    }
    text = ''
  }
  const close = (name: string): void => {
    if ((counts.get(name) ?? 0) === 0) return
    for (;;) {
      const last = open.pop()!
      counts.set(last.name, counts.get(last.name)! - 1)
      if (last.isWanted) wanted.pop()
      if (last.name === name) return
    }
  }
  let openedAt = -1
  const parser = new TagParser(
    {
      onopentag(name, attributes, isImplied) {
        endText()
        depth++
        if (isImplied) return
        openedAt = parser.endIndex
        const own = isWanted(name, attributes)
        if (own) wanted.push(pieces.push('') - 1)
        open.push({ name, isWanted: own })
        counts.set(name, (counts.get(name) ?? 0) + 1)
        if (empty.has(name)) close(name)
      },
      onclosetag(name) {
        depth--
        // What ends where it begins is written as `<p/>`.
        if (parser.endIndex === openedAt) close(name)
      },
      oncomment: endText,
      onprocessinginstruction: endText,
      ontext(part) {
        text += part
      },
    },
    (start, end) => {
      endText()
      close(html.slice(start, end).toLowerCase())
    },
  )
  const isDeep = (): boolean => depth > maxDepth || wanted.length > maxDepth
  for (let at = 0; at < html.length && !isDeep() && length <= maxLength; at += pieceLength)
    parser.write(html.slice(at, at + pieceLength))
  parser.end()
  endText()
  return pieces
}

/** A parser that also tells of end tags which it takes as superfluous, since it ended their elements by itself. */
class TagParser extends Parser {
  readonly #onEndTag: (start: number, end: number) => void

  constructor(handler: Partial<Handler>, onEndTag: (start: number, end: number) => void) {
    super(handler, { recognizeSelfClosing: true })
    this.#onEndTag = onEndTag
  }

  override onclosetag(start: number, end: number): void {
    this.#onEndTag(start, end)
    super.onclosetag(start, end)
  }
}

/** Whether the attributes of an element give it a class. */
export function hasClass({ class: names = '' }: Readonly<Record<string, string>>, name: string): boolean {
  return names.split(/\s+/).includes(name)
}
