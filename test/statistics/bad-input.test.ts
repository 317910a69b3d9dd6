import { describe, expect, it } from 'vitest'
import * as shaketable from '../../src/statistics/index.js'

const notFinite = [NaN, Infinity, -Infinity]
const notCounts = [...notFinite, -1, 0.5]
const notShares = [...notFinite, -0.1, 1.1]
const notDifferences = [...notFinite, -1.1, 1.1]
const notLevels = [...notShares, 0, 1]
const negative = [...notFinite, -0.1]
const notPositive = [...negative, 0]
/** Of numbers from −1 to 1. */
const notVariances = [...negative, 2.1, 1e300]
/** Bad values in lists in which NaN is a missing value. */
const infinite = [Infinity, -Infinity]
const [beyondShares, beyondDifferences] = [
  [-0.1, 1.1],
  [-1.1, 1.1],
]

const gate = { margin: 0.05, taskVariance: 0.003, pairVariance: 0.26, tasks: 134, seeds: 5 }

type Case = readonly [name: string, call: (bad: number) => unknown, bad: readonly number[]]

/** Each starts with the name of the function. */
const cases: readonly Case[] = [
  ...named('bestSet', {
    count: [(bad) => shaketable.bestSet(bad, () => [0]), notCounts],
    differences: [(bad) => shaketable.bestSet(2, () => [0, bad]), beyondDifferences],
    confidence: [(bad) => shaketable.bestSet(2, () => [0], bad), notLevels],
  }),
  ...named('ratioOfMeans', {
    first: [(bad) => shaketable.ratioOfMeans([0.5, bad], [0.5, 0.5]), beyondShares],
    second: [(bad) => shaketable.ratioOfMeans([0.5, 0.5], [0.5, bad]), beyondShares],
    largest: [(bad) => shaketable.ratioOfMeans([0.5], [0.5], bad), notPositive],
  }),
  ...[
    shaketable.powerOfGate,
    shaketable.tasksNeeded,
    shaketable.seedsNeeded,
    shaketable.marginNeeded,
    shaketable.detectableDrop,
  ].flatMap((plan): readonly Case[] => {
    const { name } = plan as { readonly name: string }
    const refuses = (key: string, bad: readonly number[]): Case => [
      `${name} ${key}`,
      (value) => plan({ ...gate, [key]: value }),
      bad,
    ]
    return [
      refuses('alpha', [...notLevels, 0.5]),
      refuses('taskVariance', notVariances),
      refuses('pairVariance', notVariances),
      ...(name === 'powerOfGate' ? [] : [refuses('power', notLevels)]),
      ...(name === 'marginNeeded' ? [] : [refuses('margin', notShares)]),
      ...(name === 'detectableDrop' ? [] : [refuses('drop', notDifferences)]),
      ...(name === 'tasksNeeded' ? [] : [refuses('tasks', notCounts)]),
      ...(name === 'seedsNeeded' ? [] : [refuses('seeds', [...notCounts, 0])]),
    ]
  }),
  ...named('intervalOverDraws', {
    means: [(bad) => shaketable.intervalOverDraws([0, bad], { low: -1, high: 1 }), notFinite],
  }),
  ...named('wilsonInterval', {
    successes: [(bad) => shaketable.wilsonInterval(bad, 3), [...notCounts, 4]],
    trials: [(bad) => shaketable.wilsonInterval(0, bad), notCounts],
    confidence: [(bad) => shaketable.wilsonInterval(1, 3, bad), notLevels],
  }),
  ...named('interfaceReliance', {
    originalFirst: [(bad) => shaketable.interfaceReliance([{ originalFirst: [bad], aliasFirst: [0] }]), notShares],
    aliasFirst: [(bad) => shaketable.interfaceReliance([{ originalFirst: [0], aliasFirst: [bad] }]), notShares],
  }),
  ...named('taskInterval', {
    scores: [(bad) => shaketable.taskInterval([0.5, bad]), beyondShares],
    confidence: [(bad) => shaketable.taskInterval([0.5], bad), notLevels],
  }),
  ...[shaketable.meanAboveP, shaketable.meanBelowP].flatMap((test) =>
    named(test.name, {
      differences: [(bad) => test([0, bad], 0), beyondDifferences],
      bound: [(bad) => test([0], bad), notDifferences],
      'bound without a task': [(bad) => test([], bad), notDifferences],
    }),
  ),
  ...named('meanBounds', {
    differences: [(bad) => shaketable.meanBounds([0, bad], 0.05), beyondDifferences],
    alpha: [(bad) => shaketable.meanBounds([0], bad), [...notShares, 0, 0.51]],
  }),
  ...named('noDifferenceP', { differences: [(bad) => shaketable.noDifferenceP([0, bad]), beyondDifferences] }),
  ...named('pairedDifference', {
    differences: [(bad) => shaketable.pairedDifference([[0, bad], [0]]), beyondDifferences],
  }),
  ...(['benjaminiHochberg', 'holm'] as const).flatMap((name) =>
    named(name, { ps: [(bad) => shaketable[name]([0.01, bad]), beyondShares] }),
  ),
  ...named('normalCdf', { z: [(bad) => shaketable.normalCdf(bad), [NaN]] }),
  ...named('normalQuantile', { probability: [(bad) => shaketable.normalQuantile(bad), notShares] }),
  ...[shaketable.passAtK, shaketable.passHatK].flatMap((chance) =>
    named(chance.name, {
      trials: [(bad) => chance(bad, 0, 1), notCounts],
      successes: [(bad) => chance(5, bad, 2), [...notCounts, 6]],
      k: [(bad) => chance(5, 3, bad), notCounts],
    }),
  ),
  ...[shaketable.kendallTauB, shaketable.spearman].flatMap((correlation) =>
    named(correlation.name, {
      first: [(bad) => correlation([0, bad, 1], [1, 2, 3]), notFinite],
      second: [(bad) => correlation([1, 2, 3], [0, bad, 1]), notFinite],
    }),
  ),
  ...named('studentQuantile', {
    probability: [(bad) => shaketable.studentQuantile(bad, 3), notShares],
    df: [(bad) => shaketable.studentQuantile(0.9, bad), notPositive],
  }),
  ...named('studentTail', {
    t: [(bad) => shaketable.studentTail(bad, 3), [NaN]],
    df: [(bad) => shaketable.studentTail(1, bad), notPositive],
  }),
  ...named('binomialCdf', {
    successes: [(bad) => shaketable.binomialCdf(bad, 3, 0.5), [NaN]],
    trials: [(bad) => shaketable.binomialCdf(1, bad, 0.5), notCounts],
    rate: [(bad) => shaketable.binomialCdf(1, 3, bad), notShares],
  }),
  ...named('expectedLowest', {
    scores: [(bad) => shaketable.expectedLowest([0.1, bad], 1), notFinite],
    size: [(bad) => shaketable.expectedLowest([0.1, 0.2], bad), notCounts],
  }),
  ...named('pairedSlope', {
    positions: [(bad) => shaketable.pairedSlope([0, bad], [[0.5, 0.5]]), notFinite],
    scores: [(bad) => shaketable.pairedSlope([0, 1], [[0.5, bad]]), notShares],
  }),
  ...named('fisherAboveP', {
    first: [(bad) => shaketable.fisherAboveP(bad, 4, 0, 4), notCounts],
    firstOf: [(bad) => shaketable.fisherAboveP(0, bad, 0, 4), notCounts],
    second: [(bad) => shaketable.fisherAboveP(4, 4, bad, 4), notCounts],
    secondOf: [(bad) => shaketable.fisherAboveP(4, 4, 0, bad), notCounts],
  }),
  ...named('twoWayError', {
    scores: [
      (bad) =>
        shaketable.twoWayError([
          [0, 1],
          [1, bad],
        ]),
      beyondShares,
    ],
  }),
  ...named('worstCase', { scores: [(bad) => shaketable.worstCase([[0.5, bad]]), infinite] }),
  ...named('worstOfRepeats', {
    columns: [(bad) => shaketable.worstOfRepeats([[[0.5, bad]]], [[0, 1]]), infinite],
    clean: [(bad) => shaketable.worstOfRepeats([[[0, 1]]], [[0.5, bad]]), infinite],
  }),
]

