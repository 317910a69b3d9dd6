import { type ModelDefinition, defineModel } from '../src/define.js'
import { type PlayerManner, createHouseholdPlayer } from './household/player.js'
import { type Speaker, readingSpeaker, skimmingSpeaker } from './household/speakers.js'

/**
 * Controls with one weakness each, so that every family of perturbations has something to move. Each plays the
 * household from text alone, as `reader:text` does, and differs from it in what its `manner` says.
 */
const graded: Readonly<Record<string, { summary: string; manner: PlayerManner; speaker?: Speaker }>> = {
  believer: {
    summary: 'takes every mention of an item for a fact, and goes where a sentence says that the item is',
    manner: { believes: true },
  },
  'no-retry': {
    summary: 'never says an action again whose answer did not show that it worked',
    manner: { givesUp: true },
  },
  skimmer: {
    summary: 'reads the first four things at a place, and looks an action up in a list as in a dictionary',
    manner: { maxThings: 4 },
    speaker: skimmingSpeaker,
  },
  'short-memory': {
    summary: 'remembers the prompt and the last 600 characters of what was said and seen',
    manner: { memory: 600 },
  },
}

/** The graded control models. */
export const gradedModels: readonly ModelDefinition[] = Object.entries(graded).map(
  ([name, { summary, manner, speaker = readingSpeaker }]) =>
    defineModel({
      name,
      summary: `${summary} (household only, by text alone)`,
      source: 'control of this testbed: a model with one weakness',
      create: () => createHouseholdPlayer({ name, settings: { version: 1, ...manner } }, speaker, manner),
    }),
)
