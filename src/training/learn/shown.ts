import type { NameVocabulary } from './vocabulary.js'
import { cutNames, findNames } from './vocabulary.js'

/** A form of action that a prompt shows. */
export interface ShownForm {
  /** The form with `{}` for each slot. */
  readonly key: string
  /** Names of its slots, if the prompt gives them. */
  readonly slots: readonly string[]
  /** Words beside the form, in lower case. */
  readonly words: readonly string[]
  /** Beginnings of the observations after it in worked examples. */
  readonly answers: readonly string[]
  /** Where it was seen. */
  readonly listed: boolean
  readonly exampled: boolean
}

const slot = /\{([^{}]*)\}(?:\/\{([^{}]*)\})*/g
const quoted = /^(?:[-*•]|\d+[.)])?\s*(['"`])(.+?)\1\s*(.*)$/
const listed = /^(?:[-*•]|\d+[.)])?\s*([^:.]*\{[^{}]*\}[^:.]*)(?:[:.]\s*(.*))?$/
const maxLine = 500
const maxForms = 64
const maxWords = 8

/**
 * Reads the forms of action that a prompt shows: in lists with their meaning, and in worked examples with their
 * observations.
 */
export function readShown(head: string, vocabulary: NameVocabulary): ReadonlyMap<string, ShownForm> {
  const forms = new Map<string, ShownForm>()
  const lines = head.split('\n')
  lines.forEach((line, index) => {
    if (line.length > maxLine || forms.size >= maxForms) return
    const said = /^(?:Action:|>) *(.+)$|^<action>(.+)<\/action>$/.exec(line)?.slice(1).find(Boolean)
    if (said === undefined) return addListed(forms, line)
    const key = cutNames(said, findNames(said, vocabulary))
    const answer = (lines[index + 1] ?? '').replace(/^Observation: */, '')
    const known = forms.get(key)
    forms.set(key, {
      ...(known ?? { key, slots: [], words: [], listed: false }),
      answers: [...new Set([...(known?.answers ?? []), frameOf(answer, vocabulary)])].slice(0, 3),
      exampled: true,
    })
  })
  return forms
}

function addListed(forms: Map<string, ShownForm>, line: string): void {
  const quote = quoted.exec(line)
  const bare = quote === null ? listed.exec(line) : null
  const form = (quote?.[2] ?? bare?.[1])?.trim()
  if (form === undefined) return
  const slots = [...form.matchAll(slot)].map((match) => match[1]!)
  const key = form.replace(slot, '{}')
  if (!/[A-Za-z]/.test(key) || key.split(' ').length > 12) return
  const words = wordsOf((quote?.[3] ?? bare?.[2] ?? '').toLowerCase()).slice(0, maxWords)
  const known = forms.get(key)
  forms.set(key, { key, slots, words, answers: known?.answers ?? [], listed: true, exampled: known?.exampled ?? false })
}

/** The words of a text. */
export function wordsOf(text: string): string[] {
  return text.match(/[A-Za-z][A-Za-z'/-]*/g) ?? []
}

const frameWords = 5

/** Beginning of a sentence, with its names replaced: `You pick up the {}`. */
export function frameOf(text: string, vocabulary: NameVocabulary): string {
  const start = text.slice(0, 200)
  return cutNames(start, findNames(start, vocabulary)).split(/\s+/, frameWords).join(' ')
}