function named(name: string, byInput: Record<string, readonly [Case[1], Case[2]]>): Case[] {
  return Object.entries(byInput).map(([input, [call, bad]]) => [`${name} ${input}`, call, bad])
}

/** Lists about the same items. */
const unequal: readonly (readonly [name: string, call: () => unknown])[] = [
  ['pairedClusterDifference', () => shaketable.pairedClusterDifference([0, 1], ['a', 'b', 'c'])],
  ['kendallTauB', () => shaketable.kendallTauB([1, 2], [1, 2, 3])],
  ['spearman', () => shaketable.spearman([1, 2], [1, 2, 3])],
  ['twoWayError', () => shaketable.twoWayError([[0, 1], [1]])],
  ['spreadOfDraws', () => shaketable.spreadOfDraws([[0, 1], [1]])],
  ['worstCase', () => shaketable.worstCase([[0, 1], [1]])],
  ['worstOfRepeats', () => shaketable.worstOfRepeats([[[0, 1]]], [[1]])],
  [
    'worstOfRepeats',
    () =>
      shaketable.worstOfRepeats(
        [[[0, 1]]],
        [
          [0, 1],
          [1, 1],
        ],
      ),
  ],
]

/** Of any unit, with every non-finite value missing: every list of numbers has a result. */
const answering = ['mean', 'median', 'spreadByGroup', 'standardDeviation']

describe('bad input', () => {
  it.each(cases)('is refused with the expected and the actual value: %s', (_, call, bad) => {
    for (const value of bad) {
      const refused = expect(() => call(value), String(value))
      refused.toThrow(RangeError)
      refused.toThrow(/^Expected .* to be a (whole |finite )?number.*, got .*\. (Check|Give) .*\.$/)
    }
  })

  it.each(unequal)('is refused if lists have unequal lengths: %s', (_, call) => {
    expect(call).toThrow(/^Expected .* of equal length, got \d and \d values\. Check/)
  })

  it('is reported with the expected and the actual value', () => {
    expect(() => shaketable.passHatK(5, 6, 2)).toThrow(
      new RangeError('Expected successes to be a whole number from 0 to 5, got 6. Check what is passed.'),
    )
    expect(() => shaketable.wilsonInterval(5, 6, 95)).toThrow(
      new RangeError(
        'Expected confidence to be a finite number above 0 and below 1, got 95. Give a share of 1, not a percentage.',
      ),
    )
    expect(() => shaketable.studentTail(1, -2)).toThrow(
      new RangeError('Expected df to be a finite number above 0, got -2. Check what is passed.'),
    )
    expect(() => shaketable.normalCdf(NaN)).toThrow(
      new RangeError('Expected z to be a number, got NaN. Check what is passed.'),
    )
  })

  it('is tested for each exported function', () => {
    const exported = Object.keys(shaketable)
    const known = new Set([...[...cases, ...unequal].map(([name]) => name.split(' ')[0]!), ...answering])
    expect([...known].sort()).toEqual(exported.sort())
  })
})
