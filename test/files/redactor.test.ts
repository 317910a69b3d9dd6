import { describe, expect, it } from 'vitest'
import { createRedactor, secretsOfVariables } from '../../src/files/redactor.js'

const base64 = (text: string): string => Buffer.from(text).toString('base64')

describe('a redactor', () => {
  const secret = 'k3y/with+"signs"&=é'
  const hex = Buffer.from(secret).toString('hex')
  const escaped = [...secret].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')
  it.each([
    ['as it is', `a ${secret} b`],
    ['URL-encoded', `a ${encodeURIComponent(secret)} b`],
    ['URL-encoded in small letters', `a ${encodeURIComponent(secret).toLowerCase()} b`],
    ['as JSON', `a ${JSON.stringify(secret).slice(1, -1)} b`],
    ['as JSON in JSON', `a ${JSON.stringify(JSON.stringify(secret)).slice(3, -3)} b`],
    ['as ASCII JSON', `a ${JSON.stringify(secret).slice(1, -1).replace('é', '\\u00E9').replace('/', '\\/')} b`],
    ['as HTML', `a ${secret.replaceAll('&', '&amp;').replaceAll('"', '&#34;')} b`],
    ['broken over lines', `a ${secret.slice(0, 4)}\r\n  ${secret.slice(4, 9)}\n${secret.slice(9)} b`],
    ['broken over lines in JSON', `a ${secret.slice(0, 4)}\\r\\n${secret.slice(4).replaceAll('"', '\\"')} b`],
    ['in small letters', `a ${secret.toLowerCase()} b`],
    ['in capital letters', `a ${secret.toUpperCase().replace('É', 'é')} b`],
    ['reversed', `a ${[...secret].reverse().join('')} b`],
    ['in hexadecimal', `a ${hex} b`],
    ['in hexadecimal with capital letters, by pairs', `a ${hex.toUpperCase().replace(/(..)(?=.)/g, '$1 ')} b`],
    ['as escapes of bytes', `a ${hex.replace(/../g, '\\x$&')} b`.replace('\\xc3\\xa9', '\\xe9')],
    ['as escapes of code units', `a ${escaped} b`],
    ['in base64', `a ${base64(secret)} b`],
    ['in base64, behind one byte', `a ${base64(`x${secret}`)} b`],
    ['in base64, between others', `a ${base64(`a: ${secret}; more`)} b`],
    ['in base64 for addresses', `a ${Buffer.from(secret).toString('base64url')} b`],
    ['in base64, URL-encoded', `a ${encodeURIComponent(base64(`{"key":"${secret}"}`))} b`],
    ['in base64, broken over lines', `a ${base64(secret).slice(0, 9)}\n${base64(secret).slice(9)} b`],
    ['folded', `a ${[...secret].join(' ')} b`],
  ])('finds a secret %s', (_, text) => {
    expect(createRedactor([secret])(text)).toBe('a … b')
  })

  it.each([
    ['tulip', 'tulips, tulip: "tulip" xtulip', 'tulips, …: "…" xtulip'],
    ['OASIS', 'OASIS OASIS-like O A S I S', '… OASIS-like O A S I S'],
    ['none', 'none of them is EMPTY', 'none of them is EMPTY'],
    ['EMPTY', 'none of them is EMPTY', 'none of them is EMPTY'],
    ['key', 'the red key', 'the red key'],
    ['', 'the red key', 'the red key'],
  ])('finds the short secret %j only as a complete word, or not at all', (short, text, clean) => {
    expect(createRedactor([short])(text)).toBe(clean)
  })

  it('removes whatever looks like a key of OpenAI, and no other word', () => {
    const text = 'sk-proj-abc_123 sk-abc***xyz desk-1234 sk-learn'
    expect(createRedactor([])(text)).toBe('… … desk-1234 sk-learn')
  })

  it('is quick with megabytes that almost match a secret', () => {
    const redact = createRedactor([`aaaa${'a'.repeat(60)}bcd`, '-a a a a a a a a-'])
    const started = performance.now()
    for (const piece of ['a', 'a ', 'a\\', '\\', 'a\\n', '%4', '&#0', 'YWFh', `a${' '.repeat(1000)}`]) {
      const text = piece.repeat(500_000 / piece.length)
      expect(redact(text)).toBe(text)
    }
    expect(performance.now() - started).toBeLessThan(5000)
  })
})

describe('the secrets among environment variables', () => {
  it.each([
    ['OPENAI_API_KEY', 'sk-PROCKEY123456'],
    ['HF_TOKEN', ' hf_abcdefgh '],
    ['DB_PASSWORD', 'tulip'],
    ['DB_PASSWORD_2', 'opensesame'],
    ['PGPASSWORD', 'tulip'],
    ['MYSQL_PWD', '123456'],
    ['SSHPASS', 'tulip'],
    ['TOKEN_CI', 'tulip'],
    ['API_KEY', 'Swordfish'],
    ['LLM_APIKEY', 'tulip'],
    ['apiKey', 'tulip'],
    ['labSecret', 'tulip'],
    ['AWS_CREDENTIALS', 'tulip'],
    ['WEB_AUTH', 'tulip-4'],
  ])('have the value of %s', (name, value) => {
    expect(createRedactor(secretsOfVariables({ [name]: value }))(`a ${value.trim()} b`)).toBe('a … b')
  })

  it.each([
    ['TOKENIZERS_PARALLELISM', 'false'],
    ['MAX_TOKENS', '4096'],
    ['KEYBOARD_LAYOUT', 'qwerty'],
    ['MONKEY', 'tulip'],
    ['COMPASS', 'north'],
    ['GIT_AUTHOR_NAME', 'Ann Smith'],
    ['AUTHOR', 'Ann Smith'],
    ['AUTH_METHOD', 'basic'],
    ['OPENAI_API_KEY', 'dummy'],
    ['SSH_AUTH_SOCK', '/tmp/agent.1'],
    ['SECRET_FILE', String.raw`C:\keys\one`],
    ['HOME', '/home/somebody'],
    ['EDITOR', 'tulip'],
  ])('do not have the value of %s', (name, value) => {
    expect(createRedactor(secretsOfVariables({ [name]: value }))(`a ${value} b`)).toBe(`a ${value} b`)
  })

  it('have logins in addresses, and the lines of a certificate', () => {
    const [one, two] = ['MIIEvQIBADANBgkqhkiG9w0B', 'AQEFAASCBKcwggSjAgEAAoIB']
    const secrets = secretsOfVariables({
      REDIS_URL: 'redis://queue:tulip@127.0.0.1:6379',
      TLS_KEY: `-----BEGIN KEY-----\n${one}\n${two}\n-----END KEY-----`,
    })
    expect(createRedactor(secrets)(`a tulip ${base64('queue:tulip')} ${two} b`)).toBe('a … … … b')
  })
})
