import { type MaybePromise, after } from '../../core/after.js'
import type { BriefingDefinition, TurnDefinition, WorldDefinition } from '../../define/world.js'
import type { ReadAction } from '../../core/environment.js'
import { type ActionForm, literalLength, parseTemplate } from '../../core/form.js'
import type { Text } from '../../core/text.js'
import { pythonStrip } from '../python-strip.js'
import type { Search } from './page-index.js'

/** ReAct's tools. The briefing's instruction advertises all of them. */
export const forms: readonly ActionForm[] = [
  { template: 'search[{entity}]', meaning: 'read the beginning of the page of that title, or similar titles' },
  { template: 'lookup[{keyword}]', meaning: 'read the next sentence of the last page that has these words' },
  { template: 'finish[{answer}]', meaning: 'give the answer, which ends the episode' },
  { template: 'think[{thought}]', meaning: 'write down a thought' },
]

/** The number of sentences of a page that a search shows. */
const shownSentences = 5
const maxSimilar = 5
/** How often a page that lists the meanings of a word is followed by another search. */
const maxDisambiguations = 3
const listsMeanings = 'may refer to:'

/** The parts of one episode. */
interface EpisodeParts {
  readonly question: string
  readonly answer: string
  readonly search: Search
  readonly briefing: BriefingDefinition
  /** The maximum number of steps, whatever the run allows. */
  readonly maxSteps: number
  /** Actions that lead to the answer. */
  readonly script: readonly string[]
}

/**
 * One question with ReAct's tools and exact texts (`wikienv.py`). An episode ends with `finish`: success is an exact
 * match, progress F1. Actions are read as ReAct's driver does: without white space around them, the first letter in
 * lower case.
 */
export function createWorld({ question, answer, search, briefing, maxSteps, script }: EpisodeParts): WorldDefinition {
  let page: string | undefined
  let lookup: { readonly keyword: string; readonly found: readonly string[]; next: number } | undefined
  let played = 0

  const say = (observation: string | Text): TurnDefinition => ({ observation, understood: true })
  const refuse = (action: string): TurnDefinition => ({
    observation: `Invalid action: ${fold(action)}`,
    understood: false,
  })
  const find = (entity: string, times = 0): MaybePromise<TurnDefinition> =>
    after(search.search(entity), (result) => {
      if (result.kind === 'similar') {
        const list = result.titles.slice(0, maxSimilar).map(pythonRepr)
        return say([`Could not find ${entity}. Similar: [`, { list }, '].'])
      }
      if (result.text.includes(listsMeanings) && times < maxDisambiguations) return find(`[${entity}]`, times + 1)
      page = result.text
      lookup = undefined
      return say(sentencesOf(page).slice(0, shownSentences).join(' '))
    })
  const lookUp = (keyword: string): TurnDefinition => {
    if (lookup?.keyword !== keyword) {
      const wanted = keyword.toLowerCase()
      const sentences =
        page === undefined ? [] : sentencesOf(page).filter((sentence) => sentence.toLowerCase().includes(wanted))
      lookup = { keyword, found: sentences, next: 0 }
    }
    const sentence = lookup.found[lookup.next]
    if (sentence === undefined) return say('No more results.\n')
    lookup.next++
    return say([`(Result ${String(lookup.next)} / ${String(lookup.found.length)})`, ` ${sentence}`])
  }
  const finish = (guess: string): TurnDefinition => {
    const { exactMatch, f1 } = scoreAnswer(guess, answer)
    return {
      ...say(`Episode finished, reward = ${exactMatch ? '1' : '0'}\n`),
      progress: f1,
      ended: exactMatch ? 'success' : 'failure',
    }
  }
  const act = (action: string): MaybePromise<TurnDefinition> => {
    const { tool, argument } = readTool(action) ?? {}
    if (argument === undefined) return refuse(action)
    if (tool === 'search') return find(argument)
    if (tool === 'lookup') return lookUp(argument)
    return tool === 'finish' ? finish(argument) : say('Nice thought.')
  }
  return {
    briefing,
    opening: `Question: ${question}`,
    step(action) {
      if (fold(action) === script[played]) played++
      return act(action)
    },
    refuse,
    understands: (action) => readTool(action) !== undefined,
    read: readAction,
    solve: () => script.slice(Math.min(played, script.length - 1)),
    stepLimit: (limit) => Math.min(limit, maxSteps),
  }
}

