/** The statistics of shaketable, `shaketable/statistics`: pure functions of numbers. */
export type { Contestant } from './multiplicity.js'
export { benjaminiHochberg, bestSet, holm } from './multiplicity.js'
export { detectableDrop, marginNeeded, seedsNeeded, spendAlpha, tasksNeeded } from './gate-planning.js'
export { bootstrapTwoLevel, percentileInterval } from './bootstrap.js'
export type { TwoLevel } from './bootstrap.js'
export type { DifferenceVariances, PairedClusterDifference, PairedDifference } from './paired-difference.js'
export { differenceVariances, pairedClusterDifference, pairedDifference, pairedSlope } from './paired-difference.js'
export { mean, median, spreadByGroup, standardDeviation } from './dispersion.js'
export {
  dropRate,
  expectedLowest,
  passAtK,
  passHatK,
  performanceProfile,
  worstCase,
  worstOfRepeats,
} from './task-scores.js'
export type { DetectionTarget, GateTarget } from './gate-planning.js'
export type { Interval } from './intervals.js'
export { taskInterval, wilsonInterval } from './intervals.js'
export type { InterfaceReliance, TaskChoices } from './interface-reliance.js'
export { interfaceReliance } from './interface-reliance.js'
export { meanAboveP, meanBelowP, meanBounds, noDifferenceP } from './mean-bounds.js'
export { binomialCdf, fisherAboveP, normalCdf, normalQuantile, studentQuantile, studentTail } from './distributions.js'
export type { GatePower, GateSetting, GateSize } from './power-of-gate.js'
export { powerOfGate } from './power-of-gate.js'
export { kendallTauB, spearman } from './agreement.js'
export type { SpreadByGroup } from './dispersion.js'
export type { Factor, Level, SpreadOfDraws, TwoWayError, VarianceShare } from './variance-components.js'
export { spreadOfDraws, twoWayError, varianceShares } from './variance-components.js'
