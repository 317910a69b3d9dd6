import { describe, expect, it } from 'vitest'
import { packChunks } from '../../../reports/html/episodes/pack.js'
import { listEpisodes } from '../../../reports/html/episodes/list-episodes.js'
import type { FoundLine } from '../../../reports/html/page/episode-text.js'
import { chunkTextOf, readQuery, searchChunk } from '../../../reports/html/page/episode-text.js'
import { comparePrompts, rewordingsOf } from '../../../reports/html/page/prompt-difference.js'
import type { PackedChunk, PackedEpisode, ShownStep } from '../../../reports/html/packed.js'
import { gunzipSync } from 'node:zlib'
import { makeStep, refusedStep, runWithTrajectories } from './_runs.js'

const calls = { made: 0, promptTokens: 0, completionTokens: 0 }
const episode = (steps: readonly ShownStep[], prompt: readonly number[] = []): PackedEpisode => ({
  key: 'k',
  calls,
  said: { prompt, opening: { observation: 'A room with a Pen 1.\nA desk.' }, steps },
})
const chunk: PackedChunk = {
  messages: [{ role: 'user', content: 'Play.\nFind the pencil, then open it.' }],
  episodes: [
    episode([makeStep('look', { reply: 'I look for the PENCIL first.' }), refusedStep('open drawer 1')], [0]),
    episode([makeStep('walk to drawer 1', { command: 'go to drawer 1', original: 'Door İs open.' })]),
    { key: 'k', calls, error: 'The server is gone.' },
  ],
}

/** What a search finds: for each episode its label, step and line with the match in brackets. */
const search = (text: string, given = chunk, wanted = given.episodes.map((_, at) => at)): Record<number, string> => {
  const found: Record<number, string> = {}
  const show = ({ label, step, line, from, to }: FoundLine): string =>
    `${label} ${String(step)}: ${line.slice(0, from)}[${line.slice(from, to)}]${line.slice(to)}`
  searchChunk(chunkTextOf(given), readQuery(text)!, wanted, (at, line) => (found[at] = show(line)))
  return found
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
    ['prompts', 'prompt: PENCIL', { 0: 'prompt undefined: Find the [pencil], then open it.' }],
    ['refused actions', 'refused: open', { 0: 'refused 2: [open] drawer 1' }],
    ['actions, refused or not, in both wordings', 'Action: go to', { 1: 'action 1: [go to] drawer 1' }],
    ['refused actions among actions', 'action: open', { 0: 'refused 2: [open] drawer 1' }],
    ['observations in both wordings', 'observation: open', { 1: 'observation 1: Door İs [open].' }],
    ['errors', 'error: gone', { 2: 'error undefined: The server is [gone].' }],
    ['a word that is no kind', 'did: look', { 0: 'observation 1: You [did: look].' }],
    ['nothing', 'zebra', {}],
  ])('finds %s', (_, text, expected) => {
    expect(search(text)).toEqual(expected)
  })

  it.each(['', ' ', 'a', 'refused:', 'refused: '])('needs more than “%s”', (text) => {
    expect(readQuery(text)).toBeUndefined()
  })

  it('searches the wanted episodes only', () => {
    expect(Object.keys(search('pen 1', chunk, [1]))).toEqual(['1'])
    expect(search('pencil', chunk, [1, 2])).toEqual({})
  })

  it('shows a part of a long line, without half a character', () => {
    const long = `${'😀'.repeat(100)}needle${'😀'.repeat(100)}`
    const found = search('needle', { messages: [], episodes: [episode([makeStep(long)])] })[0]!
    expect(found.length).toBeLessThan(220)
    expect(found).toMatch(/^action 1: …(?:😀)+\[needle\](?:😀)+…$/u)
  })

  it('agrees with a plain search of every text of packed episodes', () => {
    const run = runWithTrajectories()
    const [packed] = [...packChunks(listEpisodes(run).episodes, run)]
    const given = JSON.parse(gunzipSync(Buffer.from(packed!.text, 'base64')).toString()) as PackedChunk
    for (const words of ['mug 1', 'take', 'nothing happens', 'yours', 'agentrefine-1', 'thought']) {
      const expected = given.episodes.flatMap(({ said }, at) => {
        const texts = [said!.opening, ...said!.steps, ...said!.prompt.map((message) => given.messages[message]!)]
        const all = texts.flatMap((one) => Object.values(one as object)).filter((value) => typeof value === 'string')
        return all.some((text) => text.toLowerCase().includes(words)) ? [String(at)] : []
      })
      expect(Object.keys(search(words, given)), words).toEqual(expected)
    }
  })
})

describe('a comparison of prompts', () => {
  const say = (...lines: readonly string[]) => [{ role: 'user', content: lines.join('\n') }]
  const clean = say('Play.', "- 'go to {recep}': walk", "- 'take {obj} from {recep}': pick up", 'Begin.')

  it('pairs equal lines, and the lines between them in order', () => {
    const other = say('Play.', "- 'walk to {recep}': walk", 'More.', "- 'take {obj} from {recep}': pick up", 'Begin.')
    const [message] = comparePrompts(clean, other)
    expect(message!.lines.map(({ left, right }) => (left === right ? '=' : [left, right]))).toEqual([
      '=',
      ["- 'go to {recep}': walk", "- 'walk to {recep}': walk"],
      [undefined, 'More.'],
      '=',
      '=',
    ])
  })

  it.each([
    ['a word', "- 'walk to {recep}': walk", [{ before: 'go', after: 'walk' }]],
    ['several words', "- 'approach {recep}': walk", [{ before: 'go to', after: 'approach' }]],
    ['only a missing part', "- 'go {recep}': walk", []],
    ['a long passage', `- '${'very '.repeat(20)}far': see`, []],
  ])('lists what is reworded: %s', (_, line, expected) => {
    const other = say('Play.', line, "- 'take {obj} from {recep}': pick up", 'Begin.')
    expect(rewordingsOf(comparePrompts(clean, other))).toEqual(expected)
  })

  it('lists items in another order as a whole', () => {
    const other = say('Play.', "- 'go to {recep}': walk", "- 'from {recep} take {obj}': pick up", 'Begin.')
    expect(rewordingsOf(comparePrompts(clean, other))).toEqual([
      { before: 'take {obj} from {recep}', after: 'from {recep} take {obj}' },
    ])
  })

  it('pairs messages by place', () => {
    const roles = comparePrompts([{ role: 'system', content: 'a' }], [...clean, ...clean]).map(({ role }) => role)
    expect(roles).toEqual(['system / user', 'user'])
  })
})
