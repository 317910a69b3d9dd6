import { createRequire } from 'node:module'
import { setTimeout as pause } from 'node:timers/promises'
import { ShaketableError, messageOf } from '../../core/errors.js'
import { pythonStrip } from '../python-strip.js'
import { withoutSecrets } from '../secrets.js'
import type { Found, Search } from './page-index.js'

/** How a site is searched. */
interface WikiOptions {
  /** The site, such as `https://en.wikipedia.org`, or its `index.php`. */
  readonly address: string
  /** The longest wait for an answer. Default: 30 s. */
  readonly deadlineMs?: number
  /** Milliseconds between two requests, which never overlap. Default: 200. */
  readonly gapMs?: number
  /** Milliseconds before the first repetition; doubled for each further one. Default: 1000. */
  readonly retryMs?: number
}

const maxAttempts = 5
/** A longer `Retry-After` is not waited for. */
const maxRetrySeconds = 120
const maxEntityLength = 300
/** The longest page that is read. */
const maxBytes = 8 << 20
const maxKept = 10_000
const similar = 5

const { version } = createRequire(import.meta.url)('shaketable/package.json') as { version: string }
/** Names the project, as Wikimedia's policy on user agents asks. */
const userAgent = `shaketable/${version} (robustness perturbation testbed for LLM agents)`

/**
 * The address of a site as it is recorded: without login, query and a slash at its end. @throws ShaketableError `usage`
 */
export function wikiAddress(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined
  const isUsable = url !== undefined && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === ''
  if (!isUsable || url.username !== '' || url.password !== '') {
    throw new ShaketableError(
      'usage',
      `hotpotqa.wiki: expected the address of a MediaWiki site without login and query, such as https://en.wikipedia.org, got '${address.replace(/\/\/[^/]*@/, '//…@').slice(0, 200)}'.`,
    )
  }
  return `${url.origin}${url.pathname}`.replace(/\/$/, '')
}

/**
 * Searches a MediaWiki site: one request at a time, with a gap between them, repeated after errors that pass.
 * @throws ShaketableError `usage` for an address that is none
 */
