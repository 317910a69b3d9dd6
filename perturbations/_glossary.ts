import { type Lens, type Piece, type Scene, textOf } from '../src/define.js'

/** Adds what each reworded action does to the instruction, where its meaning does not stand there already. */
export function addGlossary({ briefing: { forms, instruction } }: Scene, lens: Lens): Lens {
  const text = textOf(instruction)
  const missing = forms.filter(
    ({ template, meaning }) => meaning !== '' && !text.includes(meaning) && lens.form!(template) !== template,
  )
  const glossary = missing.flatMap(({ template, meaning }): Piece[] => ["\n- '", { form: template }, `': ${meaning}`])
  if (missing.length === 0) return lens
  return {
    ...lens,
    brief: (briefing) => ({ instruction: [...briefing.instruction, '\nWhat the actions do:', ...glossary, '\n'] }),
  }
}

/** Whether the option `glossary` (full, goal, none) explains a word: all of them, those of the goal, or none. */
export function isExplained({ briefing: { goal }, options }: Scene, word: string): boolean {
  if (options['glossary'] !== 'goal') return options['glossary'] === 'full'
  return goal
    .toLowerCase()
    .split(/\P{L}+/u)
    .includes(word)
}
