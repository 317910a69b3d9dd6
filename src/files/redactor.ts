import type { Variables } from './variables.js'

/** A secret of at least this length is found anywhere in a text. */
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
 * Makes a function that takes secrets out of texts, and whatever looks like one of OpenAI's keys. A secret is found as
 * it is, URL-encoded, escaped as in JSON, and in base64. One of 8 characters or more is found in letters of either
 * case and broken over lines; one of 4 to 7 as a word of its own only, so that no other word is torn apart.
 * Placeholders such as `none` are left.
 */
export function createRedactor(secrets: readonly (string | undefined)[]): (text: string) => string {
  const known = [...new Set(secrets)].filter(
    (secret) => secret !== undefined && secret.length >= minShort && !placeholders.test(secret),
  ) as string[]
  const long = spellingsOf(
    known.filter(({ length }) => length >= minLong),
    String.raw`\s*`,
  )
  const short = spellingsOf(known.filter(({ length }) => length < minLong))
  const patterns = [
    ...(long === '' ? [] : [new RegExp(long, 'giu')]),
    ...(short === '' ? [] : [new RegExp(String.raw`(?<![\p{L}\p{N}_-])(?:${short})(?![\p{L}\p{N}_-])`, 'gu')]),
    openAiKey,
  ]
  return (text) => patterns.reduce((clean, pattern) => clean.replace(pattern, '…'), text)
}

/**
 * The spellings of some secrets as the alternatives of a pattern, the longest first; empty for none.
 * @param between what may stand between two characters
 */
function spellingsOf(secrets: readonly string[], between = ''): string {
  const spellings = secrets.flatMap((secret) => [
    secret,
    encodeURIComponent(Buffer.from(secret).toString()),
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  ])
  return [...new Set(spellings)]
    .sort((a, b) => b.length - a.length)
    .map((spelling) => Array.from(spelling, (one) => one.replace(/[\\^$.*+?()[\]{}|/]/, String.raw`\$&`)).join(between))
    .join('|')
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
