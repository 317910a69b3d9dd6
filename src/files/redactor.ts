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
 * characters or more is found in letters of either case, reversed, in hexadecimal, in base64 at any position,
 * URL-encoded, escaped as in JSON or HTML, and broken over lines. One of 4 to 7 characters is found as a word of its
 * own only, so that no other word is torn apart. Placeholders such as `none` are left. The time is linear in the
 * length of the text.
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

/** A form of a secret, folded. */
interface Needle {
  readonly bytes: Buffer
  /** The letters beside it contain bits of the secret. */
  readonly isBase64: boolean
}

function needlesOf(secrets: readonly string[]): readonly Needle[] {
  const needles = new Map<string, Needle>()
  const add = (form: string, isBase64 = false): void => {
    const { bytes } = fold(Buffer.from(form), false)
    const key = bytes.toString('latin1')
    if (bytes.length >= minLong && !needles.has(key)) needles.set(key, { bytes, isBase64 })
  }
  for (const secret of secrets) {
    const bytes = Buffer.from(secret)
    for (const form of [secret, secret.replaceAll(' ', '+'), [...secret].reverse().join(''), bytes.toString('hex')])
      add(form)
    for (const before of [0, 1, 2]) {
      const encoded = Buffer.concat([Buffer.alloc(before), bytes]).toString('base64')
      const letters = encoded.slice(Math.ceil((8 * before) / 6), Math.floor((8 * (before + bytes.length)) / 6))
      add(letters, true)
      add(letters.replaceAll('+', '-').replaceAll('/', '_'), true)
    }
  }
  return [...needles.values()]
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

/** Bytes as they are compared: ASCII letters small; 0 for white space and backslashes, which are left out. */
const compared = Uint8Array.from({ length: 256 }, (_, byte) => {
  const character = String.fromCharCode(byte)
  if (byte >= 128) return byte
  return /[\s\\]/.test(character) ? 0 : character.toLowerCase().charCodeAt(0)
})

/** An escape of JSON, URLs or HTML. A run of backslashes is read at once. */
const escape =
  /\\+(?:(u[\da-f]{4}|ud[89ab][\da-f]{2}\\+ud[c-f][\da-f]{2}|x[\da-f]{2})|[nrt])?|%([\da-f]{2})|&(?:#x([\da-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/iy
const backslash = 92
const escapeStarts = Uint8Array.from({ length: 256 }, (_, byte) => Number([backslash, 37, 38].includes(byte)))
const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The bytes that an escape stands for. */
function unescape([, units, byte, hex, decimal, entity]: RegExpExecArray): Iterable<number> {
  if (byte !== undefined) return [Number.parseInt(byte, 16)]
  if (units !== undefined) {
    const codes = units.split(/\\+/).map((unit) => Number.parseInt(unit.slice(1), 16))
    return Buffer.from(String.fromCharCode(...codes))
  }
  if (entity !== undefined) return Buffer.from(entities[entity.toLowerCase()]!)
  const code = hex === undefined ? Number(decimal ?? '0') : Number.parseInt(hex, 16)
  return code > 0 && code <= 0x10ffff ? Buffer.from(String.fromCodePoint(code)) : []
}

/**
 * A text in which every secret is one run of bytes, and where each byte begins and ends in the text.
 * @param isResolved whether escapes are replaced by what they stand for
 */
function fold(text: Buffer, isResolved: boolean) {
  const bytes = Buffer.alloc(text.length)
  const [starts, ends] = [new Uint32Array(text.length), new Uint32Array(text.length)]
  const letters = isResolved ? text.toString('latin1') : ''
  let length = 0
  const add = (byte: number, start: number, end: number): void => {
    const one = compared[byte]!
    if (one === 0) return
    starts[length] = start
    ends[length] = end
    bytes[length++] = one
  }
  for (let at = 0, next = 0; at < text.length; at = next) {
    escape.lastIndex = at
    const match = isResolved && escapeStarts[text[at]!] === 1 ? escape.exec(letters) : null
    next = at + (match?.[0].length ?? 1)
    if (match === null) add(text[at]!, at, next)
    else for (const byte of unescape(match)) add(byte, at, next)
  }
  return { bytes: bytes.subarray(0, length), starts, ends }
}

const base64 = new Set(Buffer.from('+/-_=ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'))

/** The text with a mark in place of the needles in it, as it is and with its escapes resolved. */
function withoutNeedles(text: string, needles: readonly Needle[]): string {
  const bytes = Buffer.from(text)
  const isEscaped = /\\[nrtux]|%[\da-f]{2}|&(?:#|amp|lt|gt|quot|apos)/i.test(text)
  const spans = (isEscaped ? [false, true] : [false]).flatMap((isResolved) => spansOf(bytes, isResolved, needles))
  if (spans.length === 0) return text
  let [clean, done] = ['', 0]
  for (const span of spans.sort((a, b) => a.start - b.start || b.end - a.end)) {
    let { start, end } = span
    if (end <= done) continue
    const isSame = (byte: number | undefined): boolean => span.isBase64 && base64.has(byte!)
    while (start > done && (isSame(bytes[start - 1]) || bytes[start - 1] === backslash)) start--
    while (isSame(bytes[end])) end++
    if (start > done || done === 0) clean += `${bytes.toString('utf8', done, start)}…`
    done = end
  }
  return clean + bytes.toString('utf8', done)
}

function spansOf(text: Buffer, isResolved: boolean, needles: readonly Needle[]) {
  const { bytes, starts, ends } = fold(text, isResolved)
  return needles.flatMap(({ bytes: needle, isBase64 }) => {
    const spans: { readonly start: number; readonly end: number; readonly isBase64: boolean }[] = []
    for (let at = bytes.indexOf(needle); at !== -1; at = bytes.indexOf(needle, at + 1))
      spans.push({ start: starts[at]!, end: ends[at + needle.length - 1]!, isBase64 })
    return spans
  })
}
