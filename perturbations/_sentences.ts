/** Sentences by their template, with other wordings that have the same slots; `{n#}` takes digits alone. */
type SentenceRules = Readonly<Record<string, readonly string[]>>

interface Rule {
  readonly pattern: RegExp
  readonly slots: readonly string[]
  readonly wordings: readonly string[]
}

const slot = /\{(\w+#?)\}/g
/** A longer sentence is left as it is. */
const maxLength = 2000
const compiled = new WeakMap<SentenceRules, readonly Rule[]>()

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
  const known = compiled.get(rules) ?? compile(rules)
  compiled.set(rules, known)
  return text
    .split(/(?<=[.!?]|:(?= \p{Lu}))(\s+)|(\n+)/u)
    .map((sentence) => {
      if (sentence === undefined || sentence.trim() === '' || sentence.length > maxLength) return sentence ?? ''
      return reword(sentence, known, draw, choose)
    })
    .join('')
}

function reword(sentence: string, rules: readonly Rule[], draw: number, choose: (sentence: string) => boolean): string {
  for (const { pattern, slots, wordings } of rules) {
    const match = pattern.exec(sentence)
    if (match === null) continue
    const filling = new Map(slots.map((name, index) => [name, match[index + 1]!]))
    if (!choose(sentence)) return sentence
    return wordings[(draw - 1) % wordings.length]!.replace(slot, (whole, name: string) => filling.get(name) ?? whole)
  }
  return sentence
}

function compile(rules: SentenceRules): readonly Rule[] {
  return Object.entries(rules).map(([template, wordings]) => ({
    pattern: new RegExp(
      `^${template
        .split(/\{(\w+#?)\}/)
        .map((part, index) =>
          index % 2 === 0 ? part.replace(/[\^$.*+?()[\]{}|/-]/g, '\\$&') : part.endsWith('#') ? '(\\d+)' : '(.+?)',
        )
        .join('')}$`,
      'u',
    ),
    slots: [...template.matchAll(slot)].map(([, name]) => name!),
    wordings,
  }))
}
