import { findWhole, noLessons } from '../_lessons.js'
import type { Skill } from '../_skill.js'
import { formsOf } from './prompt-forms.js'
import type { Speaker } from './skill.js'
import { createHousekeeping } from './skill.js'
import { wordings } from './wording.js'
import type { Intent } from './words.js'

/**
 * Keeps house in the wording of the prompt, never repeats a wording that was just refused, and asks for the possible
 * actions when it knows no other.
 */
export function readHousehold(): Skill {
  return createHousekeeping(speaker)
}

const speaker: Speaker = {
  forms: formsOf,
  lessons: noLessons,
  speak(intent, forms, house) {
    const { refused, lessons, asked, strange } = house
    const options = wordings(intent, forms, lessons).filter(({ text }) => !refused.includes(text))
    const proven = options.find(({ form }) => lessons.accepted.includes(form.template))
    const untried = proven ?? options.find(({ form }) => !lessons.refused.includes(form.template))
    if (untried !== undefined) return untried.text
    const idle = intent.verb === 'look' || intent.verb === 'inventory'
    if (!asked && !idle) {
      const list = forms.find(({ verb, template }) => verb === 'list' && !refused.includes(template))
      if (list !== undefined) return list.template
    }
    return strange.find((text) => !refused.includes(text) && speaksOf(text, intent)) ?? options[0]?.text
  },
}

function speaksOf(text: string, { thing, place }: Intent): boolean {
  const names = [thing, place].filter((name) => name !== undefined)
  return names.length > 0 && names.every((name) => findWhole(text, name) !== -1)
}