/** An action as ReAct's driver passes it on. */
function fold(action: string): string {
  return lowerFirst(pythonStrip(action))
}

function readTool(action: string): { readonly tool: string; readonly argument: string } | undefined {
  const match = /^(search|lookup|finish|think)\[(.*)\]$/su.exec(fold(action))
  return match === null ? undefined : { tool: match[1]!, argument: match[2]! }
}

/** Reads an action by any templates as the environment reads its own; what stands in a slot may be any text. */
export function readAction(action: string, templates: readonly string[]): ReadAction | undefined {
  const line = pythonStrip(action)
  let best: ReadAction | undefined
  for (const template of templates) {
    if (best !== undefined && literalLength(template) <= literalLength(best.template)) continue
    const { literals, slots } = parseTemplate(template)
    const [before, behind] = literals as [string, string?]
    if (slots.length !== 1 || behind === undefined || line.length < before.length + behind.length) continue
    if (lowerFirst(line.slice(0, before.length)) !== lowerFirst(before) || !line.endsWith(behind)) continue
    best = { template, filling: { [slots[0]!]: line.slice(before.length, line.length - behind.length) } }
  }
  return best
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}

/**
 * The sentences of a page by ReAct's rule (`wikienv.py`): each line is cut at `. `, and every part gets a full stop,
 * so that the last sentence of a paragraph ends in two.
 */
export function sentencesOf(page: string): readonly string[] {
  return page
    .split('\n')
    .map(pythonStrip)
    .flatMap((paragraph) => paragraph.split('. '))
    .map(pythonStrip)
    .filter((sentence) => sentence !== '')
    .map((sentence) => `${sentence}.`)
}

/** A string as Python's `repr` prints it. */
export function pythonRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  const inner = text.replace(/[\\'"]|[^\x20-\x7e]/gu, (character) => {
    if (character === '\\') return '\\\\'
    if (character === '"' || character === "'") return character === quote ? `\\${quote}` : character
    if (Object.hasOwn(short, character)) return short[character]!
    // Python prints what is no separator but the blank, no control and no unassigned or private character.
    if (!/[\p{C}\p{Z}]/u.test(character)) return character
    const code = character.codePointAt(0)!
    const [letter, digits] = code <= 0xff ? ['x', 2] : code <= 0xffff ? ['u', 4] : (['U', 8] as const)
    return `\\${letter}${code.toString(16).padStart(digits, '0')}`
  })
  return quote + inner + quote
}

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** Lower case, without ASCII punctuation and the words a, an and the, with single blanks. */
export function normaliseAnswer(answer: string): string {
  const words = answer
    .toLowerCase()
    .replace(/[!-/:-@[-`{-~]/g, '')
    .replace(/(?<![\p{L}\p{N}_])(?:an?|the)(?![\p{L}\p{N}_])/gu, ' ')
  return words.split(pythonSpace).filter(Boolean).join(' ')
}

/** White space as Python's `str.split()` has it: U+001C to U+001F and U+0085 count, U+FEFF does not. */
const pythonSpace = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/u

const closed = new Set(['yes', 'no', 'noanswer'])

/**
 * Scores an answer, exact match and F1 over words, by SQuAD's metrics as HotpotQA and ReAct's `wrappers.py` compute
 * them, Unicode-aware as Python is. One of yes, no and noanswer gets no partial score.
 */
export function scoreAnswer(answer: string, expected: string) {
  const [given, right] = [normaliseAnswer(answer), normaliseAnswer(expected)]
  const exactMatch = given === right
  if (!exactMatch && (closed.has(given) || closed.has(right))) return { exactMatch, f1: 0 }
  const [words, rightWords] = [given, right].map((text) => text.split(' ').filter(Boolean)) as [string[], string[]]
  const left = new Map<string, number>()
  for (const word of rightWords) left.set(word, (left.get(word) ?? 0) + 1)
  let same = 0
  for (const word of words) {
    const count = left.get(word) ?? 0
    if (count > 0) same++
    left.set(word, count - 1)
  }
  if (same === 0) return { exactMatch, f1: 0 }
  const [precision, recall] = [same / words.length, same / rightWords.length]
  return { exactMatch, f1: (2 * precision * recall) / (precision + recall) }
}
