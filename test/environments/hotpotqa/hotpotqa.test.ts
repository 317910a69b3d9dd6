import { describe, expect, it } from 'vitest'
import { createRandom, textOf } from '../../../src/index.js'
import { piecesOf } from '../../../src/core/text.js'
import { openEnvironment } from '../../../src/environments/index.js'
import { ownPages } from '../../../src/environments/hotpotqa/own.js'
import { indexPages } from '../../../src/environments/hotpotqa/page-index.js'
import { pythonShuffle } from '../../../src/environments/mersenne-twister.js'
import { createWorld, normaliseAnswer, scoreAnswer } from '../../../src/environments/hotpotqa/world.js'
import { sharedData, sharedRows } from '../../shared-data.js'

describe('the score of an answer', () => {
  it.each([
    ['The Eiffel Tower', 'eiffel tower.', true, 1],
    ['yes', 'no', false, 0],
    ['a', 'an', true, 0],
    ['Chief of Protocol', 'U.S. Chief of Protocol', false, 6 / 7],
    ['King\u2009s\u001cLynn', 'king s lynn', true, 1],
  ])('%j for %j', (answer, expected, exactMatch, f1) => {
    expect(scoreAnswer(answer, expected)).toEqual({ exactMatch, f1 })
  })

  it.skipIf(sharedData === undefined)('is that of the original functions', () => {
    for (const one of sharedRows('hotpotqa/hotpotqa-metrics.jsonl')) {
      const { pred, gold, normPred, em, f1 } = one as Record<string, string> & { em: boolean; f1: number[] }
      expect(normaliseAnswer(pred!)).toBe(normPred)
      expect(scoreAnswer(pred!, gold!)).toEqual({ exactMatch: em, f1: f1[0] })
    }
  })
})

describe('a page', () => {
  it.skipIf(sharedData === undefined)('is read as by the original functions', async () => {
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
})

describe('a shuffle', () => {
  it.each([
    [0, 10, [7, 8, 1, 5, 3, 4, 2, 0, 9, 6]],
    [2 ** 40 + 7, 10, [0, 5, 2, 3, 6, 1, 8, 4, 7, 9]],
    [233, 7405, [3687, 6238, 5388, 3522, 3824, 2866, 1551, 2544, 1557, 5762, 7275, 3188]],
  ])('with seed %i of %i is CPython’s', (seed, count, first) => {
    const order = pythonShuffle([...Array(count).keys()], seed)
    expect(order.slice(0, first.length)).toEqual(first)
    expect(new Set(order).size).toBe(count)
  })
})

function episode(search = indexPages(ownPages())) {
  const rest = { question: 'Q?', answer: 'Tomas Verrell', briefing: {}, maxSteps: 7, script: [] }
  return createWorld({ search, ...rest })
}

const say = async (world: ReturnType<typeof episode>, action: string): Promise<string> =>
  textOf(piecesOf((await world.step(action)).observation))

const harbour =
  'The Paper Harbour is a film of 1974, directed by Tomas Verrell. A boy builds a port of newspapers. The music is by Nadia Wexcombe. It was shot in five weeks..'

describe('the tools', () => {
  it.each<readonly [string, readonly (readonly [action: string, answer: string])[]]>([
    [
      'show five sentences, then sentences with a word',
      [
        ['lookup[x]', 'No more results.\n'],
        ['search[the paper HARBOUR]', harbour],
        ['Lookup[MUSIC]', '(Result 1 / 1) The music is by Nadia Wexcombe.'],
        ['lookup[MUSIC]', 'No more results.\n'],
        ['lookup[is]', '(Result 1 / 2) The Paper Harbour is a film of 1974, directed by Tomas Verrell.'],
        ['search[zxqv]', 'Could not find zxqv. Similar: [].'],
        ['lookup[is]', '(Result 2 / 2) The music is by Nadia Wexcombe.'],
        ['search[The_Paper_Harbour]', harbour],
        ['lookup[is]', '(Result 1 / 2) The Paper Harbour is a film of 1974, directed by Tomas Verrell.'],
      ],
    ],
    [
      'list similar titles, also where a word has several meanings',
      [
        [
          'search[Haddle]',
          "Could not find Haddle. Similar: ['Corvin Haddle', 'Corvin Haddle Prize', 'Slow Bells', 'A House for Crows'].",
        ],
        [
          'search[Serrin]',
          "Could not find [Serrin]. Similar: ['Serrin', 'Serrin (film)', 'Serrin (typeface)', 'River Serrin', 'Pelloway Regatta'].",
        ],
        ['search[lamplighter]', `Could not find lamplighter. Similar: ["The Lamplighter's Debt", 'Bram Ottery'].`],
      ],
    ],
    [
      'refuse what is none of them',
      [
        ['think[a]', 'Nice thought.'],
        ['  Think[a\nb] ', 'Nice thought.'],
        ['SEARCH[a]', 'Invalid action: sEARCH[a]'],
        ['search [a]', 'Invalid action: search [a]'],
        ['search[a', 'Invalid action: search[a'],
        ['', 'Invalid action: '],
      ],
    ],
  ])('%s', async (_, turns) => {
    const world = episode()
    for (const [action, answer] of turns) expect(await say(world, action)).toBe(answer)
  })

  it('end the episode with F1 as progress', async () => {
    const finished = 'Episode finished, reward ='
    expect(await episode().step('finish[Verrell]')).toMatchObject({
      ...{ observation: `${finished} 0\n`, progress: 2 / 3, ended: 'failure' },
    })
    expect(await episode().step('Finish[Tomas Verrell!]')).toMatchObject({
      ...{ observation: `${finished} 1\n`, progress: 1, ended: 'success' },
    })
  })
})

describe('the questions of our own', async () => {
  const environment = await openEnvironment('hotpotqa')

  it.each(environment.tasks)('are solved within seven steps: $goal', async ({ id }) => {
    const task = environment.find(id)
    const world = await environment.begin(task, createRandom('0'))
    const { answer } = task.data as { answer: string }
    expect(world.stepLimit!(30)).toBe(7)
    expect(world.stepLimit!(5)).toBe(5)
    const script = (await world.solve!())!
    expect(script.length).toBeLessThanOrEqual(7)
    expect(script.length).toBeGreaterThanOrEqual(3)
    let read = ''
    for (const [index, action] of script.entries()) {
      expect(await world.solve!()).toEqual(script.slice(index))
      const turn = await world.step(action)
      expect(turn).toMatchObject({ understood: true, ended: index === script.length - 1 ? 'success' : false })
      expect(turn.original).not.toMatch(/^No more results/)
      expect(turn.progress).toBe(index === script.length - 1 ? 1 : 0)
      if (index < script.length - 1) read += `${turn.original}\n`
    }
    if (answer !== 'yes' && answer !== 'no') expect(read.toLowerCase()).toContain(answer.toLowerCase())
  })
})
