import { parseTemplate } from 'shaketable'

/** The words of a phrase in small letters, without what fills its slots and without numbers. */
export function wordsIn(phrase: string): readonly string[] {
  return phrase.toLowerCase().match(/[a-z]+/g) ?? []
}

/** Whether a word is a known one or an inflected form of it. */
export function isInflected(word: string, known: string): boolean {
  return word.startsWith(known) && ['', 's', 'es', 'ed', 'd', 'ing', 'up', 'on'].includes(word.slice(known.length))
}

/** Words without what fills the slots: `clean {t} with {p}` reads `clean with`. */
export function literalWords(template: string): string {
  return parseTemplate(template).literals.join(' ')
}
