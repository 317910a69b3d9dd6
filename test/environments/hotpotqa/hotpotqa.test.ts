import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type IncomingMessage, createServer } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import { createRandom, textOf, perturb } from '../../../src/index.js'
import { piecesOf } from '../../../src/core/text.js'
import { openEnvironment } from '../../../src/environments/index.js'
import { ownPages } from '../../../src/environments/hotpotqa/own.js'
import { indexPages } from '../../../src/environments/hotpotqa/page-index.js'
import { pythonShuffle } from '../../../src/environments/mersenne-twister.js'
import { createWorld, normaliseAnswer, scoreAnswer } from '../../../src/environments/hotpotqa/world.js'
import { sharedData, sharedRows } from '../../shared-data.js'
import { perturbations } from '../../../perturbations/index.js'
import { parseCondition } from '../../../src/run/conditions.js'
import { listen } from '../../models/loopback.js'
import { scratchFolder, scratchWriter } from '../../scratch.js'
import { textsOf } from '../../../src/environments/hotpotqa/html.js'
import { searchWiki, wikiAddress } from '../../../src/environments/hotpotqa/media-wiki.js'

it.each([
  ['The Eiffel Tower', 'eiffel tower.', true, 1],
  ['yes', 'no', false, 0],
  ['a', 'an', true, 0],
  ['Chief of Protocol', 'U.S. Chief of Protocol', false, 6 / 7],
  ['King\u2009s\u001cLynn', 'king s lynn', true, 1],
])('the score of an answer %j for %j', (answer, expected, exactMatch, f1) => {
  expect(scoreAnswer(answer, expected)).toEqual({ exactMatch, f1 })
})

it.skipIf(sharedData === undefined)('the score of an answer is that of the original functions', () => {
  type Row = Record<'pred' | 'gold' | 'normPred', string> & { em: boolean; f1: number[] }
  for (const { pred, gold, normPred, em, f1 } of sharedRows<Row>('hotpotqa/hotpotqa-metrics.jsonl')) {
    expect(normaliseAnswer(pred)).toBe(normPred)
    expect(scoreAnswer(pred, gold)).toEqual({ exactMatch: em, f1: f1[0] })
  }
})

it.skipIf(sharedData === undefined)('a page is read as by the original functions', async () => {
  for (const one of sharedRows('hotpotqa/hotpotqa-page.jsonl')) {
    const { page, obs, lookups } = one as { page: string; obs: string; lookups: Record<string, readonly string[]> }
    const world = episode({ search: () => ({ kind: 'page', title: 'X', text: page }) })
    expect(await say(world, 'search[X]')).toBe(obs)
    for (const [keyword, found] of Object.entries(lookups)) {
      for (const [index, sentence] of found.entries()) {
        const result = `(Result ${String(index + 1)} / ${String(found.length)}) ${sentence}`
        expect(await say(world, `lookup[${keyword}]`)).toBe(result)
      }
      expect(await say(world, `lookup[${keyword}]`)).toBe('No more results.\n')
    }
  }
})

it.each([
  [0, 10, [7, 8, 1, 5, 3, 4, 2, 0, 9, 6]],
  [2 ** 40 + 7, 10, [0, 5, 2, 3, 6, 1, 8, 4, 7, 9]],
  [233, 7405, [3687, 6238, 5388, 3522, 3824, 2866, 1551, 2544, 1557, 5762, 7275, 3188]],
])('a shuffle with seed %i of %i is CPython’s', (seed, count, first) => {
  const order = pythonShuffle([...Array(count).keys()], seed)
  expect(order.slice(0, first.length)).toEqual(first)
  expect(new Set(order).size).toBe(count)
})

function episode(search = indexPages(ownPages())) {
  const rest = { question: 'Q?', answer: 'Tomas Verrell', briefing: {}, maxSteps: 7, script: [] }
  return createWorld({ search, ...rest })
}

const say = async (world: ReturnType<typeof episode>, action: string): Promise<string> =>
  textOf(piecesOf((await world.step(action)).observation))

const harbour =
  'The Paper Harbour is a film of 1974, directed by Tomas Verrell. A boy builds a port of newspapers. The music is by Nadia Wexcombe. It was shot in five weeks..'

