/**
 * The front door of shaketable: all that a plug-in may import. Perturbations, baselines and reports that ship with the package come
 * in by this door too.
 */
export type { Agent, Conversation, FailedTrial, Reading, ReflectionRules, TrialRules } from './core/agent.js'
export type {
  DataFilter,
  DropReason,
  EvaluationText,
  FilteredEnvironment,
  FilterScene,
  RowPlace,
  RowTest,
} from './core/data-filter.js'
export { defineDataFilter } from './core/data-filter.js'
export type { MaybePromise } from './core/after.js'
export type { BriefingDefinition, ExampleDefinition, TurnDefinition, WorldDefinition } from './core/complete-world.js'
export type {
  EnvironmentDefinition,
  EnvironmentKind,
  EnvironmentOption,
  EnvironmentOptions,
  EnvironmentSetup,
  OpenedEnvironment,
  OptionValues,
  RawGame,
  TaskDefinition,
} from './core/define-environment.js'
export { defineEnvironment } from './core/define-environment.js'
export type { Leak } from './core/leaks.js'
export { addLeaks, describeLeaks } from './core/leaks.js'
export type {
  Briefing,
  Dose,
  DoseCount,
  Environment,
  Example,
  Note,
  Task,
  TaskSource,
  Turn,
  World,
} from './core/environment.js'
export type {
  EpisodeIdentity,
  EpisodeResult,
  EpisodeRow,
  Measures,
  Outcome,
  PerturbationIdentity,
  Reflection,
  ReplyFault,
  Step,
  Trajectory,
  Trial,
} from './core/episode.js'
export { canonicalJson, episodeKey, hashOf, isValid, outcomes } from './core/episode.js'
export type { ErrorCode } from './core/errors.js'
export { ShaketableError, messageOf, nearMiss, unknownName } from './core/errors.js'
export type { ActionForm, Filling, Template } from './core/form.js'
export { parseTemplate, printForm, readForm } from './core/form.js'
export { wordCall } from './core/form-tools.js'
export { measure } from './core/measure.js'
export type { Completion, Message, Model, Sampling, ToolCall, ToolDefinition } from './core/model.js'
export { createNameFinder } from './core/names.js'
export { perturb, perturbWorld } from './core/perturb.js'
export type { AppliedPerturbation, Lens, Part, Perturbation, Scene } from './core/perturbation.js'
export { definePerturbation, parts, renameItems, rewordActions, usedIn } from './core/perturbation.js'
export { play } from './core/play.js'
export { playTrials, trialSeed } from './core/play-trials.js'
export type { PlayTrialsOptions } from './core/play-trials.js'
export type { Played, PlayOptions } from './core/play.js'
export type {
  Pair,
  Plan,
  PlannedColumn,
  PlannedEnvironment,
  PlannedTask,
  PlannedModel,
  PlannedPerturbation,
  PublishedRow,
  Report,
  StoredRun,
} from './core/report.js'
export { defineReport, pairsOf } from './core/report.js'
export type { Random } from './core/random.js'
export { createRandom } from './core/random.js'
export type { Piece, Text } from './core/text.js'
export { pieceText, quoteCommands, textOf } from './core/text.js'
export type { TrainingRow, TrainingTurn } from './core/training.js'
export type { Contestant } from './statistics/best-set.js'
export { bestSet } from './statistics/best-set.js'
export { spendAlpha } from './statistics/alpha-spending.js'
export { betaQuantile, incompleteBeta } from './statistics/beta.js'
export { bcaInterval, percentileInterval } from './statistics/bootstrap-intervals.js'
export type { TwoLevel } from './statistics/bootstrap-two-level.js'
export { bootstrapTwoLevel } from './statistics/bootstrap-two-level.js'
export type { Bootstrap, Statistic } from './statistics/bootstrap.js'
export { bootstrapInterval, drawTasks } from './statistics/bootstrap.js'
export type { ClusteredError, PairedClusterDifference } from './statistics/clustered-error.js'
export { clusteredError, pairedClusterDifference } from './statistics/clustered-error.js'
export type { DifferenceVariances } from './statistics/difference-variances.js'
export { differenceVariances } from './statistics/difference-variances.js'
export { mean, median, standardDeviation } from './statistics/dispersion.js'
export { dropRate, dropRateInterval, keptShare, logOddsChange } from './statistics/drop-rate.js'
export { fisherExact } from './statistics/fisher-exact.js'
export type { DetectionWish, GateWish } from './statistics/gate-planning.js'
export { detectableDrop, marginNeeded, seedsNeeded, tasksNeeded } from './statistics/gate-planning.js'
export { farringtonManning, newcombeInterval } from './statistics/independent-arms.js'
export type { Interval } from './statistics/intervals.js'
export { clopperPearsonInterval, hoeffdingHalfWidth, taskInterval, wilsonInterval } from './statistics/intervals.js'
export { meanAboveP, meanBelowP, meanBounds, noDifferenceP } from './statistics/mean-bounds.js'
export type { McNemar } from './statistics/mcnemar.js'
export { mcnemar } from './statistics/mcnemar.js'
export {
  benjaminiHochberg,
  benjaminiYekutieli,
  bonferroni,
  holm,
  holmSidak,
  hommel,
} from './statistics/multiplicity.js'
export { chanceAllPass, naiveFalseAlarm } from './statistics/naive-gate.js'
export { normalCdf, normalQuantile } from './statistics/normal.js'
export type { PairedDifference } from './statistics/paired-difference.js'
export { pairedDifference } from './statistics/paired-difference.js'
export { pairedTPower, pairedTTasks } from './statistics/paired-t-power.js'
export { passAtK, passHatK } from './statistics/pass.js'
export type { GatePower, GateSetting, GateSize } from './statistics/power-of-gate.js'
export { powerOfGate } from './statistics/power-of-gate.js'
export { kendallTauB, pearson, spearman } from './statistics/rank-correlation.js'
export { interquartileMean, optimalityGap, performanceProfile, probabilityOfImprovement } from './statistics/rliable.js'
export type { Risks } from './statistics/sample-size.js'
export { mcnemarPairs, minimumDetectableEffect, sampleSizePaired } from './statistics/sample-size.js'
export type { ChiSquareTest } from './statistics/several-conditions.js'
export { cochranQ, friedman } from './statistics/several-conditions.js'
export type { SpreadByGroup } from './statistics/spread-by-group.js'
export { spreadByGroup } from './statistics/spread-by-group.js'
export { studentQuantile, studentTail } from './statistics/student.js'
export { binomialCdf, chiSquareTail, fTail } from './statistics/tails.js'
export { cohenH, proportionsPower, proportionsTrials } from './statistics/two-proportions-power.js'
export type { TwoWayError, VarianceComponents } from './statistics/variance-components.js'
export { twoWayError, varianceComponents } from './statistics/variance-components.js'
export type { WilcoxonSignedRank } from './statistics/wilcoxon.js'
export { wilcoxonSignedRank } from './statistics/wilcoxon.js'
export { worstCase, worstOfRepeats } from './statistics/worst-case.js'
