import type { DataFilter, Perturbation } from '../src/define.js'
import agentrefine1 from './agentrefine-1.js'
import agentrefine2 from './agentrefine-2.js'
import agentrefine3 from './agentrefine-3.js'
import agentrefine4 from './agentrefine-4.js'
import agentrefine5 from './agentrefine-5.js'
import alfworld2024 from './alfworld-2024.js'
import { counterparts } from './counterparts.js'
import itemSynonyms from './item-synonyms.js'
import itemPseudoWords from './item-pseudo-words.js'
import errorMessages from './error-messages.js'
import goalParaphrase from './goal-paraphrase.js'
import observationParaphrase from './observation-paraphrase.js'
import placebo from './placebo.js'
import cleanRepeats from './clean-repeats.js'
import pseudoVerbs from './pseudo-verbs.js'
import swappedVerbs from './swapped-verbs.js'
import actionFailures from './action-failures.js'
import argumentOrder from './argument-order.js'
import callSyntax from './call-syntax.js'
import decoyActions from './decoy-actions.js'
import decoyForms from './decoy-forms.js'
import distractorText from './distractor-text.js'
import examples from './examples.js'
import stepBudget from './step-budget.js'
import droppedFeedback from './dropped-feedback.js'
import itemStyle from './item-style.js'
import layout from './layout.js'
import lengthMatched from './length-matched.js'
import distractorObjects from './distractor-objects.js'
import misinformation from './misinformation.js'
import letterCase from './letter-case.js'
import listOrder from './list-order.js'
import listVisibility from './list-visibility.js'
import symbols from './symbols.js'
import synonyms from './synonyms.js'
import truncatedObservation from './truncated-observation.js'
import typos from './typos.js'
import unicode from './unicode.js'

/** The perturbations of the package. To add one, add a file in this folder and a line here. */
export const perturbations: readonly Perturbation[] = [
  placebo,
  agentrefine1,
  agentrefine2,
  agentrefine3,
  agentrefine4,
  alfworld2024,
  ...counterparts,
  synonyms,
  symbols,
  pseudoVerbs,
  swappedVerbs,
  argumentOrder,
  callSyntax,
  itemStyle,
  itemSynonyms,
  itemPseudoWords,
  goalParaphrase,
  observationParaphrase,
  errorMessages,
  distractorText,
  typos,
  letterCase,
  unicode,
  truncatedObservation,
  listOrder,
  listVisibility,
  decoyActions,
  decoyForms,
  actionFailures,
  droppedFeedback,
  examples,
  layout,
  stepBudget,
  misinformation,
  distractorObjects,
  cleanRepeats,
  lengthMatched,
]

/** The data filters of the package, which perturb the data that a model is tuned on. */
export const dataFilters: readonly DataFilter[] = [agentrefine5]

export { writtenPerturbations } from './written.js'
