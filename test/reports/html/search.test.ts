import { describe, expect, it } from 'vitest'
import type { ShownEpisode } from '../../../reports/html/packed.js'
import { type FoundLine, readQuery, searchEpisode } from '../../../reports/html/page/search.js'
import { makeStep, refusedStep } from './_runs.js'

const calls = { promptTokens: 0, completionTokens: 0 }
const opening = { observation: 'A room with a Pen 1.\nA desk.' }
const look = makeStep('look', { reply: 'I look for the PENCIL first.' })
const walk = makeStep('walk to drawer 1', { command: 'go to drawer 1', original: 'Door İs open.' })
const prompt = [{ role: 'user' as const, content: 'Play.\nFind the pencil, then open it.' }]
const episodes: readonly ShownEpisode[] = [
  { calls, said: { prompt, opening, steps: [look, refusedStep('open drawer 1')] } },
  { calls, said: { prompt: [], opening, steps: [walk] } },
  { calls, error: 'The server is gone.' },
]

/** What a search finds: for each episode its label, step and line with the match in brackets. */
const search = (text: string): Record<number, string> => {
  const show = ({ label, step, line, from, to }: FoundLine): string =>
    `${label} ${String(step)}: ${line.slice(0, from)}[${line.slice(from, to)}]${line.slice(to)}`
  const found = episodes.map((episode, at) => [at, searchEpisode(episode, readQuery(text)!)] as const)
  return Object.fromEntries(found.flatMap(([at, line]) => (line ? [[at, show(line)]] : [])))
}

describe('a search in the texts of episodes', () => {
  it.each([
    [
      'in any case, the first line',
      'pen 1',
      { 0: 'observation 0: A room with a [Pen 1].', 1: 'observation 0: A room with a [Pen 1].' },
    ],
    ['within one line only', '1.\nA', {}],
    ['replies before prompts', 'pencil', { 0: 'reply 1: I look for the [PENCIL] first.' }],
    ['prompts', 'then open', { 0: 'prompt undefined: Find the pencil, [then open] it.' }],
    ['refused actions', 'open drawer', { 0: 'refused 2: [open drawer] 1' }],
    ['actions in both wordings', 'go to', { 1: 'action 1: [go to] drawer 1' }],
    ['observations in both wordings', 's open', { 1: 'observation 1: Door İ[s open].' }],
    ['errors', 'gone', { 2: 'error undefined: The server is [gone].' }],
    ['nothing', 'zebra', {}],
  ])('finds %s', (_, text, expected) => {
    expect(search(text)).toEqual(expected)
  })

  it.each(['', ' ', 'a'])('needs more than “%s”', (text) => {
    expect(readQuery(text)).toBeUndefined()
  })
})
