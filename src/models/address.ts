import { ShaketableError } from '../core/errors.js'
import { createRedactor, secretsOfLogin } from '../files/redactor.js'
import { isHeaderValue, isSecretHeader } from './request-settings.js'
import { type Variables, fillReferences, referencesIn } from '../files/variables.js'

/** The default base URL: OpenAI's own. */
export const openAiUrl = 'https://api.openai.com/v1'

/** The variable with the key of the default server. */
export const defaultKeyVariable = 'OPENAI_API_KEY'

/** Advice where a server requires a key and none is named for it. */
const unnamedKey = `${defaultKeyVariable} goes to the default server alone: name the variable with the key of this one as apiKeyEnv of the model in the experiment file.`

/** A model behind a server, and its key. */
export interface AddressOptions {
  readonly model: string
  /** Default: OpenAI's own. */
  readonly baseUrl?: string
  /** Default: the value of OPENAI_API_KEY. Empty for none. */
  readonly apiKey?: string | undefined
  /** The variable that the key comes from; null where none is named for this server. Default: OPENAI_API_KEY. */
  readonly keyVariable?: string | null
  /** Further secrets to redact, such as keys of other servers. */
  readonly secrets?: readonly string[]
  /** Shown in place of a base URL with secrets. */
  readonly shown?: string
  /** Sent with every request; `Authorization` here takes the place of the key. */
  readonly headers?: Readonly<Record<string, string>>
}

/** The target of a call, and its secrets. */
export interface Target {
  readonly model: string
  /** The base URL without credentials. */
  readonly shownUrl: string
  /** The variable that its key comes from; null where none is named for this server. Default: OPENAI_API_KEY. */
  readonly keyVariable?: string | null
  /** Removes secrets from a text; call it before the text is wrapped or cut, since half a key is a secret too. */
  redact(text: string): string
}

/** The address of a served model with its credentials. */
export interface Address extends Target {
  /** Origin and path, without credentials and without a slash at the end. */
  readonly baseUrl: string
  readonly query: Readonly<Record<string, string>>
  /** Headers of every request by their names in lower case, with that of the key where one is known. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Reads where a model is served.
 * @throws ShaketableError `usage` for an unusable base URL or key, or for OpenAI's own server without a
 * key
 */
export function readAddress(options: AddressOptions): Address {
  const { model, keyVariable = defaultKeyVariable, secrets = [], baseUrl = openAiUrl } = options
  const url = parseAddress(baseUrl)
  const shared = keyVariable === defaultKeyVariable ? headersOfDefault() : {}
  const { authorization: keyHeader, ...headers } = { ...shared, ...readHeaders(options.headers) }
  const key = readKey(options.apiKey ?? process.env[defaultKeyVariable], keyVariable ?? defaultKeyVariable)
  if (key === '' && keyHeader === undefined && url.hostname === 'api.openai.com') {
    const why =
      keyVariable === null
        ? `. ${unnamedKey}`
        : `, and ${keyVariable} is not set. Set it, or give the base URL of another server.`
    throw new ShaketableError('usage', `The model '${model}' at ${url.host} needs a key${why}`)
  }
  const login = url.username + url.password === '' ? undefined : `${decode(url.username)}:${decode(url.password)}`
  const ownKey = login === undefined ? key && `Bearer ${key}` : `Basic ${Buffer.from(login).toString('base64')}`
  const authorization = keyHeader ?? ownKey
  const sharedSecrets = Object.entries(shared).flatMap(([name, value]) => (isSecretHeader(name) ? [value] : []))
  return {
    model,
    shownUrl: options.shown ?? plainAddress(url),
    keyVariable,
    redact: createRedactor([key, ...secretsOfAddress(baseUrl), ...sharedSecrets, ...secrets]),
    baseUrl: plainAddress(url).replace(/\/+$/, ''),
    query: Object.fromEntries(url.searchParams),
    headers: { ...headers, ...(authorization !== '' && { authorization }) },
  }
}

/**
 * A key without surrounding white space; empty where there is none.
 * @throws ShaketableError `usage`, with the variable and never the key, for a key that cannot stand in a header
 */
function readKey(text: string | undefined, variable: string): string {
  const key = (text ?? '').trim()
  if (isHeaderValue(key)) return key
  throw new ShaketableError(
    'usage',
    `${variable}: expected a key of printable ASCII characters on one line, got one with a line break or other characters. Set the variable to the key alone.`,
  )
}

/** The headers that the `openai` package takes from the environment, for the default server only, like the key. */
function headersOfDefault(): Readonly<Record<string, string>> {
  const { OPENAI_ORG_ID: organization, OPENAI_PROJECT_ID: project, OPENAI_CUSTOM_HEADERS: custom = '' } = process.env
  const lines = custom.split('\n').flatMap((line) => {
    const [, name = '', value = ''] = /^([^:]+):(.*)$/.exec(line) ?? []
    return name === '' || /^\s*authorization\s*$/i.test(name) ? [] : [[name.trim(), value.trim()] as const]
  })
  return readHeaders({
    ...(organization && { 'openai-organization': organization.trim() }),
    ...(project && { 'openai-project': project.trim() }),
    ...Object.fromEntries(lines),
  })
}

/**
 * Headers by their names in lower case.
 * @throws ShaketableError `usage`, without the value, for a value that cannot stand in a header
 */
function readHeaders(headers: AddressOptions['headers'] = {}): Readonly<Record<string, string>> {
  const wrong = Object.keys(headers).find((name) => !isHeaderValue(headers[name]!))
  if (wrong === undefined) {
    return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  }
  throw new ShaketableError(
    'usage',
    `headers: expected printable ASCII characters on one line as the value of ${wrong}, got others. Check the variables in it.`,
  )
}

/**
 * An address with its variables filled in, and the form in which it is shown and stored.
 * @throws ShaketableError `usage` for a variable that is not set, or a result that is not an address
 */
export function fillAddress(text: string, variables: Variables): { readonly baseUrl: string; readonly shown?: string } {
  if (referencesIn(text).length === 0) return { baseUrl: text }
  const baseUrl = fillReferences(text, variables, 'baseUrl')
  const shown = storedAddress(text)
  if (isServerAddress(baseUrl)) return { baseUrl, shown }
  throw new ShaketableError(
    'usage',
    `baseUrl: expected the address of a server such as http://localhost:8000/v1 once the variables in '${shown}' are filled in, got something else. Check their values.`,
  )
}

/** The stored form of an address: without credentials, with references to variables as written. */
export function storedAddress(address: string): string {
  return referencesIn(address).length === 0 ? plainAddress(address) : showAddress(address)
}

/** Whether a text is the address of a server: http(s), without an `@` after the host, which mostly ends a password. */
export function isServerAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, pathname, search, hash } = new URL(text)
  return /^https?:$/.test(protocol) && !`${pathname}${search}${hash}`.includes('@')
}

