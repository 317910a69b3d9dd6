/** A secret of at least this length is found anywhere in a text, also broken over lines. */
const minLong = 8
/** A shorter secret is ignored: it is a placeholder, and could be part of ordinary words. */
const minShort = 4

/** What may stand between two characters of a secret that was broken over lines, also as JSON or a URL writes it. */
const breaks = '(?:\\s|\\\\+[nrt]|%0[AaDd]|%20)*'

/**
 * Makes a function that takes secrets out of texts, and whatever looks like one of OpenAI's keys. A secret is found as
 * it is, URL-encoded, escaped as in JSON or HTML, and, from 8 characters on, broken over lines. One of 4 to 7
 * characters is found as a word of its own only, so that no other word is torn apart.
 */
export function createRedactor(secrets: readonly (string | undefined)[]): (text: string) => string {
  const known = [...new Set(secrets)].filter((secret) => secret !== undefined && secret.length >= minShort) as string[]
  const patterns = known.sort((a, b) => b.length - a.length).map(patternOf)
  const all = new RegExp([...patterns, String.raw`\bsk-(?:[\w*-]{8,}|(?=[\w*-]*[\d*])[\w*-]{4,})`].join('|'), 'gu')
  return (text) => text.replace(all, '…')
}

/** The secrets in a login: `user:password`, the password, and the header made from them. */
export function secretsOfLogin(user: string, password: string): readonly string[] {
  const login = `${user}:${password}`
  const encoded = Buffer.from(login).toString('base64')
  return [encoded, encoded.replace(/=+$/, ''), ...(password === '' ? [user] : [login, password])]
}

function patternOf(secret: string): string {
  const characters = [...secret].map(anySpelling)
  return secret.length < minLong
    ? `(?<![\\p{L}\\p{N}_-])${characters.join('')}(?![\\p{L}\\p{N}_-])`
    : characters.join(breaks)
}

/** One character of a secret as it is, percent-encoded, and escaped as in JSON or HTML. */
function anySpelling(character: string): string {
  if (/[A-Za-z0-9]/.test(character)) return character
  const code = character.codePointAt(0)!.toString(16)
  const bytes = [...Buffer.from(character)].map((byte) => `%${anyCase(byte.toString(16).padStart(2, '0'))}`).join('')
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at).toString(16))
  const escaped = units.map((unit) => `\\\\+u${anyCase(unit.padStart(4, '0'))}`).join('')
  const entities = [`#0*${String(character.codePointAt(0))}`, `#[xX]0*${anyCase(code)}`, ...(named[character] ?? [])]
  const plus = character === ' ' ? ['\\+'] : []
  return `(?:${[`\\\\*\\u{${code}}`, bytes, escaped, `&(?:${entities.join('|')});`, ...plus].join('|')})`
}

const named: Readonly<Record<string, readonly string[]>> = {
  '&': ['amp'],
  '<': ['lt'],
  '>': ['gt'],
  '"': ['quot'],
  "'": ['apos'],
}

function anyCase(hex: string): string {
  return hex.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`)
}
