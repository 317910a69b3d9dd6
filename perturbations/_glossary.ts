import type { Lens, Piece, Scene, Text } from '../src/define.js'
import { textOf } from '../src/define.js'

const explained = new WeakMap<Lens, WeakMap<Text, Lens>>()

/**
 * Adds what each reworded action does to the instruction, where its meaning does not stand there already. The same lens
 * is given again for the same instruction.
 */
export function addGlossary({ briefing: { forms, instruction } }: Scene, lens: Lens): Lens {
  const known = explained.get(lens) ?? new WeakMap<Text, Lens>()
  explained.set(lens, known)
  let found = known.get(instruction)
  if (found !== undefined) return found
  const text = textOf(instruction)
  const missing = forms.filter(
    ({ template, meaning }) => meaning !== '' && !text.includes(meaning) && lens.form!(template) !== template,
  )
  const glossary = missing.flatMap(({ template, meaning }): Piece[] => ["\n- '", { form: template }, `': ${meaning}`])
  found =
    missing.length === 0
      ? lens
      : {
          ...lens,
          brief: (briefing) => ({
            instruction: [...briefing.instruction, '\nWhat the actions do:', ...glossary, '\n'],
          }),
        }
  known.set(instruction, found)
  return found
}

/** Whether the option `glossary` (full, goal, none) explains a word: all of them, those of the goal, or none. */
export function isExplained({ briefing: { goal }, options }: Scene, word: string): boolean {
  if (options['glossary'] !== 'goal') return options['glossary'] === 'full'
  return goal
    .toLowerCase()
    .split(/\P{L}+/u)
    .includes(word)
}