it.each<readonly [string, readonly string[]]>([
  [
    'show five sentences, then sentences with a word',
    [
      'lookup[x] → No more results.\n',
      `search[the paper HARBOUR] → ${harbour}`,
      'Lookup[MUSIC] → (Result 1 / 1) The music is by Nadia Wexcombe.',
      'lookup[MUSIC] → No more results.\n',
      'lookup[is] → (Result 1 / 2) The Paper Harbour is a film of 1974, directed by Tomas Verrell.',
      'search[zxqv] → Could not find zxqv. Similar: [].',
      'lookup[is] → (Result 2 / 2) The music is by Nadia Wexcombe.',
      `search[The_Paper_Harbour] → ${harbour}`,
      'lookup[is] → (Result 1 / 2) The Paper Harbour is a film of 1974, directed by Tomas Verrell.',
    ],
  ],
  [
    'list similar titles, also where a word has several meanings',
    [
      "search[Haddle] → Could not find Haddle. Similar: ['Corvin Haddle', 'Corvin Haddle Prize', 'Slow Bells', 'A House for Crows'].",
      "search[Serrin] → Could not find [Serrin]. Similar: ['Serrin', 'Serrin (film)', 'Serrin (typeface)', 'River Serrin', 'Pelloway Regatta'].",
      `search[lamplighter] → Could not find lamplighter. Similar: ["The Lamplighter's Debt", 'Bram Ottery'].`,
    ],
  ],
  [
    'refuse what is none of them',
    [
      ...['think[a] → Nice thought.', '  Think[a\nb]  → Nice thought.', 'SEARCH[a] → Invalid action: sEARCH[a]'],
      ...['search [a] → Invalid action: search [a]', 'search[a → Invalid action: search[a', ' → Invalid action: '],
    ],
  ],
])('the tools %s', async (_, turns) => {
  const world = episode()
  for (const turn of turns) {
    const [action, answer] = turn.split(' → ')
    expect(await say(world, action!)).toBe(answer)
  }
})

it.each([
  ['finish[Verrell]', 0, 2 / 3, 'failure'],
  ['Finish[Tomas Verrell!]', 1, 1, 'success'],
])('the tools end the episode with F1 as progress: %s', async (action, reward, progress, ended) => {
  const observation = `Episode finished, reward = ${String(reward)}\n`
  expect(await episode().step(action)).toMatchObject({ observation, progress, ended })
})

const environment = await openEnvironment('hotpotqa')

it.each(environment.tasks)('the questions of our own are solved within seven steps: $goal', async (task) => {
  const world = await environment.begin(task, createRandom('0'))
  const { answer } = task.data as { answer: string }
  expect([30, 5].map(world.stepLimit!)).toEqual([7, 5])
  const script = (await world.solve!())!
  expect(script.length).toBeLessThanOrEqual(7)
  expect(script.length).toBeGreaterThanOrEqual(3)
  let read = ''
  for (const [index, action] of script.entries()) {
    expect(await world.solve!()).toEqual(script.slice(index))
    const isLast = index === script.length - 1
    const turn = await world.step(action)
    expect(turn).toMatchObject({ understood: true, ended: isLast && 'success', progress: Number(isLast) })
    expect(turn.original).not.toMatch(/^No more results/)
    if (!isLast) read += `${turn.original}\n`
  }
  if (answer !== 'yes' && answer !== 'no') expect(read.toLowerCase()).toContain(answer.toLowerCase())
})

const folder = scratchFolder()
const write = scratchWriter(folder)

/** A file in HotpotQA's own format, with made-up questions. */
const ice = ['Red Ice', ['Red Ice is a novel by Ana Bel.', ' It is long.']] as const
const distractor = write('distractor.json', [
  {
    ...{ _id: '5a01', question: 'Where was the author of Red Ice born?', answer: 'Lisk' },
    ...{ type: 'bridge', level: 'hard' },
    supporting_facts: ['Red Ice 0', 'Ana Bel 0', 'Ana Bel 1'].map((fact) => [fact.slice(0, -2), Number(fact.at(-1))]),
    context: [ice, ['Ana Bel', ['Ana Bel was born in Lisk. ', 'She sailed.']]],
  },
  {
    ...{ _id: '5a02', question: 'Is Red Ice long?', answer: 'yes', type: 'comparison', level: 'medium' },
    supporting_facts: [['Red Ice', 1]],
    context: [ice, ['Red Ice', ['It was printed twice.']]],
  },
])
const rows = write(
  'simplified.json',
  Array.from({ length: 400 }, (_, index) => ({ question: `Q${String(index)}?`, answer: 'x', type: 'bridge' })),
)

