import { findWhole, noLessons } from '../_lessons.js'
import type { Skill } from '../_skill.js'
import { formsOf } from './prompt-forms.js'
import type { Speaker } from './skill.js'
import { createWayfaring } from './skill.js'
import { say } from './words.js'

/** Finds the way in the wording of the prompt, never repeats a wording that was just refused, and asks for the possible actions when it knows no other. */
export function readBabyai(): Skill {
  return createWayfaring(speaker)
}

const speaker: Speaker = {
  forms: formsOf,
  lessons: noLessons,
  speak(intent, forms, trip) {
    const { refused, lessons, asked, strange } = trip
    const options = [...lessons.learned, ...forms]
      .filter(({ verb, template }) => verb === intent.verb && (intent.name !== undefined || !template.includes('{t}')))
      .map((form) => ({ form, text: say(form.template, intent) }))
      .filter(({ text }) => !refused.includes(text))
    const proven = options.find(({ form }) => lessons.accepted.includes(form.template))
    const untried = proven ?? options.find(({ form }) => !lessons.refused.includes(form.template))
    if (untried !== undefined) return untried.text
    if (!asked) {
      const list = forms.find(({ verb, template }) => verb === 'list' && !refused.includes(template))
      if (list !== undefined) return list.template
    }
    const { name } = intent
    const speaksOfIt = (text: string): boolean => (name === undefined ? !/\d/.test(text) : findWhole(text, name) !== -1)
    return strange.find((text) => !refused.includes(text) && speaksOfIt(text)) ?? options[0]?.text
  },
}
