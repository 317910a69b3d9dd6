import type { Skill } from '../_skill.js'
import type { Speaker } from './skill.js'
import { createHousekeeping } from './skill.js'
import type { Form } from './wording.js'
import { say } from './wording.js'

/** Which of ALFWorld's two wordings was learned by heart. */
export type Generation = 'old' | 'new'

/** Keeps house in ALFWorld's original wording and spelling, whatever the prompt says. */
export function reciteHousehold(generation: Generation): Skill {
  return createHousekeeping(speaker(generation))
}

function speaker(generation: Generation): Speaker {
  const known = memorised(generation)
  return {
    forms: () => known,
    lessons: { learned: [], accepted: known.map(({ template }) => template), refused: [] },
    speak({ verb, thing, place }, forms, house) {
      const form = forms.find((one) => one.verb === verb)
      if (form === undefined) return undefined
      const text = say(form.template, {
        verb,
        ...(thing !== undefined && { thing: spell(thing) }),
        ...(place !== undefined && { place: spell(place) }),
      })
      return house.refused.includes(text) ? undefined : text
    },
  }
}

function memorised(generation: Generation): readonly Form[] {
  return [
    { verb: 'go', template: 'go to {p}' },
    { verb: 'open', template: 'open {p}' },
    { verb: 'close', template: 'close {p}' },
    { verb: 'take', template: 'take {t} from {p}' },
    { verb: 'put', template: generation === 'old' ? 'put {t} in/on {p}' : 'move {t} to {p}' },
    { verb: 'clean', template: 'clean {t} with {p}' },
    { verb: 'heat', template: 'heat {t} with {p}' },
    { verb: 'cool', template: 'cool {t} with {p}' },
    { verb: 'use', template: 'use {t}' },
    { verb: 'examine', template: 'examine {p}' },
    { verb: 'look', template: 'look' },
    { verb: 'inventory', template: 'inventory' },
  ]
}

/** A name as it was learned: a class, a blank, a number. */
function spell(name: string): string {
  const parts = /^(.*?)[^a-z0-9]*(\d+)$/i.exec(name)
  return parts === null ? name : `${parts[1]!} ${parts[2]!}`
}
