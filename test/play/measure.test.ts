import { describe, expect, it } from 'vitest'
import type { Step } from '../../src/core/episode.js'
import { createInvalidClassifier, measure, measureTrials } from '../../src/play/measure.js'

/** Steps in short: `+` understood, `-` not; `b` and `a` failed before and after; then the action. */
function stepsOf(...short: readonly string[]): Step[] {
  return short.map((one) => {
    const [, sign, failed, action] = /^([+-])([ab]?)(.*)$/.exec(one)!
    return {
      action: action!,
      observation: '',
      progress: 0,
      understood: sign === '+',
      ...(sign === '-' && { invalid: 'unknown-verb' as const }),
      ...(failed !== '' && { failed: failed === 'b' ? ('before' as const) : ('after' as const) }),
    }
  })
}

it.each<[string, readonly string[], 'firstRefusal' | 'failures', unknown]>([
  ['recovery at once', ['+', '-', '+'], 'firstRefusal', { step: 2, left: 1, recovered: 1 }],
  ['recovery after three steps', ['-', '-', '-', '+'], 'firstRefusal', { step: 1, left: 3, recovered: 3 }],
  ['no step after a refusal', ['+', '-'], 'firstRefusal', { step: 2, left: 0 }],
  ['no refusal', ['+'], 'firstRefusal', undefined],
  ['the same action works', ['+bopen', '+open'], 'failures', { read: 1, repeated: 1, recovered: 1 }],
  // Of three failures in a row each is followed by the action that works.
  ['a burst', ['+bopen', '+bopen', '+bopen', '+open'], 'failures', { read: 3, repeated: 3, recovered: 3 }],
  ['too late', ['+bopen', '-x', '-x', '-x', '+open'], 'failures', { read: 1, repeated: 0, recovered: 0 }],
  ['not read, as the episode ended', ['+open', '+btake'], 'failures', { read: 0, repeated: 0, recovered: 0 }],
  ['no failure', ['+open', '-take'], 'failures', undefined],
])('measures %s: %j has %s', (_, short, name, expected) => {
  expect(measure(stepsOf(...short))[name]).toEqual(expected)
})

it('the measures of several trials have the first refusal of the first trial with one, and sums of failures and reasons', () => {
  const trials = [stepsOf('+', '+bopen', '+open'), stepsOf('-', '+', '+bopen')]
  expect(measureTrials(trials, 1, [], true)).toMatchObject({
    firstRefusal: { step: 4, left: 2, recovered: 1 },
    failures: { read: 1, repeated: 1, recovered: 1 },
    invalid: { 'unknown-verb': 1 },
  })
})

it('steps to adapt end with a reworded action that is understood, and gains are the steps that raise progress', () => {
  const [refused, plain, ...reworded] = stepsOf('-x', '+y', '+z', '+z')
  const later = reworded.map((step) => ({ ...step, command: 'go', progress: 0.25 }))
  const found = measure([{ ...refused!, command: 'go' }, plain!, ...later])
  expect(found).toMatchObject({ adapted: 3, repeats: 0, gains: [[3, 0.25]] })
})

describe('why an action was not understood', () => {
  const forms = ['take {obj} from {recep}', 'look', 'from {recep} get {obj}'].map((template) => ({
    template,
    meaning: '',
  }))
  const briefing = { system: '', instruction: [], forms, examples: [], goal: '', help: [] }
  const classify = createInvalidClassifier({ briefing, names: ['apple 1', 'desk 1', 'desk 10'] })!

  it.each([
    ['take apple 1 from desk 1', 'wrong-state'],
    ['take apple 1 from desk 2', 'unknown-item'],
    ['Take it', 'unknown-item'],
    ['from desk 1 get apple 1', 'wrong-state'],
    ['grab apple 1 from desk 1', 'unknown-verb'],
    ['taken apple 1 from desk 1', 'unknown-verb'],
    ['look', 'wrong-state'],
    [' ', 'unparsable'],
  ])('%j: %s', (action, kind) => {
    expect(classify(action, true)).toBe(kind)
  })

  it('is the reply where that is not whole', () => {
    expect(classify('take apple 1 from desk 1', false)).toBe('unparsable')
  })

  it('is not known without action forms, nor without items where forms have slots', () => {
    expect(createInvalidClassifier({ briefing: { ...briefing, forms: [] }, names: ['a'] })).toBeUndefined()
    expect(createInvalidClassifier({ briefing, names: [] })).toBeUndefined()
    const bare = { ...briefing, forms: [{ template: 'look', meaning: '' }] }
    expect(createInvalidClassifier({ briefing: bare, names: [] })!('jump', true)).toBe('unknown-verb')
  })
})
