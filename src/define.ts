/**
 * What one defines with: perturbations, environments, agents, models, data filters and reports. The parts that ship
 * with shaketable import it from here, a plug-in from `shaketable`.
 */
export type {
  Agent,
  AgentDefinition,
  Conversation,
  FailedTrial,
  Reading,
  ReflectionRules,
  TrialRules,
} from './core/agent.js'
export { defineAgent } from './core/agent.js'
export type {
  DataFilter,
  DropReason,
  EvaluationText,
  FilterScene,
  FilteredEnvironment,
  RowPlace,
  RowTest,
  TrainingRow,
  TrainingTurn,
} from './training/data-filter.js'
export { defineDataFilter } from './training/data-filter.js'
export type { MaybePromise } from './core/after.js'
export type { BriefingDefinition, ExampleDefinition, TurnDefinition, WorldDefinition } from './define/world.js'
export type {
  EnvironmentDefinition,
  EnvironmentKind,
  EnvironmentOption,
  EnvironmentOptions,
  EnvironmentSetup,
  OpenedEnvironment,
  OptionValues,
  TaskDefinition,
} from './define/environment.js'
export { defineEnvironment } from './define/environment.js'
export { type Dose, type DoseCount, type Leak, absentForZero, addLeaks, isChanged, withDose } from './core/dose.js'
export { describeLeaks } from './define/describe-leaks.js'
export type {
  Briefing,
  Environment,
  EnvironmentCard,
  Example,
  Layout,
  LayoutLabels,
  Note,
  PromptPart,
  Task,
  TaskSource,
  Turn,
  World,
} from './core/environment.js'
export type { Outcome, Reflection, InvalidKind, ReplyFault, Step, Trajectory, Trial } from './core/episode.js'
export type {
  EpisodeIdentity,
  EpisodeResult,
  EpisodeRow,
  Failures,
  FirstRefusal,
  Measures,
  PerturbationIdentity,
} from './results/episode-row.js'
export { episodeKey } from './results/episode-row.js'
export { canonicalJson, hashOf, invalidKinds, isValid, outcomes } from './core/episode.js'
export { type ErrorCode, NotApplicable, ShaketableError, messageOf, nearMiss, unknownName } from './core/errors.js'
export { type ActionForm, type Filling, type Template, parseTemplate, printForm, readForm } from './core/form.js'
export { type FormTool, toolsOf, wordCall } from './agents/form-tools.js'
export { applyAliases } from './play/alias.js'
export { actionCharacters } from './play/fingerprints.js'
export { measure } from './play/measure.js'
export type { Completion, Message, Model, Sampling, ToolCall, ToolDefinition } from './core/model.js'
export { type ModelDefinition, defineModel } from './define/model.js'
export { promptParts } from './core/environment.js'
export { createNameFinder } from './core/names.js'
export { type PerturbedWorld, isPerturbed, perturb, perturbWorld } from './core/perturb.js'
export type {
  AppliedPerturbation,
  BriefingText,
  Failure,
  Lens,
  Mode,
  Moment,
  Perturbation,
  PerturbationSettings,
  Scene,
  TextPart,
  TextPlace,
  Touched,
} from './core/perturbation.js'
export { definePerturbation, touched, promiseOf, renameItems, rewordActions, usedIn } from './core/perturbation.js'
export { type Played, type PlayOptions, play } from './play/play.js'
export { type PlayTrialsOptions, playTrials, trialSeed } from './play/play-trials.js'
export type {
  Pair,
  Plan,
  PlannedCondition,
  PlannedEnvironment,
  PlannedTask,
  PlannedModel,
  PlannedPerturbation,
  PublishedProtocol,
  PublishedRow,
  Report,
  StoredRun,
} from './run/plan.js'
export { conditionsIn, defineReport, labelWithout, pairsOf } from './run/plan.js'
export { type Random, createRandom } from './core/random.js'
export type { CommandList, Part, Piece, Text, Wording } from './core/text.js'
export { mapProse, parts, pieceText, textOf } from './core/text.js'
export { type Vocabulary, vocabularySchema } from './define/vocabulary.js'
