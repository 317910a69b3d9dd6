/** A piece of HTML: a tag, or text between tags. */
interface Token {
  readonly text: string
  readonly tag?: { readonly name: string; readonly isEnd: boolean; readonly attributes: string }
}

/** Elements whose content is no text. */
const hidden = new Set(['script', 'style', 'template', 'noscript'])
const empty = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
/** Elements before which an open paragraph ends. */
const blocks = new Set('p ul ol dl div table h1 h2 h3 h4 h5 h6 section pre blockquote'.split(' '))
/** Deeper elements are passed over. */
const maxDepth = 100
/** Wanted elements within one another; further ones are part of the outer ones alone. */
const maxWanted = 16
/** Characters of all texts together; the rest of a page is passed over. */
const maxLength = 32 << 20

/**
 * The text of each element that is wanted, in the order of the page, with entities decoded, as `get_text()` of Python's
 * BeautifulSoup has it. Of elements within one another each has its own text. The time is linear in the page.
 */
export function textsOf(html: string, isWanted: (name: string, attributes: string) => boolean): readonly string[] {
  const found: string[] = []
  const open: { readonly name: string; readonly isWanted: boolean }[] = []
  /** The places in `found` of the wanted elements that are open. */
  const wanted: number[] = []
  let length = 0
  const close = (name: string): void => {
    const at = open.findLastIndex((one) => one.name === name)
    if (at === -1) return
    for (const { isWanted } of open.splice(at)) if (isWanted) wanted.pop()
  }
  for (const { tag, text } of tokens(html)) {
    if (length > maxLength) break
    if (tag === undefined) {
      const said = wanted.length === 0 ? '' : decode(text)
      for (const place of wanted) found[place] += said
      length += wanted.length * said.length
    } else if (tag.isEnd) close(tag.name)
    else if (!empty.has(tag.name) && !hidden.has(tag.name) && open.length < maxDepth) {
      if (blocks.has(tag.name) && open.at(-1)?.name === 'p') close('p')
      const isOne = wanted.length < maxWanted && isWanted(tag.name, tag.attributes)
      if (isOne) wanted.push(found.push('') - 1)
      open.push({ name: tag.name, isWanted: isOne })
    }
  }
  return found
}

/** Tags and the text between them; comments and the content of hidden elements are left out. */
function* tokens(html: string): Generator<Token> {
  let from = 0
  for (let at = html.indexOf('<'); at !== -1; at = html.indexOf('<', at)) {
    const name = /^\/?[a-zA-Z][\w:-]*/.exec(html.slice(at + 1, at + 41))?.[0]
    const isMarkup = name !== undefined || html[at + 1] === '!' || html[at + 1] === '?'
    if (!isMarkup) {
      at++
      continue
    }
    if (at > from) yield { text: html.slice(from, at) }
    const begun = at
    if (name === undefined) {
      const end = html.startsWith('<!--', at) ? '-->' : '>'
      const found = html.indexOf(end, at + 2)
      at = found === -1 ? html.length : found + end.length
    } else {
      at = endOfTag(html, at)
      const tag = name.replace('/', '').toLowerCase()
      yield {
        text: '',
        tag: { name: tag, isEnd: name.startsWith('/'), attributes: html.slice(begun + 1 + name.length, at) },
      }
      if (hidden.has(tag) && !name.startsWith('/')) {
        const end = new RegExp(`</${tag}`, 'gi')
        end.lastIndex = at
        at = end.exec(html)?.index ?? html.length
      }
    }
    from = at
  }
  if (from < html.length) yield { text: html.slice(from) }
}

/** The index behind a tag; the end of the page for a tag that does not end. */
function endOfTag(html: string, start: number): number {
  for (let at = start + 1; at < html.length; at++) {
    const character = html[at]!
    if (character === '>') return at + 1
    if (character !== '"' && character !== "'") continue
    const end = html.indexOf(character, at + 1)
    if (end === -1) return html.length
    at = end
  }
  return html.length
}

/** Whether the attributes of a tag give it a class. */
export function hasClass(attributes: string, name: string): boolean {
  const found = /(?:^|\s)class\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(attributes)
  return (found?.[1] ?? found?.[2] ?? found?.[3] ?? '').split(/\s+/).includes(name)
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: '\u00a0',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  minus: '−',
  times: '×',
  middot: '·',
  thinsp: '\u2009',
  shy: '\u00ad',
}

/** Text with entities decoded; entities that MediaWiki does not write stay. */
function decode(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z]{1,10}));/g,
    (whole, ten?: string, hex?: string, name?: string) => {
      if (name !== undefined) return Object.hasOwn(entities, name) ? entities[name]! : whole
      const code = ten === undefined ? parseInt(hex!, 16) : Number(ten)
      return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : '\ufffd'
    },
  )
}