/** @throws ShaketableError `usage` for a text that is not the address of a server; the message shows no credentials */
export function parseAddress(text: string): URL {
  if (isServerAddress(text)) return new URL(text)
  const escapes = text.includes('@') ? ', and any of / ? # @ in a password or a query as %2F %3F %23 %40' : ''
  throw new ShaketableError(
    'usage',
    `A base URL begins with http:// or https://, got '${showAddress(text).slice(0, 200)}'. Write it like http://localhost:8000/v1${escapes}.`,
  )
}

/** Origin and path of an address, which may be shown and stored. */
export function plainAddress(address: URL | string): string {
  const { origin, pathname } = new URL(address)
  return `${origin}${pathname}`
}

/** Whether two addresses are of one server: the same scheme, host and port. */
export function isSameServer(address: string, other: string): boolean {
  return parseAddress(address).origin === parseAddress(other).origin
}

/**
 * Any text that is meant as an address, without what may be a password or a key: everything up to the last `@`, and
 * from `?` or `#` on. Where an `@` follows these the text is ambiguous, and only the scheme is left.
 */
export function showAddress(text: string): string {
  const scheme = /^\s*[a-z][a-z0-9+.-]*:\/\//i.exec(text)?.[0] ?? ''
  const rest = text.slice(scheme.length)
  const at = rest.lastIndexOf('@')
  const end = rest.search(/[?#]/)
  if (at === -1) return end === -1 ? text : `${scheme}${rest.slice(0, end)}`
  return end !== -1 && end < at ? `${scheme}…` : `${scheme}…@${rest.slice(at + 1, end === -1 ? undefined : end)}`
}

/** The secrets in an address: its login, and the values of its query. */
export function secretsOfAddress(address: string): readonly string[] {
  if (!isServerAddress(address)) return []
  const { username, password, searchParams } = new URL(address)
  const login = username + password === '' ? [] : secretsOfLogin(decode(username), decode(password))
  const isTelling = (name: string): boolean => /key|token|secret|pass|sig|auth|code/i.test(name)
  const values = [...searchParams].filter(([name, value]) => isTelling(name) || value.length >= 8)
  return [...login, ...values.map(([, value]) => value)]
}

/** Advice for a refused key: about the variable that it comes from, if there is one. */
export function adviseKey({ keyVariable = defaultKeyVariable }: Target): string {
  if (keyVariable === null) return unnamedKey
  return keyVariable === defaultKeyVariable ? `Check ${keyVariable}.` : `Check ${keyVariable} (named by apiKeyEnv).`
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
