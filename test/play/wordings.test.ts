import { describe, expect, it } from 'vitest'
import { act } from '../../src/agents/act.js'
import type { Completion, Model } from '../../src/index.js'
import { createRandom, perturb, play, renameItems, rewordActions } from '../../src/index.js'
import { actionTokensOf, firstDifference, wordingsOf } from '../../src/play/wordings.js'
import { doors } from '../run/_fakes.js'
import { ownPerturbation } from '../own-perturbation.js'

const reword = ownPerturbation('unlock', () => rewordActions({ 'open {door}': 'unlock {door} now' }))
const rename = ownPerturbation('joined', () => renameItems((name) => name.replace(' ', '')))
const begin = (...perturbations: readonly (typeof reword)[]) => {
  const applied = perturbations.map((perturbation) => ({ perturbation }))
  const environment = perturb(doors(40), applied)
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

it.each([
  ['in both wordings', [reword], 'unlock door 3 now', ['unlock door 3 now', 'open door 3']],
  ['in its original wording', [reword], 'open door 3', ['unlock door 3 now', 'open door 3']],
  ['with items spelt as now in both', [reword, rename], 'unlock door3 now', ['unlock door3 now', 'open door3']],
  ['in any order of perturbations', [rename, reword], 'unlock door3 now', ['unlock door3 now', 'open door3']],
  ['not at all if only items are renamed', [rename], 'open door3', undefined],
  ['not at all for an action that is not understood', [reword], 'sing', undefined],
])('both wordings of an action are given %s', async (_, perturbations, action, expected) => {
  const found = await wordingsOf(await begin(...perturbations), action)
  expect(found && [found.present, found.original]).toEqual(expected)
})

const text = 'Thought: open door 3.\nAction: open door 3'
const actionTokens = [
  [' open', -1],
  [' door', -2],
  [' 3', -0.5],
] as const
const all = tokens(['Thought: open door 3.\n', -9], ['Action:', -9], ...actionTokens, ['\nX', -9])
it.each([
  ['those of its text, at its last occurrence', text, 'open door 3', all, { tokens: 3, sum: -3.5 }],
  ['none if the tokens spell another reply', `${text}!`, 'open door 3', all, undefined],
  ['none if it is not in the reply', text, 'open door 4', all, undefined],
  ['none for an empty action', text, '', all, undefined],
])('the tokens of an action are %s', (_, text, action, given, expected) => {
  const found = actionTokensOf({ text, action, tokens: given })
  expect(found && { tokens: found.tokens, sum: found.sum }).toEqual(expected)
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
  const playWith = async (logprobs: Model['logprobs']) => {
    let step = 0
    const model: Model = {
      name: 'm',
      settings: {},
      ...(logprobs && { logprobs }),
      complete(_, { logprobs: wanted }) {
        const text = `unlock door ${String(step++)} now`
        return { text, promptTokens: 10, ...(wanted && { logprobs: tokens([text, -1.5, { open: -0.5 }]) }) }
      },
    }
    const world = await begin(reword)
    return play({ world, agent: act, model, temperature: 0, seed: 0, stepLimit: 30, maxTokens: 50, episode: 'e' })
  }

  it('compares the first tokens of both wordings in every step', async () => {
    const { result, trajectory } = await playWith('top')
    const { measures } = result
    expect(measures.wordings).toEqual({
      ...{ steps: 30, asked: 30, scored: 30, preferred: 0, present: -45, original: -15 },
    })
    expect(measures.actionTokens).toEqual({ tokens: 30, sum: -45 })
    expect(trajectory.steps[2]!.wordings).toEqual({
      present: { text: 'unlock door 2 now', tokens: 1, sum: -1.5 },
      original: { text: 'open door 2', tokens: 1, sum: -0.5 },
    })
  })

  it('has no log-probabilities if the model has none', async () => {
    const { result, trajectory } = await playWith(undefined)
    expect(JSON.stringify([result, trajectory])).not.toMatch(/wordings|actionTokens/)
  })
})
