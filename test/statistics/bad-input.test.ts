import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import * as shaketable from '../../src/index.js'

const notFinite = [NaN, Infinity, -Infinity]
const notCounts = [...notFinite, -1, 0.5]
const notShares = [...notFinite, -0.1, 1.1]
const notDifferences = [...notFinite, -1.1, 1.1]
const notLevels = [...notShares, 0, 1]
const negative = [...notFinite, -0.1]
const notPositive = [...negative, 0]
/** In lists in which NaN, or all that is not finite, is a missing value. */
const infinite = [Infinity, -Infinity]
const [beyondShares, beyondDifferences] = [
  [-0.1, 1.1],
  [-1.1, 1.1],
]

const random = (): number => 0.5
const gate = { margin: 0.05, taskVariance: 0.003, pairVariance: 0.26, tasks: 134, seeds: 5 }
const paired = { difference: 0.1, taskVariance: 0.1, seedVarianceA: 0.1, seedVarianceB: 0.1, seedsA: 1, seedsB: 1 }
const pilot = { first: 0.5, second: 0.4 }
const draws = [
  [0, 1, 1],
  [0, 0, 2],
]
const placeOf = (places: ArrayLike<number>): number => places[0]!

type Case = readonly [name: string, call: (bad: number) => unknown, bad: readonly number[]]

