import type { Prompt } from '../_prompt.js'
import type { Lessons } from '../_lessons.js'
import type { Option, Position, Skill } from '../_skill.js'
import { readMission } from './mission.js'
import { readSight } from './sight.js'
import type { Trip } from './trip.js'
import { after, setOut } from './trip.js'
import { choose } from './wayfarer.js'
import type { Form, Intent, Verb } from './words.js'

/** How a wayfarer words what it means to do. */
export interface Speaker {
  forms(prompt: Prompt): readonly Form[]
  /** What it knows beforehand. */
  readonly lessons: Lessons<Verb>
  /** The words for an intent; undefined where every wording of it was refused. */
  speak(intent: Intent, forms: readonly Form[], trip: Trip): string | undefined
}

/** Finds the way: the same skill for every speaker. */
export function createWayfaring(speaker: Speaker): Skill {
  return {
    fits: (_, opening) =>
      /\b(?:steps? in front of you|in front of you \d|room has walls|not carrying anything\.$)/.test(opening),
    begin(prompt, opening) {
      return positionIn(speaker, speaker.forms(prompt), setOut(opening, readMission(prompt.goal), speaker.lessons))
    },
    names: (observation) => readSight(observation).things.map(({ name }) => name),
  }
}

function positionIn(speaker: Speaker, forms: readonly Form[], trip: Trip): Position {
  return {
    after: (exchange) => positionIn(speaker, forms, after(trip, exchange, forms)),
    options: () =>
      choose(trip).map(({ intents, score }): Option => {
        return { score, ways: intents.map((intent) => () => speaker.speak(intent, forms, trip)) }
      }),
  }
}
