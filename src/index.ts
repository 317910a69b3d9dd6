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
export type { Contestant } from './statistics/multiplicity.js'
export { benjaminiHochberg, bestSet, holm } from './statistics/multiplicity.js'
export { detectableDrop, marginNeeded, seedsNeeded, spendAlpha, tasksNeeded } from './statistics/gate-planning.js'
export { bootstrapTwoLevel, percentileInterval } from './statistics/bootstrap.js'
export type { TwoLevel } from './statistics/bootstrap.js'
export type { DifferenceVariances, PairedClusterDifference, PairedDifference } from './statistics/paired-difference.js'
export { differenceVariances, pairedClusterDifference, pairedDifference } from './statistics/paired-difference.js'
export { mean, median, spreadByGroup, standardDeviation } from './statistics/dispersion.js'
export { dropRate, passAtK, passHatK, performanceProfile, worstCase, worstOfRepeats } from './statistics/task-scores.js'
export type { DetectionWish, GateWish } from './statistics/gate-planning.js'
export type { Interval } from './statistics/intervals.js'
export { taskInterval, wilsonInterval } from './statistics/intervals.js'
export { meanAboveP, meanBelowP, meanBounds, noDifferenceP } from './statistics/mean-bounds.js'
export { binomialCdf, normalCdf, normalQuantile, studentQuantile, studentTail } from './statistics/distributions.js'
export type { GatePower, GateSetting, GateSize } from './statistics/power-of-gate.js'
export { powerOfGate } from './statistics/power-of-gate.js'
export { kendallTauB, spearman } from './statistics/agreement.js'
export type { SpreadByGroup } from './statistics/dispersion.js'
export type { TwoWayError } from './statistics/variance-components.js'
export { twoWayError } from './statistics/variance-components.js'
