import { describe, expect, it } from 'vitest'
import { act } from '../../src/agents/act.js'
import type { Completion, Message, Model } from '../../src/core/model.js'
import { renameItems, rewordActions } from '../../src/core/perturbation.js'
import { perturb } from '../../src/core/perturb.js'
import { play } from '../../src/play/play.js'
import { createRandom } from '../../src/core/random.js'
import { actionTokensOf, firstDifference, wordingsOf } from '../../src/play/wordings.js'
import { doors } from '../run/_fakes.js'
import { ownPerturbation } from '../own-perturbation.js'

const reword = ownPerturbation('unlock', () => rewordActions({ 'open {door}': 'unlock {door} now' }))
const rename = ownPerturbation('joined', () => renameItems((name) => name.replace(' ', '')))
const begin = (...perturbations: readonly (typeof reword)[]) => {
  const environment = perturb(
    doors(40),
    perturbations.map((perturbation) => ({ perturbation })),
  )
  return environment.begin(environment.tasks[39]!, createRandom('wordings'))
}
const tokens = (
  ...all: readonly (readonly [string, number, Record<string, number>?])[]
): NonNullable<Completion['logprobs']> =>
  all.map(([token, logprob, top]) => ({
    token,
    logprob,
    ...(top && { top: Object.entries(top).map(([token, logprob]) => ({ token, logprob })) }),
  }))

describe('both wordings of an action', () => {
  it.each([
    ['in both wordings', [reword], 'unlock door 3 now', ['unlock door 3 now', 'open door 3']],
    ['in its original wording', [reword], 'open door 3', ['unlock door 3 now', 'open door 3']],
    ['with items spelt as now in both', [reword, rename], 'unlock door3 now', ['unlock door3 now', 'open door3']],
    ['in any order of perturbations', [rename, reword], 'unlock door3 now', ['unlock door3 now', 'open door3']],
    ['not at all if only items are renamed', [rename], 'open door3', undefined],
    ['not at all for an action that is not understood', [reword], 'sing', undefined],
  ])('are given %s', async (_, perturbations, action, expected) => {
    const found = await wordingsOf(await begin(...perturbations), action)
    expect(found && [found.present, found.original]).toEqual(expected)
  })
})

describe('the tokens of an action', () => {
  const text = 'Thought: open door 3.\nAction: open door 3'
  const all = tokens(
    ['Thought: open door 3.\n', -9],
    ['Action:', -9],
    [' open', -1],
    [' door', -2],
    [' 3', -0.5],
    ['\nX', -9],
  )
  it.each([
    ['those of its text, at its last occurrence', text, 'open door 3', all, { tokens: 3, sum: -3.5 }],
    ['none if the tokens spell another reply', `${text}!`, 'open door 3', all, undefined],
    ['none if it is not in the reply', text, 'open door 4', all, undefined],
    ['none for an empty action', text, '', all, undefined],
  ])('are %s', (_, text, action, given, expected) => {
    const found = actionTokensOf({ text, action, tokens: given })
    expect(found && { tokens: found.tokens, sum: found.sum }).toEqual(expected)
  })
})

describe('the first token in which wordings differ', () => {
  const wordings = { present: 'move to shelf 1', original: 'go to shelf 1' }
  const top = { ' go': -0.1, ' mo': -4, ' move': -3, ' take': -5 }
  it.each([
    [[' go', -0.1, top], ' to shelf 1', [-3, -0.1]],
    [[' move', -3, top], ' to shelf 1', [-3, -0.1]],
    [[' take', -5, top], ' it', [-3, -0.1]],
    [['go', -0.1, { take: -5 }], ' to shelf 1', undefined],
    [['go', -0.1], ' to shelf 1', undefined],
  ] as const)('is found if the probabilities of both are given: %j', (first, rest, expected) => {
    const action = `${first[0].trim()}${rest}`
    const text = `Action:${first[0]}${rest}`
    const given = tokens(['Action:', 0], [...first], [rest, 0])
    const found = firstDifference({ text, action, tokens: given }, wordings)
    expect(found && [found.present.sum, found.original.sum]).toEqual(expected)
  })

  it('may come after words that both have', () => {
    const given = tokens(['clean', 0], [' mug', 0], [' with', -2, { ' using': -1 }], [' sink', 0])
    const text = 'clean mug with sink'
    const both = { present: 'clean mug using sink', original: text }
    expect(firstDifference({ text, action: text, tokens: given }, both)).toEqual({
      present: { tokens: 1, sum: -1 },
      original: { tokens: 1, sum: -2 },
    })
  })
})

describe('an episode with log-probabilities', () => {
  const asked: (readonly Message[])[] = []
  /** Prefers the original wording by one nat for each of its tokens. */
  const model = (logprobs: Model['logprobs']): Model => {
    let step = 0
    return {
      name: 'm',
      settings: {},
      ...(logprobs && { logprobs }),
      complete(messages, { scored, logprobs: wanted }) {
        if (scored === undefined) {
          const text = `unlock door ${String(step++)} now`
          return { text, promptTokens: 10, ...(wanted && { logprobs: tokens([text, -1.5, { open: -0.5 }]) }) }
        }
        asked.push(messages)
        const text = messages.at(-1)!.content
        expect(scored).toBe(text.length)
        return {
          text: '',
          promptTokens: 100,
          logprobs: text.split(' ').map((token) => ({ token, logprob: text.startsWith('open') ? -1 : -2 })),
        }
      },
    }
  }
  const playWith = async (model: Model) =>
    play({
      world: await begin(reword),
      agent: act,
      model,
      temperature: 0,
      seed: 0,
      stepLimit: 30,
      maxTokens: 50,
      episode: 'e',
    })

  it('scores both wordings in eight evenly spaced steps, as continuations of each prompt', async () => {
    asked.length = 0
    const { result, trajectory } = await playWith(model('continuations'))
    const places = trajectory.steps.flatMap(({ wordings }, place) => (wordings!.asked ? [place] : []))
    expect(places).toEqual([0, 2, 6, 10, 14, 18, 22, 26])
    expect(asked).toHaveLength(16)
    expect(asked.map((messages) => messages.at(-1)).slice(2, 4)).toEqual([
      { role: 'assistant', content: 'unlock door 2 now' },
      { role: 'assistant', content: 'open door 2' },
    ])
    expect(asked[2]!.slice(0, -1)).toEqual(asked[3]!.slice(0, -1))
    expect(asked[2]![1]!.content).toContain('unlock door 1 now\nObservation')
    expect(asked[2]![1]!.content).not.toContain('unlock door 2 now')
    expect(result.measures.wordings).toEqual({
      steps: 30,
      asked: 8,
      scored: 8,
      preferred: 0,
      present: -16,
      original: -8,
      calls: 16,
      promptTokens: 1600,
      completionTokens: 0,
    })
    expect(result.measures).toMatchObject({ modelCalls: 30, promptTokens: 300, actionTokens: { tokens: 30, sum: -45 } })
  })

  it('compares first tokens if the model does not score a text, without a call', async () => {
    asked.length = 0
    const { result } = await playWith(model('top'))
    expect(asked).toEqual([])
    expect(result.measures.wordings).toMatchObject({ steps: 30, asked: 30, scored: 30, present: -45, original: -15 })
  })

  it('has no log-probabilities if the model has none', async () => {
    const { result, trajectory } = await playWith(model(undefined))
    expect(JSON.stringify([result, trajectory])).not.toMatch(/wordings|actionTokens/)
  })
})
