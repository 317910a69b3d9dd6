import { ShaketableError } from '../core/errors.js'

/** The environment variables that configure network access. */
export type NetworkVariables = Readonly<Record<string, string | undefined>>

/**
 * The proxy for a URL by HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY; undefined for none. Names in lower case take
 * precedence over upper case. NO_PROXY is a list of hosts, each with or without a port, that includes their subdomains;
 * `*` is every host.
 * @throws ShaketableError `usage` if the variable does not hold the address of a usable proxy
 */
export function proxyFor(url: URL, variables: NetworkVariables): URL | undefined {
  const nameOf = (upper: string): string => (variables[upper.toLowerCase()] ? upper.toLowerCase() : upper)
  const read = (upper: string): string => (variables[nameOf(upper)] ?? '').trim()
  const own = url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'
  const used = read(own) === '' ? 'ALL_PROXY' : own
  const proxy = read(used)
  if (proxy === '' || isExempt(url, read('NO_PROXY'))) return undefined
  const parsed = parseProxy(proxy.includes('://') ? proxy : `http://${proxy}`)
  if (parsed !== undefined) return parsed
  throw new ShaketableError(
    'usage',
    `${nameOf(used)}: expected the address of a proxy such as http://proxy:3128 or https://proxy:3128, got '${withoutLogin(proxy)}'. Correct or unset it, or name ${url.hostname} in NO_PROXY.`,
  )
}

function parseProxy(address: string): URL | undefined {
  if (!URL.canParse(address)) return undefined
  const parsed = new URL(address)
  try {
    proxyAuthorization(parsed)
  } catch {
    return undefined
  }
  return /^https?:$/.test(parsed.protocol) ? parsed : undefined
}

/** A possibly malformed address without any user name and password in it. */
function withoutLogin(address: string): string {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)?(.*)$/is.exec(address) ?? []
  const at = rest.lastIndexOf('@')
  if (at !== -1) return `${scheme}…@${rest.slice(at + 1)}`.slice(0, 100)
  const [host = '', ...port] = rest.split(':')
  const shown = port.length === 0 || /^\d*\/?$/.test(port.join(':')) ? rest : `${host}:…`
  return `${scheme}${shown}`.slice(0, 100)
}

function isExempt({ hostname, port, protocol }: URL, list: string): boolean {
  const host = hostname.toLowerCase()
  const own = port || (protocol === 'https:' ? '443' : '80')
  return list
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      if (entry === '*') return true
      const [, name = '', onlyPort] = /^\*?\.?(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(entry) ?? []
      if (name === '' || (onlyPort !== undefined && onlyPort !== own)) return false
      return host === name || host === `[${name}]` || host.endsWith(`.${name}`)
    })
}

/** The header for a proxy with a user name and password. */
export function proxyAuthorization({ username, password }: URL): Readonly<Record<string, string>> {
  if (username === '') return {}
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { 'proxy-authorization': `Basic ${Buffer.from(login).toString('base64')}` }
}
