import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Random, Text } from '../../src/index.js'
import { piecesOf, textOf } from '../../src/core/text.js'
import { searchWiki } from '../../src/environments/hotpotqa/media-wiki.js'
import { createWorld } from '../../src/environments/hotpotqa/world.js'
import { type Episode, type Original, type Plan, filesIn, follow } from './original.js'

/** ReAct's tools on pages that a server shows: our own, with all that damages a page, and those of Python packages. */
export const hotpotqa: Original = { name: 'hotpotqa', driver: 'play_hotpotqa.py', episodes }

async function episodes({ random, isShort, packages }: Plan): Promise<readonly Episode[]> {
  const pages = new Map<string, string>()
  for (let page = 0; page < (isShort ? 200 : 3_000); page++) pages.set(`own ${String(page)}`, makePage(random))
  const docs = join(packages, 'pygame', 'docs', 'generated')
  const saved = existsSync(docs) ? filesIn(docs, '.html') : []
  for (const path of random.shuffle(saved).slice(0, isShort ? 30 : 200)) {
    pages.set(path, readFileSync(path, 'utf8'))
  }
  const server = createServer(({ url = '' }, response) => {
    const entity = new URL(url, 'http://localhost').searchParams.get('search') ?? ''
    response.setHeader('content-type', 'text/html; charset=utf-8').end(pages.get(entity) ?? results(entity))
  }).unref()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const wiki = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`
  const search = searchWiki({ address: wiki, gapMs: 0 })
  return [...pages.keys()].map((entity): Episode => {
    const [answer, given] = [makeAnswer(random), makeAnswer(random)]
    const state = (observation: Text | string, score = 0, done = false) => {
      return { observation: textOf(piecesOf(observation)), score, done, valid: [] }
    }
    const question = `What of ${entity}?`
    const world = createWorld({ question, answer, search, briefing: { forms: [] } as never, maxSteps: 99, script: [] })
    // A blank is in every sentence of several words.
    const lookups = ['the', 'a ', 'x', ' '].flatMap((word) =>
      Array<string>(word === ' ' ? 60 : 3).fill(`lookup[${word}]`),
    )
    return {
      id: entity,
      begin: { wiki, question, answer },
      ours: () => ({
        opening: state(world.opening as string),
        async step(action) {
          const { observation, progress = 0, ended = false } = await world.step(action)
          return state(observation as Text, progress, ended !== false)
        },
      }),
      next: follow(['lookup[x]', `search[${entity}]`, ...lookups, 'search[none]', `finish[${given}]`]),
    }
  })
}

function results(entity: string): string {
  const titles = ['One', "Two's", 'Three "3"', `Four &amp; <i>${entity.length}</i>`, 'É', 'Six']
  return `<ul>${titles.map((title) => `<li><div class="mw-search-result-heading">${title} </div></li>`).join('\n')}</ul>`
}

const texts =
  'The town of X. It is old. |a| |\n|\n\t  |  |He lived there. |&amp;|&#32;|&nbsp;|x < y|Ünï. |a\\tb |. |漢 '.split('|')
const inline = 'b i a span sup noscript title style script template pre textarea svg'.split(' ')
const blocks = 'p ul li div table tr td h2 dl dd blockquote'.split(' ')
const empty = '<br>|<br/>|<hr>|<img src="x">|<!-- c -->|<wbr>|<ruby>r<rp>(</rp><rt>t</rt></ruby>'.split('|')

/** Elements in which there are no others. */
const plain = new Set(['script', 'style', 'title', 'textarea'])

/** A page of nested elements, of which some are not closed, or are closed twice or too early. */
function makePage(random: Random): string {
  const one = (depth: number): string => {
    const kind = random.int(depth > 5 ? 2 : 6)
    if (kind === 0) return random.pick(texts)
    if (kind === 1) return random.int(3) === 0 ? random.pick(empty) : random.pick(texts)
    const name = random.pick(kind < 4 ? blocks : inline)
    const inner = Array.from({ length: 1 + random.int(5) }, () => one(depth + 1)).join('')
    const isDamaged = !plain.has(name) && random.int(8) === 0
    const end = isDamaged ? random.pick(['', `</${name}></${name}>`, '</div>', '</p>']) : `</${name}>`
    return `<${name}${random.int(3) === 0 ? ' class="k"' : ''}>${plain.has(name) ? 'z ' : inner}${end}`
  }
  const body = Array.from({ length: 8 + random.int(10) }, () => one(0)).join(random.pick(['', '\n', '\n    ']))
  return `<!DOCTYPE html>\n<html>\n<head><title>T</title></head>\n<body>\n<h1 id="firstHeading">H</h1>${body}</body></html>\n`
}

const answerWords = 'the a an yes no noanswer Paris paris, U.S. 1,000 éa ThE “so” x\u00a0y - 12 i̇ İ ﬀ'.split(' ')

function makeAnswer(random: Random): string {
  return Array.from({ length: 1 + random.int(5) }, () => random.pick(answerWords)).join(random.pick([' ', '  ', '-']))
}