const begin = async (options: Readonly<Record<string, unknown>>) => {
  const environment = await openEnvironment('hotpotqa', options)
  const world = await environment.begin(environment.tasks[0]!, createRandom('0'))
  return { environment, say: async (action: string) => (await world.step(action)).original, world }
}

it('a question file of HotpotQA has its own pages, and a solution that reads the facts', async () => {
  const { environment, say, world } = await begin({ questions: distractor, sample: 0 })
  expect(environment.tasks).toMatchObject([
    { id: '5a01', goal: 'Where was the author of Red Ice born?', kind: 'bridge', difficulty: 'hard' },
    { id: '5a02', kind: 'comparison' },
  ])
  expect(environment.tasks[1]).not.toHaveProperty('difficulty')
  expect(await world.solve!()).toEqual(['search[Red Ice]', 'search[Ana Bel]', 'finish[Lisk]'])
  expect(await say('search[red_ice]')).toBe('Red Ice is a novel by Ana Bel. It is long.. It was printed twice..')
  expect(await say('search[ana]')).toBe("Could not find ana. Similar: ['Ana Bel', 'Red Ice'].")
  expect(await say('search[Ana Bel]')).toBe('Ana Bel was born in Lisk. She sailed..')
  expect(environment.measure).toContain('7 steps; pages: 2 of the question file')
  expect(environment.data).toMatchObject({ kind: 'benchmark', from: 'HotpotQA', split: 'all questions' })
  expect(JSON.stringify(environment.settings)).not.toContain(folder)
})

it('a question file of the Hub is read like those of HotpotQA', async () => {
  type Row = Record<'supporting_facts' | 'context', [string, unknown][]>
  const own = JSON.parse(readFileSync(distractor, 'utf8')) as Row[]
  const lists = (pairs: readonly [string, unknown][], name: string) => ({
    title: pairs.map(([title]) => title),
    [name]: pairs.map(([, value]) => value),
  })
  const hub = own.map(({ supporting_facts: facts, context, ...row }) => {
    const { _id: id, level = null, ...rest } = row as Record<string, unknown>
    return { id, ...rest, level, supporting_facts: lists(facts, 'sent_id'), context: lists(context, 'sentences') }
  })
  const questions = write('hub.jsonl', `\ufeff${hub.map((row) => `${JSON.stringify(row)}\n`).join('')}`)
  const { environment, world } = await begin({ questions, sample: 0, corpus: questions })
  expect(environment.tasks).toMatchObject([{ id: '5a01', difficulty: 'hard' }, { id: '5a02' }])
  expect(await world.solve!()).toEqual(['search[Red Ice]', 'search[Ana Bel]', 'finish[Lisk]'])
})

it('a question file of ReAct is sampled as ReAct does, and searched elsewhere', async () => {
  const { environment } = await begin({ questions: rows, corpus: distractor })
  expect(environment.tasks).toHaveLength(300)
  expect(environment.data!.split).toBe('300 of 400 by seed 233')
  expect(environment.find('399').goal).toBe('Q399?')
  const other = await openEnvironment('hotpotqa', { questions: rows, corpus: distractor, sample: 5, sampleSeed: 0 })
  expect(other.tasks).toHaveLength(5)
  expect(other.tasks.map(({ id }) => id)).not.toEqual(environment.tasks.slice(0, 5).map(({ id }) => id))
  // Equal questions are equal tasks, whatever the sample.
  expect(environment.find('7').hash).toBe(other.find('7').hash)
})

it.each<readonly [string, unknown, string]>([
  ['is not JSON', '[{', 'is not JSON'],
  ['has no answers', [{ question: 'Q' }], "entry 0: Invalid input: expected string, received undefined at 'answer'"],
  ['has no pages', [{ question: 'Q', answer: 'a' }], 'Add --set hotpotqa.wiki=https://en.wikipedia.org, or'],
])('a question file that %s is refused with advice', async (_, content, message) => {
  await expect(openEnvironment('hotpotqa', { questions: write('bad.json', content) })).rejects.toThrow(message)
})

