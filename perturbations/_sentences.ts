import { printForm, readForm } from '../src/define.js'

/** Sentences by their template, with other wordings that have the same slots; `{n#}` takes digits alone. */
type SentenceRules = Readonly<Record<string, readonly string[]>>

/** A longer sentence is left as it is. */
const maxLength = 2000

/**
 * Words the sentences of a text anew by their draw. Sentences of which no rule is known stay.
 * @param choose whether a sentence is changed
 */
export function rewordSentences(
  text: string,
  rules: SentenceRules,
  draw: number,
  choose: (sentence: string) => boolean = () => true,
): string {
  return text
    .split(/(?<=[.!?]|:(?= \p{Lu}))(\s+)|(\n+)/u)
    .map((sentence) => {
      if (sentence === undefined || sentence.trim() === '' || sentence.length > maxLength) return sentence ?? ''
      return reword(sentence, rules, draw, choose)
    })
    .join('')
}

function reword(sentence: string, rules: SentenceRules, draw: number, choose: (sentence: string) => boolean): string {
  for (const [template, wordings] of Object.entries(rules)) {
    const filling = readForm(template, sentence)
    if (filling === undefined) continue
    return choose(sentence) ? printForm(wordings[(draw - 1) % wordings.length]!, filling) : sentence
  }
  return sentence
}