/** Each begins with the name of the function. */
const cases: readonly Case[] = [
  ...named('spendAlpha', {
    alpha: [(bad) => shaketable.spendAlpha(bad, 3), [...notLevels, 0.5]],
    looks: [(bad) => shaketable.spendAlpha(0.05, bad), [...notCounts, 0]],
  }),
  ...named('bestSet', {
    count: [(bad) => shaketable.bestSet(bad, () => [0]), notCounts],
    differences: [(bad) => shaketable.bestSet(2, () => [0, bad]), beyondDifferences],
    confidence: [(bad) => shaketable.bestSet(2, () => [0], bad), notLevels],
  }),
  ...named('betaQuantile', {
    probability: [(bad) => shaketable.betaQuantile(bad, 2, 3), notShares],
    a: [(bad) => shaketable.betaQuantile(0.5, bad, 3), notPositive],
    b: [(bad) => shaketable.betaQuantile(0.5, 2, bad), notPositive],
  }),
  ...named('incompleteBeta', {
    a: [(bad) => shaketable.incompleteBeta(bad, 3, 0.5), notPositive],
    b: [(bad) => shaketable.incompleteBeta(2, bad, 0.5), notPositive],
    x: [(bad) => shaketable.incompleteBeta(2, 3, bad), [NaN]],
    rest: [(bad) => shaketable.incompleteBeta(2, 3, 0.5, bad), [NaN]],
  }),
  ...named('percentileInterval', {
    samples: [(bad) => shaketable.percentileInterval([0.1, bad, 0.3]), infinite],
    confidence: [(bad) => shaketable.percentileInterval([0.1, 0.2], bad), notLevels],
  }),
  ...named('bcaInterval', {
    samples: [(bad) => shaketable.bcaInterval([0.1, bad, 0.3], 0.2, [0.1, 0.2]), infinite],
    estimate: [(bad) => shaketable.bcaInterval([0.1, 0.3], bad, [0.1, 0.2]), notFinite],
    jackknife: [(bad) => shaketable.bcaInterval([0.1, 0.3], 0.2, [0.1, bad]), notFinite],
    confidence: [(bad) => shaketable.bcaInterval([0.1, 0.3], 0.2, [0.1, 0.2], bad), notLevels],
  }),
  ...named('bootstrapTwoLevel', {
    scores: [
      (bad) => shaketable.bootstrapTwoLevel([Float64Array.of(bad, 1)], { tasks: 2, seeds: 1, random }),
      infinite,
    ],
    tasks: [(bad) => shaketable.bootstrapTwoLevel([], { tasks: bad, seeds: 1, random }), notCounts],
    seeds: [(bad) => shaketable.bootstrapTwoLevel([], { tasks: 2, seeds: bad, random }), notCounts],
    resamples: [(bad) => shaketable.bootstrapTwoLevel([], { tasks: 2, seeds: 1, resamples: bad, random }), notCounts],
  }),
  ...named('bootstrapInterval', {
    tasks: [(bad) => shaketable.bootstrapInterval({ tasks: bad, statistic: placeOf, draws: [] }), notCounts],
    places: [
      (bad) => shaketable.bootstrapInterval({ tasks: 3, statistic: placeOf, draws: [[0, bad, 1]] }),
      [...notCounts, 3],
    ],
    statistic: [(bad) => shaketable.bootstrapInterval({ tasks: 3, statistic: () => bad, draws }), notFinite],
    confidence: [
      (bad) => shaketable.bootstrapInterval({ tasks: 3, statistic: placeOf, draws, confidence: bad }),
      notLevels,
    ],
  }),
  ...named('drawTasks', {
    tasks: [(bad) => shaketable.drawTasks({ tasks: bad, random }), notCounts],
    resamples: [(bad) => shaketable.drawTasks({ tasks: 3, resamples: bad, random }), notCounts],
  }),
  ...named('differenceVariances', {
    differences: [(bad) => shaketable.differenceVariances([[0, bad], [0]]), beyondDifferences],
  }),
  ...named('dropRate', {
    first: [(bad) => shaketable.dropRate(bad, 0.5), negative],
    second: [(bad) => shaketable.dropRate(0.5, bad), negative],
  }),
  ...named('keptShare', {
    first: [(bad) => shaketable.keptShare(bad, 0.5), negative],
    second: [(bad) => shaketable.keptShare(0.5, bad), negative],
  }),
  ...named('logOddsChange', {
    first: [(bad) => shaketable.logOddsChange(bad, 0.5), notShares],
    second: [(bad) => shaketable.logOddsChange(0.5, bad), notShares],
  }),
  ...named('dropRateInterval', {
    first: [(bad) => shaketable.dropRateInterval([pilot, { first: bad, second: 1 }], { random }), negative],
    second: [(bad) => shaketable.dropRateInterval([pilot, { first: 1, second: bad }], { random }), negative],
    resamples: [(bad) => shaketable.dropRateInterval([pilot], { random, resamples: bad }), notCounts],
    confidence: [(bad) => shaketable.dropRateInterval([pilot], { random, confidence: bad }), notLevels],
  }),
  ...named('fisherExact', {
    a: [(bad) => shaketable.fisherExact(bad, 2, 3, 4), notCounts],
    d: [(bad) => shaketable.fisherExact(1, 2, 3, bad), notCounts],
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
      refuses('taskVariance', negative),
      refuses('pairVariance', negative),
      ...(name === 'powerOfGate' ? [] : [refuses('power', notLevels)]),
      ...(name === 'marginNeeded' ? [] : [refuses('margin', notShares)]),
      ...(name === 'detectableDrop' ? [] : [refuses('drop', notDifferences)]),
      ...(name === 'tasksNeeded' ? [] : [refuses('tasks', notCounts)]),
      ...(name === 'seedsNeeded' ? [] : [refuses('seeds', [...notCounts, 0])]),
    ]
  }),
  ...named('farringtonManning', {
    successes: [(bad) => shaketable.farringtonManning(bad, 5, 3, 5, 0.1), [...notCounts, 6]],
    trials: [(bad) => shaketable.farringtonManning(0, bad, 3, 5, 0.1), notCounts],
    'successes of the baseline': [(bad) => shaketable.farringtonManning(3, 5, bad, 5, 0.1), [...notCounts, 6]],
    'trials of the baseline': [(bad) => shaketable.farringtonManning(3, 5, 0, bad, 0.1), notCounts],
    margin: [(bad) => shaketable.farringtonManning(3, 5, 3, 5, bad), [...notShares, 1]],
  }),
  ...named('newcombeInterval', {
    successes: [(bad) => shaketable.newcombeInterval(bad, 5, 3, 5), [...notCounts, 6]],
    trials: [(bad) => shaketable.newcombeInterval(0, bad, 3, 5), notCounts],
    'other successes': [(bad) => shaketable.newcombeInterval(3, 5, bad, 5), [...notCounts, 6]],
    'other successes without a trial': [(bad) => shaketable.newcombeInterval(0, 0, bad, 5), [...notCounts, 6]],
    'other trials': [(bad) => shaketable.newcombeInterval(3, 5, 0, bad), notCounts],
    confidence: [(bad) => shaketable.newcombeInterval(3, 5, 3, 5, bad), notLevels],
  }),
  ...[shaketable.wilsonInterval, shaketable.clopperPearsonInterval].flatMap((interval) =>
    named(interval.name, {
      successes: [(bad) => interval(bad, 3), [...notCounts, 4]],
      trials: [(bad) => interval(0, bad), notCounts],
      confidence: [(bad) => interval(1, 3, bad), notLevels],
    }),
  ),
  ...named('hoeffdingHalfWidth', { n: [(bad) => shaketable.hoeffdingHalfWidth(bad), notCounts] }),
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
  ...named('mcnemar', {
    lost: [(bad) => shaketable.mcnemar(bad, 1), notCounts],
    gained: [(bad) => shaketable.mcnemar(1, bad), notCounts],
  }),
  ...(['benjaminiHochberg', 'benjaminiYekutieli', 'bonferroni', 'holm', 'holmSidak', 'hommel'] as const).flatMap(
    (name) => named(name, { ps: [(bad) => shaketable[name]([0.01, bad]), beyondShares] }),
  ),
  ...named('chanceAllPass', {
    rate: [(bad) => shaketable.chanceAllPass(bad, 3), notShares],
    cases: [(bad) => shaketable.chanceAllPass(0.5, bad), notCounts],
  }),
  ...named('naiveFalseAlarm', {
    rate: [(bad) => shaketable.naiveFalseAlarm({ rate: bad, trials: 50, margin: 0.05 }), notShares],
    trials: [(bad) => shaketable.naiveFalseAlarm({ rate: 0.5, trials: bad, margin: 0.05 }), notCounts],
    margin: [(bad) => shaketable.naiveFalseAlarm({ rate: 0.5, trials: 50, margin: bad }), notShares],
  }),
  ...named('normalCdf', { z: [(bad) => shaketable.normalCdf(bad), [NaN]] }),
  ...named('normalQuantile', { probability: [(bad) => shaketable.normalQuantile(bad), notShares] }),
  ...named('pairedTPower', {
    effect: [(bad) => shaketable.pairedTPower({ effect: bad, tasks: 50 }), notFinite],
    tasks: [(bad) => shaketable.pairedTPower({ effect: 0.3, tasks: bad }), notCounts],
    alpha: [(bad) => shaketable.pairedTPower({ effect: 0.3, tasks: 50, alpha: bad }), notLevels],
  }),
  ...named('pairedTTasks', {
    effect: [(bad) => shaketable.pairedTTasks({ effect: bad }), notFinite],
    alpha: [(bad) => shaketable.pairedTTasks({ effect: 0.3, alpha: bad }), notLevels],
    power: [(bad) => shaketable.pairedTTasks({ effect: 0.3, power: bad }), notLevels],
  }),
  ...[shaketable.passAtK, shaketable.passHatK].flatMap((chance) =>
    named(chance.name, {
      trials: [(bad) => chance(bad, 0, 1), notCounts],
      successes: [(bad) => chance(5, bad, 2), [...notCounts, 6]],
      k: [(bad) => chance(5, 3, bad), notCounts],
    }),
  ),
  ...[shaketable.kendallTauB, shaketable.pearson, shaketable.spearman].flatMap((correlation) =>
    named(correlation.name, {
      first: [(bad) => correlation([0, bad, 1], [1, 2, 3]), notFinite],
      second: [(bad) => correlation([1, 2, 3], [0, bad, 1]), notFinite],
    }),
  ),
  ...named('interquartileMean', { values: [(bad) => shaketable.interquartileMean([0, 0, 0, bad]), notFinite] }),
  ...named('optimalityGap', {
    values: [(bad) => shaketable.optimalityGap([0, bad]), notFinite],
    target: [(bad) => shaketable.optimalityGap([0], bad), notFinite],
  }),
  ...named('performanceProfile', {
    values: [(bad) => shaketable.performanceProfile([0, bad], [0.5]), notFinite],
    thresholds: [(bad) => shaketable.performanceProfile([0], [0.5, bad]), notFinite],
  }),
  ...named('probabilityOfImprovement', {
    first: [(bad) => shaketable.probabilityOfImprovement([[0, bad]], [[0, 1]]), infinite],
    second: [(bad) => shaketable.probabilityOfImprovement([[0, 1]], [[0, bad]]), infinite],
  }),
  ...named('sampleSizePaired', {
    difference: [(bad) => shaketable.sampleSizePaired({ ...paired, difference: bad }), notFinite],
    taskVariance: [(bad) => shaketable.sampleSizePaired({ ...paired, taskVariance: bad }), negative],
    seedVarianceA: [(bad) => shaketable.sampleSizePaired({ ...paired, seedVarianceA: bad }), negative],
    seedVarianceB: [(bad) => shaketable.sampleSizePaired({ ...paired, seedVarianceB: bad }), negative],
    seedsA: [(bad) => shaketable.sampleSizePaired({ ...paired, seedsA: bad }), [...notCounts, 0]],
    seedsB: [(bad) => shaketable.sampleSizePaired({ ...paired, seedsB: bad }), [...notCounts, 0]],
    alpha: [(bad) => shaketable.sampleSizePaired({ ...paired, alpha: bad }), notLevels],
    power: [(bad) => shaketable.sampleSizePaired({ ...paired, power: bad }), notLevels],
  }),
  ...named('minimumDetectableEffect', {
    deviation: [(bad) => shaketable.minimumDetectableEffect({ deviation: bad, tasks: 9 }), negative],
    tasks: [(bad) => shaketable.minimumDetectableEffect({ deviation: 0.4, tasks: bad }), notCounts],
    alpha: [(bad) => shaketable.minimumDetectableEffect({ deviation: 0, tasks: 9, alpha: bad }), notLevels],
    power: [(bad) => shaketable.minimumDetectableEffect({ deviation: 0, tasks: 9, power: bad }), notLevels],
  }),
  ...named('mcnemarPairs', {
    lost: [(bad) => shaketable.mcnemarPairs({ lost: bad, gained: 0.1 }), [...notShares, 0.95]],
    gained: [(bad) => shaketable.mcnemarPairs({ lost: 0.1, gained: bad }), [...notShares, 0.95]],
    alpha: [(bad) => shaketable.mcnemarPairs({ lost: 0.1, gained: 0.2, alpha: bad }), notLevels],
    power: [(bad) => shaketable.mcnemarPairs({ lost: 0.1, gained: 0.2, power: bad }), notLevels],
  }),
  ...named('cochranQ', { outcomes: [(bad) => shaketable.cochranQ([[0, bad]]), [-1, 0.5, 2]] }),
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
  ...named('chiSquareTail', {
    x: [(bad) => shaketable.chiSquareTail(bad, 3), [NaN]],
    df: [(bad) => shaketable.chiSquareTail(1, bad), notPositive],
  }),
  ...named('fTail', {
    x: [(bad) => shaketable.fTail(bad, 3, 4), [NaN]],
    first: [(bad) => shaketable.fTail(1, bad, 4), notPositive],
    second: [(bad) => shaketable.fTail(1, 3, bad), notPositive],
  }),
  ...named('cohenH', {
    first: [(bad) => shaketable.cohenH(bad, 0.5), notShares],
    second: [(bad) => shaketable.cohenH(0.5, bad), notShares],
  }),
  ...named('proportionsPower', {
    first: [(bad) => shaketable.proportionsPower({ first: bad, second: 0.5, trials: 50 }), notShares],
    second: [(bad) => shaketable.proportionsPower({ first: 0.5, second: bad, trials: 50 }), notShares],
    trials: [(bad) => shaketable.proportionsPower({ ...pilot, trials: bad }), notCounts],
    alpha: [(bad) => shaketable.proportionsPower({ ...pilot, trials: 50, alpha: bad }), notLevels],
  }),
  ...named('proportionsTrials', {
    first: [(bad) => shaketable.proportionsTrials({ first: bad, second: 0.5 }), notShares],
    second: [(bad) => shaketable.proportionsTrials({ first: 0.5, second: bad }), notShares],
    alpha: [(bad) => shaketable.proportionsTrials({ ...pilot, alpha: bad }), notLevels],
    power: [(bad) => shaketable.proportionsTrials({ ...pilot, power: bad }), notLevels],
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

/** Lists over the same things. */
const unequal: readonly (readonly [name: string, call: () => unknown])[] = [
  ['clusteredError', () => shaketable.clusteredError([0, 1], ['a'])],
  ['pairedClusterDifference', () => shaketable.pairedClusterDifference([0, 1], ['a', 'b', 'c'])],
  ['kendallTauB', () => shaketable.kendallTauB([1, 2], [1, 2, 3])],
  ['pearson', () => shaketable.pearson([1, 2], [1, 2, 3])],
  ['spearman', () => shaketable.spearman([1, 2], [1, 2, 3])],
  ['probabilityOfImprovement', () => shaketable.probabilityOfImprovement([[1, 2]], [[1]])],
  ['cochranQ', () => shaketable.cochranQ([[1, 0], [1]])],
  ['friedman', () => shaketable.friedman([[1, 0], [1]])],
  ['varianceComponents', () => shaketable.varianceComponents([[0, 1], [1]])],
  ['twoWayError', () => shaketable.twoWayError([[0, 1], [1]])],
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

/** Of any unit, and what is not finite is missing: every list of numbers has an answer. */
const answering = ['mean', 'median', 'spreadByGroup', 'standardDeviation', 'wilcoxonSignedRank']

describe('bad input', () => {
  it.each(cases)('is refused with what was expected and what came: %s', (_, call, bad) => {
    for (const value of bad) {
      const refused = expect(() => call(value), String(value))
      refused.toThrow(RangeError)
      refused.toThrow(/^Expected .* to be a (whole |finite )?number.*, got .*\. (Check|Give) .*\.$/)
    }
  })

  it.each(unequal)('is refused where lists are of unequal length: %s', (_, call) => {
    expect(call).toThrow(/^Expected .* of equal length, got \d and \d values\. Check/)
  })

  it('says what was expected and what came', () => {
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

  it('is known of each exported function', () => {
    const front = readFileSync(new URL('../../src/index.ts', import.meta.url), 'utf8')
    const exported = [...front.matchAll(/^export \{([^}]*)\} from '\.\/statistics\//gm)].flatMap(([, names]) =>
      names!.split(',').flatMap((name) => name.trim() || []),
    )
    const known = new Set([...[...cases, ...unequal].map(([name]) => name.split(' ')[0]!), ...answering])
    expect([...known].sort()).toEqual(exported.sort())
  })
})