describe('ReAct’s prompt file', () => {
  const text = [
    '\nQuestion: Q1?\nThought 1: I need A.\nAction 1: Search[A]\nObservation 1: A is b.\nThought 2: So b.\nAction 2: Finish[b]\n',
    'Question: Q2?\nThought 1: Hm.\nAction 1: Finish[c]\n',
  ].join('')
  const prompt = write('prompts.json', { webthink_simple6: text })

  it('gives the worked examples, whose actions are reworded', async () => {
    const { environment } = await begin({ prompt })
    const { applied } = parseCondition('synonyms', perturbations)
    const world = await perturb(environment, applied).begin(environment.tasks[0]!, createRandom('0'))
    const shown = world.briefing.examples.map(({ opening, exchanges }) => [
      textOf(opening),
      ...exchanges.map(({ action, observation }) => [action, textOf(observation)]),
    ])
    const end = 'Episode finished, reward = 1'
    expect(shown).toEqual([
      ['Question: Q1?\nThought: I need A.', ['query[A]', 'A is b.\nThought: So b.'], ['answer[b]', end]],
      ['Question: Q2?\nThought: Hm.', ['answer[c]', end]],
    ])
  })

  it.skipIf(sharedData === undefined)('has six examples, equal to the file but for the numbers', async () => {
    const { environment, world } = await begin({ prompt: join(sharedData ?? '', 'hotpotqa', 'prompts.json') })
    expect(world.briefing.examples).toHaveLength(6)
    expect(world.briefing.examples[0]!.exchanges[0]!.action).toBe('Search[Colorado orogeny]')
    expect(environment.settings['prompt']).not.toBe('own')
  })
})

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
  const { origin, close } = await listen(server)
  address = origin
  elsewhere = origin.replace('127.0.0.1', 'localhost')
  return close
})

const open = (more: Partial<Parameters<typeof searchWiki>[0]> = {}) =>
  searchWiki({ address, gapMs: 0, retryMs: 1, deadlineMs: 5000, ...more })

const found = {
  kind: 'page',
  title: 'Milo Trent',
  text: 'Milo Trent & sons were printers. They lived in Lisk.[1]\none of several itemsand an inner one\nand an inner one',
}

it('a wiki searched as ReAct does gives the paragraphs, then the lists, of the page found', async () => {
  asked.length = 0
  expect(await open().search('Milo Trent')).toEqual(found)
  expect(asked.map(({ url }) => url)).toEqual(['/w/index.php?search=Milo+Trent', '/wiki/Milo_Trent'])
  for (const { headers } of asked) expect(headers['user-agent']).toMatch(/^shaketable\/\d+\.\d+\.\d+ \(/)
})

it('a wiki searched as ReAct does gives no secret of this process', async () => {
  expect(await open().search('key')).toMatchObject({ text: expect.not.stringContaining('WIKI98765') as string })
})

it('a wiki searched as ReAct does repeats what a busy site refuses, and asks one thing at a time', async () => {
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
])('a wiki searched as ReAct does ends with an error for %s', async (entity, message) => {
  const error = { code: 'environment', message: expect.stringContaining(message) as string }
  await expect(open().search(entity)).rejects.toMatchObject(error)
})

const wrong = ['en.wikipedia.org', 'file:///etc', 'https://a:b@c.org', 'https://c.org/?q=1']
it.each(wrong)('the address of a wiki is refused: %s', (given) => {
  expect(() => wikiAddress(given)).toThrow('hotpotqa.wiki: expected the address of a MediaWiki site')
  expect(() => wikiAddress(given)).not.toThrow('a:b')
})

it.each([
  ['<P>a<p>b<p>c', ['abc', 'bc', 'c']],
  ['<p>a<ul><li>b<li>  <li>c</ul>d', ['ab cd']],
  ['<p>a<noscript>n</noscript><title>t</title><rt>r<b>s</b></rt></p>', ['ant']],
  ['<p>a <b> </b>\n <i>\n\t</i>&nbsp; <pre>  \n </pre></p>', ['a  \n\n\u00a0   \n ']],
  ['<p>a<br> <br/> b</p>', ['a  b']],
  ['<p>a<ruby>x<rp>(</rp><rt>y</rt></ruby><template><i>z</i></template></p>', ['ax']],
])('HTML has the texts that BeautifulSoup gives of %j', (html, texts) => {
  expect(textsOf(html, (name) => name === 'p')).toEqual(texts)
})
