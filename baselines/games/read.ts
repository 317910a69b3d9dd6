import type { Form } from '../_lessons.js'
import { noLessons } from '../_lessons.js'
import type { Prompt } from '../_prompt.js'
import type { Skill } from '../_skill.js'
import { readForms } from './classify.js'
import type { Game } from './game.js'
import { helpIn } from './help.js'
import { learnFromExamples } from './scene.js'
import type { Speaker } from './skill.js'
import { createGaming } from './skill.js'
import { lessonOf, say } from './wording.js'

/** Plays in the wording of the prompt, never repeats a wording that was just refused, and asks for the possible actions when it knows no other. */
export function readGames(): Skill {
  return createGaming(speaker)
}

/** Prompts that are remembered, as the same one stands above many episodes. */
const mostPrompts = 50
const learned = new Map<string, readonly Form<string>[]>()

function learnForms({ scene, examples, forms }: Prompt, game: Game): readonly Form<string>[] {
  const key = JSON.stringify([game.mark, scene, examples, forms])
  const known = learned.get(key)
  if (known !== undefined) return known
  const shown = learnFromExamples(game, scene, examples)
  const advertised = forms.map(({ template, meaning }) => readForms(game, template, meaning))
  const all = [...shown, ...advertised.flatMap(([first]) => first ?? []), ...advertised.flatMap(([, ...more]) => more)]
  const distinct = [...new Map(all.map((form): [string, Form<string>] => [lessonOf(form), form])).values()]
  if (learned.size >= mostPrompts) learned.clear()
  learned.set(key, distinct)
  return distinct
}

const speaker: Speaker = {
  forms: learnForms,
  lessons: noLessons,
  speak({ deed, objects }, { forms, lessons, names, refused, listed }, { list }) {
    const spell = (key: string): string => names.spelled.get(key) ?? key
    const options = [...lessons.learned, ...forms]
      .filter(({ verb }) => verb === deed)
      .map((form) => ({ lesson: lessonOf(form), text: say(form, objects, spell) }))
      .filter(({ text }) => !refused.includes(text))
    if (listed !== undefined) {
      const possible = listed.map((command) => command.toLowerCase())
      return options.find(({ text }) => possible.includes(text.toLowerCase()))?.text
    }
    const proven = options.find(({ lesson }) => lessons.accepted.includes(lesson))
    const untried = proven ?? options.find(({ lesson }) => !lessons.refused.includes(lesson))
    if (untried !== undefined) return untried.text
    return list !== undefined && !refused.includes(list) ? list : options[0]?.text
  },
  copies: true,
  help: helpIn,
}
