import type { Skill } from '../_skill.js'
import type { Speaker } from './skill.js'
import { createWayfaring } from './skill.js'
import { numberIn, readKind } from './thing.js'
import type { Form } from './words.js'
import { say } from './words.js'

/** Finds the way in AgentBoard's original wording and spelling, whatever the prompt says, and takes every refusal for the world's doing. */
export function reciteBabyai(): Skill {
  return createWayfaring(speaker)
}

const memorised: readonly Form[] = [
  { verb: 'left', template: 'turn left' },
  { verb: 'right', template: 'turn right' },
  { verb: 'forward', template: 'move forward' },
  { verb: 'go', template: 'go to {t}' },
  { verb: 'take', template: 'pickup {t}' },
  { verb: 'drop', template: 'drop' },
  { verb: 'through', template: 'go through {t}' },
  { verb: 'unlock', template: 'toggle and go through {t}' },
  { verb: 'toggle', template: 'toggle' },
  { verb: 'list', template: 'check available actions' },
]

const speaker: Speaker = {
  forms: () => memorised,
  lessons: { learned: [], accepted: memorised.map(({ template }) => template), refused: [] },
  speak({ verb, name }, forms, { refused }) {
    const form = forms.find((one) => one.verb === verb)
    if (form === undefined) return undefined
    const text = say(form.template, { verb, ...(name !== undefined && { name: spell(name) }) })
    return refused.includes(text) ? undefined : text
  },
}

/** A name as it was learned: colour, state, type, number. */
function spell(name: string): string {
  const { type, colour, state } = readKind(name)
  return [colour, state, type, String(numberIn(name))].filter((word) => word !== '').join(' ')
}