export function searchWiki({ address, deadlineMs = 30_000, gapMs = 200, retryMs = 1000 }: WikiOptions): Search {
  const site = wikiAddress(address)
  const script = /\.php$/.test(site) ? site : `${site}/w/index.php`
  const kept = new Map<string, Promise<Found>>()
  let last: Promise<unknown> = Promise.resolve()
  /** Runs work after all earlier work and a gap. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = last.then(work)
    last = mine.catch(() => undefined).then(() => pause(gapMs))
    return mine
  }
  const getPage = (query: string): Promise<string> =>
    getText(`${script}?search=${query}`, { deadlineMs, retryMs, inTurn })
  return {
    search(entityText) {
      const entity = entityText.slice(0, maxEntityLength)
      const site = kept.get(entity) ?? readSite(entity, getPage)
      if (kept.size >= maxKept) kept.delete(kept.keys().next().value!)
      kept.set(entity, site)
      site.catch(() => kept.delete(entity))
      return site
    },
  }
}

/**
 * ReAct's way: the page that the site shows for a search. Its paragraphs are all `p`, then all `ul`, without those of
 * two words or fewer.
 */
async function readSite(entity: string, getPage: (query: string) => Promise<string>): Promise<Found> {
  const { hasClass, textsOf } = await import('./html.js')
  const html = await getPage(encodeURIComponent(entity).replaceAll('%20', '+'))
  const headings = textsOf(
    html,
    (name, attributes) => name === 'div' && hasClass(attributes, 'mw-search-result-heading'),
  )
  if (headings.length > 0) {
    return {
      kind: 'similar',
      titles: headings.map((heading) => unescapePython(pythonStrip(heading))).slice(0, similar),
    }
  }
  const [paragraphs, lists] = ['p', 'ul'].map((wanted) => textsOf(html, (name) => name === wanted))
  const blocks = [...paragraphs!, ...lists!].map(pythonStrip).filter((block) => block.split(' ').length > 2)
  const [title = entity] = textsOf(
    html,
    (name, { class: names = '', id = '' }) => name === 'h1' && /firstHeading/.test(`${id} ${names}`),
  )
  return { kind: 'page', title: pythonStrip(title), text: blocks.map(unescapePython).join('\n') }
}

/**
 * Backslash escapes as ReAct's `clean_str` interprets them, and the text itself where Python cannot, as
 * LanguageAgentTreeSearch has it. The bytes of UTF-8 pass through it unchanged.
 */
export function unescapePython(text: string): string {
  if (!text.includes('\\')) return text
  let isBroken = text.endsWith('\\') && /(?:^|[^\\])(?:\\\\)*\\$/.test(text)
  const bytes = Buffer.from(text, 'utf8').toString('latin1')
  const replaced = bytes.replace(
    /\\(?:([0-7]{1,3})|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([xuUN])|(\n)|(.))/gs,
    (whole, eight?: string, x?: string, u?: string, long?: string, bad?: string, line?: string, one?: string) => {
      if (bad !== undefined) isBroken = true
      if (line !== undefined) return ''
      const code = eight === undefined ? parseInt(x ?? u ?? long ?? '', 16) : parseInt(eight, 8)
      if (Number.isNaN(code)) return one === undefined ? whole : (meanings[letters.indexOf(one)] ?? whole)
      if (code > 0xff) isBroken = true
      return String.fromCharCode(code & 0xff)
    },
  )
  if (isBroken) return text
  const decoded = Buffer.from(replaced, 'latin1')
  const result = decoded.toString('utf8')
  return Buffer.from(result, 'utf8').equals(decoded) ? result : text
}

/** What a letter behind a backslash stands for, in the order of {@link letters}. */
const meanings = '\\\'"\x07\b\f\n\r\t\v'
const letters = '\\\'"abfnrtv'

interface GetOptions {
  readonly deadlineMs: number
  readonly retryMs: number
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>
}

/** The text at an address. @throws ShaketableError `environment` after the last attempt, or for an error that stays */
async function getText(address: string, { deadlineMs, retryMs, inTurn }: GetOptions): Promise<string> {
  const call = `GET ${address.slice(0, 300)}`
  const { host } = new URL(address)
  const fail = (why: string, advice = 'Correct hotpotqa.wiki.'): never => {
    throw new ShaketableError('environment', `${call}: ${why}. ${advice}`)
  }
  let why = ''
  for (let attempt = 0; attempt < maxAttempts; attempt++) {
    const reply = await inTurn(() => getOnce(address, deadlineMs))
    let seconds = 0
    if (typeof reply === 'string') why = reply
    else {
      const { status, headers, url, text } = reply
      if (new URL(url).host !== host) return fail(`a redirect to ${new URL(url).host}, which is not ${host}`)
      if (text === undefined) return fail(`the server answered with more than ${maxBytes.toLocaleString('en')} bytes`)
      if (status === 200) return text
      why = `the wiki answered ${String(status)}`
      if (status !== 429 && status < 500) return fail(why)
      seconds = Number(headers.get('retry-after')) || 0
    }
    if (seconds > maxRetrySeconds) {
      why += `, and asks to wait ${String(seconds)} s`
      break
    }
    if (attempt < maxAttempts - 1) await pause(Math.max(seconds * 1000, retryMs * 2 ** attempt))
  }
  return fail(why, 'Run it again later, which goes on where it stopped.')
}

/** An answer, whose text is undefined where it is too long; or why there is none. */
async function getOnce(address: string, deadlineMs: number) {
  const signal = AbortSignal.timeout(deadlineMs)
  try {
    const response = await fetch(address, {
      headers: { 'user-agent': userAgent, accept: 'text/html', 'accept-language': 'en' },
      signal,
    })
    const { status, headers, url } = response
    const chunks: Uint8Array[] = []
    let bytes = 0
    for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
      bytes += chunk.length
      if (bytes > maxBytes) return { status, headers, url, text: undefined }
      chunks.push(chunk)
    }
    return { status, headers, url, text: withoutSecrets(Buffer.concat(chunks).toString('utf8')) }
  } catch (thrown) {
    if (signal.aborted) return `no answer within ${String(deadlineMs / 1000)} s`
    const { cause = thrown } = thrown as { readonly cause?: unknown }
    return withoutSecrets(messageOf(cause) || 'the connection broke')
  }
}
