import { createHash } from 'node:crypto'
import * as z from 'zod'
import { ShaketableError } from '../../core/errors.js'
import { recordsIn } from '../../files/read-json.js'
import { readText } from '../../files/read-text.js'
import { expectShape } from '../prompts.js'
import type { Page } from './page-index.js'

/** A question of a file, and the pieces that the file has for it. */
export interface Question {
  /** HotpotQA's `_id`, or the number of the row in ReAct's files. */
  readonly id: string
  readonly question: string
  readonly answer: string
  readonly type?: string
  readonly level?: string
  /** Titles of the pages that have the facts, in order; empty where the file does not name them. */
  readonly titles: readonly string[]
}

/** Pairs of a title and something else. The rows of the Hub have two lists, `title` and another, in their place. */
function titled<T extends z.ZodType>(other: string, schema: T) {
  return z.preprocess(
    (value) => {
      const { title, [other]: others } = (value ?? {}) as Readonly<Record<string, unknown>>
      if (!Array.isArray(title) || !Array.isArray(others)) return value
      return Array.from({ length: Math.max(title.length, others.length) }, (_, at): unknown => [title[at], others[at]])
    },
    z.array(z.tuple([z.string(), schema])),
  )
}

/** HotpotQA's development file has 47 MB, its training file 570 MB. */
const maxFileBytes = 256 << 20

const pieces = titled('sentences', z.array(z.string()))
const name = z.string().min(1).max(200).optional()
const row = z.object({
  _id: name,
  id: name,
  question: z.string().min(1),
  answer: z.string(),
  type: z.string().nullish(),
  level: z.string().nullish(),
  supporting_facts: titled('sent_id', z.number()).optional(),
  context: pieces.optional(),
})

const questionAdvice =
  "Give HotpotQA's hotpot_dev_distractor_v1.json or hotpot_dev_fullwiki_v1.json, the Hub's rows as JSON or JSON lines, or ReAct's hotpot_dev_v1_simplified.json."

/**
 * Reads HotpotQA's own files, its rows on the Hub, or ReAct's simplified rows, which have no pieces.
 * @throws ShaketableError `bad-input` with the row and what was expected
 */
export function readQuestions(path: string) {
  const text = readText('The question file', path, questionAdvice, maxFileBytes)
  const rows = recordsIn(text, path, questionAdvice)
  if (rows.length === 0) {
    throw new ShaketableError('bad-input', `${path}: expected questions, got none. ${questionAdvice}`)
  }
  const ids = new Set<string>()
  const paragraphsOf: Paragraph[] = []
  const questions = rows.map(({ value, place }, index): Question => {
    const {
      _id,
      id: hubId,
      question,
      answer,
      type,
      level,
      context = [],
      supporting_facts: facts = [],
    } = expectShape(
      row,
      value,
      place,
      `It needs 'question' and 'answer'; HotpotQA's test files have no answers. ${questionAdvice}`,
    )
    const id = _id ?? hubId ?? String(index)
    if (ids.has(id)) throw new ShaketableError('bad-input', `${path}: two questions have the id '${id}'. Rename one.`)
    ids.add(id)
    for (const [title, sentences] of context) paragraphsOf.push({ title, text: joinSentences(sentences) })
    const titles = [...new Set(facts.map(([title]) => title))]
    return { id, question, answer, ...(type && { type }), ...(level && { level }), titles }
  })
  return { questions, pages: pagesOf(paragraphsOf), hash: hashOfText(text) }
}

/** A question file, read. */
export type QuestionFile = ReturnType<typeof readQuestions>

const corpusRow = z.union([
  z.object({ title: z.string().min(1), text: z.string() }),
  z.object({ title: z.string().min(1), sentences: z.array(z.string()) }),
  z.object({ context: pieces }),
])

const corpusAdvice =
  'Give a file of JSON lines {"title": …, "text": …} or {"title": …, "sentences": […]}, or a HotpotQA file with pieces.'

/**
 * Reads a corpus: JSON lines, or the pieces of a HotpotQA file. Paragraphs with one title make one page, in their
 * order.
 * @throws ShaketableError `bad-input` with the file and the line
 */
export function readCorpus(path: string): { readonly pages: readonly Page[]; readonly hash: string } {
  const text = readText('The corpus', path, corpusAdvice, maxFileBytes)
  const pieces = recordsIn(text, path, corpusAdvice).flatMap(({ value, place }): Paragraph[] => {
    const row = expectShape(corpusRow, value, place, corpusAdvice)
    if ('context' in row) return row.context.map(([title, sentences]) => ({ title, text: joinSentences(sentences) }))
    return [{ title: row.title, text: 'text' in row ? row.text : joinSentences(row.sentences) }]
  })
  if (pieces.length === 0) throw new ShaketableError('bad-input', `The corpus ${path} has no pages. ${corpusAdvice}`)
  return { pages: pagesOf(pieces), hash: hashOfText(text) }
}

interface Paragraph {
  readonly title: string
  readonly text: string
}

/** One page for each title: its different pieces, each on a line. */
function pagesOf(pieces: readonly Paragraph[]): readonly Page[] {
  const texts = new Map<string, Set<string>>()
  for (const { title, text } of pieces) {
    const known = texts.get(title) ?? new Set<string>()
    texts.set(title, known.add(text))
  }
  return Array.from(texts, ([title, parts]) => ({ title, text: [...parts].join('\n') }))
}

/** Sentences as one paragraph. HotpotQA's begin with a blank but for the first. */
function joinSentences(sentences: readonly string[]): string {
  return sentences.reduce((text, next) => text + (text === '' || /^\s/.test(next) ? '' : ' ') + next, '').trim()
}

function hashOfText(text: string): string {
  return createHash('sha256').update(text).update('\0').digest('hex').slice(0, 16)
}
