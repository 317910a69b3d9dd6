import type { Prompt } from '../_prompt.js'
import type { Option, Position, Skill } from '../_skill.js'
import { after } from './experience.js'
import type { Goal } from './goal.js'
import { readGoal } from './goal.js'
import type { House } from './house.js'
import { enter } from './house.js'
import { choose } from './housekeeper.js'
import { readSight } from './sight.js'
import type { Form, Lessons } from './wording.js'
import type { Intent } from './words.js'

/** How a housekeeper words what it means to do. */
export interface Speaker {
  forms(prompt: Prompt): readonly Form[]
  /** What it knows beforehand. */
  readonly lessons: Lessons
  /** The words for an intent; undefined where every wording of it was refused. */
  speak(intent: Intent, forms: readonly Form[], house: House): string | undefined
}

/** Keeps house: the same skill for every speaker. */
export function createHousekeeping(speaker: Speaker): Skill {
  return {
    fits: (_, opening) => opening.includes('you see '),
    begin(prompt, opening) {
      const goal = readGoal(prompt.goal)
      return positionIn(speaker, goal, speaker.forms(prompt), enter(opening, goal, speaker.lessons))
    },
    names: namesIn,
  }
}

function positionIn(speaker: Speaker, goal: Goal, forms: readonly Form[], house: House): Position {
  return {
    after: (exchange) => positionIn(speaker, goal, forms, after(house, exchange, goal, forms)),
    options: () =>
      choose(house, goal).map(({ intents, score }): Option => {
        return { score, ways: intents.map((intent) => () => speaker.speak(intent, forms, house)) }
      }),
  }
}

function namesIn(observation: string): readonly string[] {
  const { places, room, done } = readSight(observation)
  const things = places.flatMap(({ name, holds }) => [name, ...(holds ?? [])])
  return [...room, ...things, done?.thing ?? [], done?.place ?? []].flat()
}
