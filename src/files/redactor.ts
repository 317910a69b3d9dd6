import type { Variables } from './variables.js'

/** A secret, or a form of one, of at least this length is found anywhere in a text, also broken over lines. */
const minLong = 8
/** A shorter secret is ignored: it is a placeholder, and could be part of ordinary words. */
const minShort = 4
/** A line of a longer secret of at least this length is a secret too. */
const minLine = 16
/** What is given in place of a key that a server does not need. Replies and observations have these words. */
const placeholders = /^(?:none|null|true|false|dummy|empty|test|local|ollama|unused|placeholder)$/i

/** Whatever looks like one of OpenAI's keys. */
const openAiKey = /\bsk-(?:[\w*-]{8,}|(?=[\w*-]*[\d*])[\w*-]{4,})/gu

/**
 * Makes a function that takes secrets out of texts, and whatever looks like one of OpenAI's keys. A secret of 8
 * characters or more is found in letters of either case, URL-encoded, escaped as in JSON, in base64 at any position,
 * and broken over lines. One of 4 to 7 characters is found as a word of its own only, so that no other word is torn
 * apart. Placeholders such as `none` are left. The time is linear in the length of the text.
 */
export function createRedactor(secrets: readonly (string | undefined)[]): (text: string) => string {
  const known = [...new Set(secrets)].filter(
    (secret) => secret !== undefined && secret.length >= minShort && !placeholders.test(secret),
  ) as string[]
  const needles = needlesOf(known)
  const words = wordsOf(known.filter((secret) => secret.length < minLong))
  return (text) => {
    const clean = needles.length === 0 ? text : withoutNeedles(text, needles)
    return (words === undefined ? clean : clean.replace(words, '…')).replace(openAiKey, '…')
  }
}

/** The secrets in a login: `user:password`, the password, and the header made from them. */
export function secretsOfLogin(user: string, password: string): readonly string[] {
  const login = `${user}:${password}`
  const encoded = Buffer.from(login).toString('base64')
  return [encoded, encoded.replace(/=+$/, ''), ...(password === '' ? [user] : [login, password])]
}

/** Names of variables that may hold a secret. */
const mayTell = /key|token|secret|passw|pwd|credential|auth(?!or(?:s|_|$))/i
/** Names of variables that hold a secret whatever it is: `DB_PASSWORD`, `TOKEN_CI`, `apiKey`; no `MAX_TOKENS`. */
const tells =
  /(?:(?:^|_|api|access|secret|private)key|token|secret|password|passwd|passphrase|(?<!by|com)pass|pwd|credentials?)(?:_|\d|$)/i
/** Words and small numbers, which observations have too. */
const ordinary = /^(?:\p{L}{1,15}|\d{1,7})$/u
const isPath = /^(?:[./~]|[a-z]:[\\/])/i

/** The secrets among environment variables: values of names that tell of a secret, and logins in addresses. */
export function secretsOfVariables(variables: Variables): readonly string[] {
  return Object.entries(variables).flatMap(([name, given = '']) => {
    const value = given.trim()
    const words = name.replace(/(?<=[a-z])(?=[A-Z])/g, '_')
    if (!isPath.test(value) && (tells.test(words) || (mayTell.test(name) && !isOrdinary(value)))) {
      // A program may print some lines of a certificate only.
      return [value, ...value.split('\n').filter((line) => line.length >= minLine)]
    }
    const login = /^[a-z][a-z0-9+.-]{0,30}:\/\/([^\s:@/]{0,500}):([^\s@/]{1,500})@/i.exec(value)
    return login === null ? [] : secretsOfLogin(login[1]!, login[2]!)
  })
}

/** Whether a text is a word or a small number, which observations have too. */
export function isOrdinary(text: string): boolean {
  return ordinary.test(text)
}

/** A spelling of a secret, folded. */
interface Needle {
  readonly text: string
  /** The letters beside it contain bits of the secret. */
  readonly isBase64: boolean
}

function needlesOf(secrets: readonly string[]): readonly Needle[] {
  const plain = secrets.flatMap((secret) => [secret, encodeURIComponent(Buffer.from(secret).toString())])
  const encoded = secrets.flatMap((secret) =>
    [0, 1, 2].flatMap((before) => {
      const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)])
      // The letters at both ends have bits of what stands beside the secret.
      const own = bytes.toString('base64').slice(Math.ceil((8 * before) / 6), Math.floor((8 * bytes.length) / 6))
      return [own, own.replaceAll('+', '-').replaceAll('/', '_'), encodeURIComponent(own)]
    }),
  )
  const needles = [
    ...plain.map((text) => ({ text: fold(text), isBase64: false })),
    ...encoded.map((text) => ({ text: fold(text), isBase64: true })),
  ]
  return needles.filter(({ text }) => text.length >= minLong)
}

/** Short secrets as they are, URL-encoded, and escaped as in JSON; as words of their own. */
function wordsOf(secrets: readonly string[]): RegExp | undefined {
  if (secrets.length === 0) return undefined
  const spellings = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(Buffer.from(secret).toString()),
    JSON.stringify(secret).slice(1, -1),
  ])
  const longestFirst = [...new Set(spellings)].sort((a, b) => b.length - a.length)
  const escaped = longestFirst.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
  return new RegExp(String.raw`(?<![\p{L}\p{N}_-])(?:${escaped.join('|')})(?![\p{L}\p{N}_-])`, 'gu')
}

/** White space, backslashes, and line ends and tabs as in JSON. */
const gaps = /\\+[nrt]?|\s+/g

/** A text in small ASCII letters and without gaps: a secret that is escaped or broken over lines is one piece of it. */
function fold(text: string): string {
  return text.replace(gaps, '').replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/** Where each character of the folded text stands in the text. */
function placesOf(text: string): Uint32Array {
  const places = new Uint32Array(text.length)
  let [length, at] = [0, 0]
  for (const { index, 0: gap } of text.matchAll(gaps)) {
    while (at < index) places[length++] = at++
    at += gap.length
  }
  while (at < text.length) places[length++] = at++
  return places
}

/** A letter of base64, also one that is URL-encoded. */
const base64 = /[\w+/=%-]/

/** The text with a mark in place of the needles in it. */
function withoutNeedles(text: string, needles: readonly Needle[]): string {
  const folded = fold(text)
  const present = needles.filter((needle) => folded.includes(needle.text))
  if (present.length === 0) return text
  const places = placesOf(text)
  const spans = present.flatMap(({ text: needle, isBase64 }) => {
    const found = []
    for (let at = folded.indexOf(needle); at !== -1; at = folded.indexOf(needle, at + 1))
      found.push({ start: places[at]!, end: places[at + needle.length - 1]! + 1, isBase64 })
    return found
  })
  let [clean, done] = ['', 0]
  for (const span of spans.sort((a, b) => a.start - b.start || b.end - a.end)) {
    let { start, end } = span
    if (end <= done) continue
    const isSame = (character: string | undefined): boolean => span.isBase64 && base64.test(character ?? '')
    while (start > done && (isSame(text[start - 1]) || text[start - 1] === '\\')) start--
    while (isSame(text[end])) end++
    if (start > done || done === 0) clean += `${text.slice(done, start)}…`
    done = end
  }
  return clean + text.slice(done)
}
