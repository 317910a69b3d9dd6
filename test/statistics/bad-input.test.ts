import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { chanceAllPass, cohenH, fisherExact, mcnemar, passAtK, passHatK } from '../../src/index.js'

describe('bad input', () => {
  const noCounts = [NaN, Infinity, -Infinity, -1, 0.5]
  const noShares = [NaN, Infinity, -Infinity, -0.1, 1.1]
  it.each<[string, (bad: number) => unknown, readonly number[]]>([
    ['passHatK trials', (bad) => passHatK(bad, 0, 1), noCounts],
    ['passHatK successes', (bad) => passHatK(5, bad, 2), [...noCounts, 6]],
    ['passHatK k', (bad) => passHatK(5, 3, bad), [NaN, Infinity, 0.5]],
    ['passAtK successes', (bad) => passAtK(5, bad, 2), [...noCounts, 6]],
    ['passAtK k', (bad) => passAtK(5, 3, bad), [NaN, Infinity, 0.5]],
    ['mcnemar lost', (bad) => mcnemar(bad, 1), noCounts],
    ['mcnemar gained', (bad) => mcnemar(1, bad), noCounts],
    ['fisherExact', (bad) => fisherExact(1, 2, 3, bad), noCounts],
    ['cohenH', (bad) => cohenH(0.5, bad), noShares],
    ['chanceAllPass rate', (bad) => chanceAllPass(bad, 3), noShares],
    ['chanceAllPass cases', (bad) => chanceAllPass(0.5, bad), noCounts],
  ])('is refused with what was expected and what came: %s', (_, call, bad) => {
    for (const value of bad) expect(() => call(value), String(value)).toThrow(/^Expected .* number.*, got .*\. Check/)
  })

  it('has been thought of for each exported function', () => {
    const front = readFileSync(new URL('../../src/index.ts', import.meta.url), 'utf8')
    const exported = [...front.matchAll(/^export \{([^}]*)\} from '\.\/statistics\//gm)].flatMap(([, names]) =>
      names!.split(',').flatMap((name) => name.trim() || []),
    )
    expect(exported.sort()).toEqual([...refusing, ...answering].sort())
  })
})

const refusing = ['chanceAllPass', 'cohenH', 'fisherExact', 'mcnemar', 'passAtK', 'passHatK']

/** Functions that do not throw as yet: bad input gives undefined, NaN or what is said of no data. */
const answering = [
  'bcaInterval',
  'benjaminiHochberg',
  'benjaminiYekutieli',
  'betaQuantile',
  'binomialCdf',
  'bonferroni',
  'bootstrapInterval',
  'bootstrapTwoLevel',
  'chiSquareTail',
  'clopperPearsonInterval',
  'clusteredError',
  'cochranQ',
  'differenceVariances',
  'drawTasks',
  'dropRate',
  'dropRateInterval',
  'fTail',
  'farringtonManning',
  'friedman',
  'hoeffdingHalfWidth',
  'holm',
  'holmSidak',
  'hommel',
  'incompleteBeta',
  'interquartileMean',
  'kendallTauB',
  'keptShare',
  'logOddsChange',
  'marginNeeded',
  'mcnemarPairs',
  'mean',
  'median',
  'minimumDetectableEffect',
  'naiveFalseAlarm',
  'newcombeInterval',
  'nonInferiorityT',
  'normalCdf',
  'normalQuantile',
  'optimalityGap',
  'pairedClusterDifference',
  'pairedDifference',
  'pairedTPower',
  'pairedTTasks',
  'pearson',
  'percentileInterval',
  'performanceProfile',
  'powerOfGate',
  'probabilityOfImprovement',
  'proportionsPower',
  'proportionsTrials',
  'sampleSizePaired',
  'seedsNeeded',
  'signFlip',
  'spearman',
  'spreadByGroup',
  'sprtBernoulli',
  'sprtDiscordant',
  'standardDeviation',
  'studentQuantile',
  'studentTail',
  'tangoScore',
  'taskInterval',
  'tasksNeeded',
  'tost',
  'twoWayError',
  'varianceComponents',
  'wilcoxonSignedRank',
  'wilsonInterval',
  'worstCase',
  'worstOfRepeats',
]
