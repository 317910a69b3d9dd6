import type { Form } from '../_lessons.js'
import { noLessons } from '../_lessons.js'
import type { Skill } from '../_skill.js'
import { readForms } from './classify.js'
import { helpIn } from './help.js'
import { learnFromExamples } from './scene.js'
import type { Speaker } from './skill.js'
import { createGaming } from './skill.js'
import { lessonOf, say } from './wording.js'

/** Plays in the wording of the prompt, never repeats a wording that was just refused, and asks for the possible actions when it knows no other. */
export function readGames(): Skill {
  return createGaming(speaker)
}

/** Of an advertised form, so many meanings are thought of. */
const mostMeanings = 4

const speaker: Speaker = {
  forms(prompt, game, names) {
    const shown = learnFromExamples(game, names, prompt.scene, prompt.examples)
    const advertised = prompt.forms.map(({ template, meaning }) => readForms(game, template, meaning))
    const ranks = Array.from({ length: mostMeanings }, (_, rank) => advertised.flatMap((forms) => forms[rank] ?? []))
    return [
      ...new Map([...shown, ...ranks.flat()].map((form): [string, Form<string>] => [lessonOf(form), form])).values(),
    ]
  },
  lessons: noLessons,
  speak({ deed, objects }, { forms, lessons, names, refused, listed }) {
    const known = [...lessons.learned, ...forms].filter(({ verb }) => verb === deed)
    const spell = (key: string): string => names.spelled.get(key) ?? key
    const options = known
      .map((form) => ({ lesson: lessonOf(form), text: say(form, objects, spell) }))
      .filter(({ text }) => !refused.includes(text))
    const possible = listed?.map((command) => command.toLowerCase())
    const offered = options.find(({ text }) => possible?.includes(text.toLowerCase()))
    const proven = offered ?? options.find(({ lesson }) => lessons.accepted.includes(lesson))
    const untried = proven ?? options.find(({ lesson }) => !lessons.refused.includes(lesson))
    return (untried ?? options[0])?.text
  },
  help: helpIn,
}
