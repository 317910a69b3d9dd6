import { describe, expect, it } from 'vitest'
import * as shaketable from '../../src/statistics/index.js'

const notFinite = [NaN, Infinity, -Infinity]
const notCounts = [...notFinite, -1, 0.5]
const notShares = [...notFinite, -0.1, 1.1]
const notLevels = [...notShares, 0, 1]
const notPositive = [...notFinite, -0.1, 0]
/** Bad values in lists in which NaN is a missing value. */
const [beyondShares, beyondDifferences] = [
  [-0.1, 1.1],
  [-1.1, 1.1],
]
const gate = { margin: 0.05, taskVariance: 0.003, pairVariance: 0.26, tasks: 134, seeds: 5 }
const interval = { low: -1, high: 1 }

/** What each function refuses, once for each kind of input. */
const cases: readonly (readonly [
  name: keyof typeof shaketable,
  call: (bad: number) => unknown,
  bad: readonly number[],
])[] = [
  ['bestSet', (bad) => shaketable.bestSet(bad, () => [0]), notCounts],
  ['bestSet', (bad) => shaketable.bestSet(2, () => [0, bad]), beyondDifferences],
  ['bestSet', (bad) => shaketable.bestSet(2, () => [0], bad), notLevels],
  ['ratioOfMeans', (bad) => shaketable.ratioOfMeans([0.5, bad], [0.5, 0.5]), beyondShares],
  ['ratioOfMeans', (bad) => shaketable.ratioOfMeans([0.5], [0.5], bad), notPositive],
  ['powerOfGate', (bad) => shaketable.powerOfGate({ ...gate, alpha: bad }), [...notLevels, 0.5]],
  ['powerOfGate', (bad) => shaketable.powerOfGate({ ...gate, taskVariance: bad }), [...notFinite, -0.1, 2.1, 1e300]],
  ['tasksNeeded', (bad) => shaketable.tasksNeeded({ ...gate, power: bad }), notLevels],
  ['seedsNeeded', (bad) => shaketable.seedsNeeded({ ...gate, tasks: bad }), notCounts],
  ['marginNeeded', (bad) => shaketable.marginNeeded({ ...gate, drop: bad }), [...notFinite, -1.1, 1.1]],
  ['detectableDrop', (bad) => shaketable.detectableDrop({ ...gate, seeds: bad }), [...notCounts, 0]],
  ['intervalOverDraws', (bad) => shaketable.intervalOverDraws([0, bad], interval), notFinite],
  ['wilsonInterval', (bad) => shaketable.wilsonInterval(bad, 3), [...notCounts, 4]],
  ['interfaceReliance', (bad) => shaketable.interfaceReliance([{ originalFirst: [bad], aliasFirst: [0] }]), notShares],
  ['taskInterval', (bad) => shaketable.taskInterval([0.5, bad]), beyondShares],
  ['meanAboveP', (bad) => shaketable.meanAboveP([0, bad], 0), beyondDifferences],
  ['meanBelowP', (bad) => shaketable.meanBelowP([], bad), [...notFinite, -1.1, 1.1]],
  ['meanBounds', (bad) => shaketable.meanBounds([0], bad), [...notShares, 0, 0.51]],
  ['noDifferenceP', (bad) => shaketable.noDifferenceP([0, bad]), beyondDifferences],
  ['pairedDifference', (bad) => shaketable.pairedDifference([[0, bad], [0]]), beyondDifferences],
  ['pairedSlope', (bad) => shaketable.pairedSlope([0, bad], [[0.5, 0.5]]), notFinite],
  ['pairedSlope', (bad) => shaketable.pairedSlope([0, 1], [[0.5, bad]]), notShares],
  ['holm', (bad) => shaketable.holm([0.01, bad]), beyondShares],
  ['normalCdf', (bad) => shaketable.normalCdf(bad), [NaN]],
  ['normalQuantile', (bad) => shaketable.normalQuantile(bad), notShares],
  ['passAtK', (bad) => shaketable.passAtK(5, bad, 2), [...notCounts, 6]],
  ['passHatK', (bad) => shaketable.passHatK(5, 3, bad), notCounts],
  ['studentQuantile', (bad) => shaketable.studentQuantile(0.9, bad), notPositive],
  ['studentTail', (bad) => shaketable.studentTail(1, bad), notPositive],
  ['binomialCdf', (bad) => shaketable.binomialCdf(1, 3, bad), notShares],
  ['expectedLowest', (bad) => shaketable.expectedLowest([0.1, 0.2], bad), notCounts],
  ['fisherAboveP', (bad) => shaketable.fisherAboveP(4, 4, bad, 4), notCounts],
  ['worstCase', (bad) => shaketable.worstCase([[0.5, bad]]), [Infinity, -Infinity]],
  ['worstOfRepeats', (bad) => shaketable.worstOfRepeats([[[0.5, bad]]], [[0, 1]]), [Infinity, -Infinity]],
]

/** Lists about the same items. */
const unequal: readonly (readonly [name: string, call: () => unknown])[] = [
  ['pairedClusterDifference', () => shaketable.pairedClusterDifference([0, 1], ['a', 'b', 'c'])],
  ['spreadOfDraws', () => shaketable.spreadOfDraws([[0, 1], [1]])],
  ['worstCase', () => shaketable.worstCase([[0, 1], [1]])],
  ['worstOfRepeats', () => shaketable.worstOfRepeats([[[0, 1]]], [[1]])],
]

/** Of any unit, with every non-finite value missing: every list of numbers has a result. */
const answering = ['mean', 'median', 'spreadByGroup', 'standardDeviation']

describe('bad input', () => {
  it.each(cases)('is refused with the expected and the actual value: %s', (_, call, bad) => {
    for (const value of bad)
      expect(() => call(value), String(value)).toThrow(
        /^Expected .* to be a (whole |finite )?number.*, got .*\. (Check|Give) .*\.$/,
      )
  })

  it.each(unequal)('is refused if lists have unequal lengths: %s', (_, call) => {
    expect(call).toThrow(/^Expected .* of equal length, got \d and \d values\. Check/)
  })

  it('is reported with the expected and the actual value', () => {
    expect(() => shaketable.wilsonInterval(5, 6, 95)).toThrow(
      new RangeError(
        'Expected confidence to be a finite number above 0 and below 1, got 95. Give a share of 1, not a percentage.',
      ),
    )
  })

  it('is tested for each exported function', () => {
    const known = new Set([...cases.map(([name]) => name), ...unequal.map(([name]) => name), ...answering])
    expect([...known].sort()).toEqual(Object.keys(shaketable).sort())
  })
})
