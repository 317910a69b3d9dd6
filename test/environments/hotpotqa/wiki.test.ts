import type { IncomingMessage } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { textsOf } from '../../../src/environments/hotpotqa/html.js'
import { searchWiki, wikiAddress } from '../../../src/environments/hotpotqa/media-wiki.js'

const page = `<!DOCTYPE html><html><head><title>T</title><style>p { color: red }</style></head><body>
<h1 id="firstHeading" class="firstHeading"><span>Milo Trent</span></h1>
<p class="mw-empty-elt">
</p>
<p><b>Milo Trent</b> &amp; sons were <a href="/wiki/P" title="a > b">printers</a>. They lived in &#76;isk.<sup>[1]</sup>
</p><script>if (a < b) document.write("<p>no no no</p>")</script>
<!-- <p>not this one</p> -->
<p>Two words</p>
<ul><li>one of several items<ul><li>and an inner one</li></ul></li></ul>
</body></html>`
const results = (titles: readonly string[]): string =>
  `<html><body><ul>${titles.map((title) => `<li><div class='mw-search-result-heading x'><a>${title}</a>  </div></li>`).join('')}</ul></body></html>`

const asked: IncomingMessage[] = []
let [busy, overlaps, faults, address, elsewhere] = [0, 0, 0, '', '']

type Answer = readonly [status: number, body: string, headers?: Record<string, string>]
const answers: Readonly<Record<string, () => Answer>> = {
  'Milo Trent': () => [302, '', { location: '/wiki/Milo_Trent' }],
  busy: () => (faults++ < 2 ? [faults === 1 ? 429 : 503, 'wait', { 'retry-after': '0' }] : [200, page]),
  down: () => [503, 'down'],
  later: () => [429, 'wait', { 'retry-after': '100000' }],
  away: () => [302, '', { location: `${elsewhere}/wiki/Milo_Trent` }],
  large: () => [200, 'x'.repeat((8 << 20) + 1)],
  key: () => [200, page.replace('printers', 'sk-WIKI98765432')],
  none: () => [404, 'none'],
  slow: () => [200, page],
}
const titles = ['Milo Trent', "The Lamplighter's &quot;Debt&quot;", 'A &lt;b&gt;', 'B', 'C', 'D']

const server = createServer((request, response) => {
  if (busy++ > 0) overlaps++
  response.on('close', () => busy--)
  asked.push(request)
  const { pathname, searchParams } = new URL(request.url!, address)
  const entity = searchParams.get('search') ?? ''
  const [status, body, headers = {}] =
    pathname === '/wiki/Milo_Trent' ? ([200, page] as const) : (answers[entity]?.() ?? [200, results(titles)])
  setTimeout(() => response.writeHead(status, headers).end(body), entity === 'slow' ? 300 : 0)
})

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  address = `http://127.0.0.1:${String(port)}`
  elsewhere = `http://localhost:${String(port)}`
})
afterAll(() => server.close())

const open = (more: Partial<Parameters<typeof searchWiki>[0]> = {}) =>
  searchWiki({ address, gapMs: 0, retryMs: 1, deadlineMs: 5000, ...more })

const found = {
  kind: 'page',
  title: 'Milo Trent',
  text: 'Milo Trent & sons were printers. They lived in Lisk.[1]\none of several itemsand an inner one\nand an inner one',
}

describe('a wiki searched as ReAct does', () => {
  it('gives the paragraphs, then the lists, of the page that a search leads to', async () => {
    asked.length = 0
    expect(await open().search('Milo Trent')).toEqual(found)
    expect(asked.map(({ url }) => url)).toEqual(['/w/index.php?search=Milo+Trent', '/wiki/Milo_Trent'])
    for (const { headers } of asked) expect(headers['user-agent']).toMatch(/^shaketable\/\d+\.\d+\.\d+ \(/)
  })

  it('gives no secret of this process', async () => {
    expect(await open().search('key')).toMatchObject({ text: expect.not.stringContaining('WIKI98765') as string })
  })

  it('repeats what a busy site refuses, and asks one thing at a time', async () => {
    faults = overlaps = 0
    const wiki = open()
    const all = await Promise.all(['busy', 'busy', 'other', 'slow'].map(async (entity) => wiki.search(entity)))
    expect(all.map(({ kind }) => kind)).toEqual(['page', 'page', 'similar', 'page'])
    expect(faults).toBe(3)
    expect(overlaps).toBe(0)
  })

  it.each([
    ['down', 'the wiki answered 503. Run it again later, which goes on where it stopped.'],
    ['later', 'the wiki answered 429, and asks to wait 100000 s. Run it again later, which goes on where it stopped.'],
    ['away', 'a redirect to'],
    ['large', 'answered with more than 8,388,608 bytes.'],
    ['none', 'the wiki answered 404. Correct hotpotqa.wiki.'],
  ])('ends with an error for %s', async (entity, message) => {
    await expect(open().search(entity)).rejects.toMatchObject({
      code: 'environment',
      message: expect.stringContaining(message) as string,
    })
  })
})

describe('the address of a wiki', () => {
  it.each(['en.wikipedia.org', 'file:///etc', 'https://a:b@c.org', 'https://c.org/?q=1'])('is refused: %s', (given) => {
    expect(() => wikiAddress(given)).toThrow('hotpotqa.wiki: expected the address of a MediaWiki site')
    expect(() => wikiAddress(given)).not.toThrow('a:b')
  })
})

describe('HTML', () => {
  it.each([
    ['<P>a<p>b<p>c', ['abc', 'bc', 'c']],
    ['<p>a<ul><li>b<li>  <li>c</ul>d', ['ab cd']],
    ['<p>a<noscript>n</noscript><title>t</title><rt>r<b>s</b></rt></p>', ['ant']],
    ['<p>a <b> </b>\n <i>\n\t</i>&nbsp; <pre>  \n </pre></p>', ['a  \n\n\u00a0   \n ']],
    ['<p>a<br> <br/> b</p>', ['a  b']],
    ['<p>a<ruby>x<rp>(</rp><rt>y</rt></ruby><template><i>z</i></template></p>', ['ax']],
  ])('has the texts that BeautifulSoup gives of %j', (html, texts) => {
    expect(textsOf(html, (name) => name === 'p')).toEqual(texts)
  })

  it.each(['<a "', '<!--', '<p>', '<ul><li>x', '<p><b>x'])('of a million times %j is read in time', (part) => {
    const begun = process.cpuUsage()
    textsOf(part.repeat(1 << 20), (name) => name === 'p' || name === 'ul')
    expect(process.cpuUsage(begun).user).toBeLessThan(10_000_000)
  })
})
