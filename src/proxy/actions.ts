import { plainBlanks } from '../agents/_dress.js'
import { tidyAction } from '../agents/react-parser.js'
import { blankReasoning, separateReasoning } from '../models/reasoning.js'
import type { Span } from '../core/mentions.js'

/** The position of an action in a text. */
export interface ActionSpan extends Span {
  /**
   * `line`: a reply's first line, without any mark. `mention`: an action within a sentence. `thought`: the text is not
   * an action.
   */
  readonly found: 'label' | 'tag' | 'line' | 'mention' | 'thought'
}

const label = /^[ \t>*#-]{0,20}action(?: input)?(?: ?\d{1,4})?[*\t ]{0,4}:\**/i
/** JSON, or a fence around it, is no action by itself. */
const structure = /^\s*(?:[{[]|```)/
const prompted = /^[ \t]{0,20}>/
const thought = /^[\s>*#-]{0,20}(?:think|thought)s?(?: ?\d{1,4})?[*\s]{0,4}:\**/i

/**
 * Finds the actions and one-line thoughts of a text by the marks of harnesses: `Action: …` with the action behind it or
 * on the next line (empty if an observation follows), `> …`, and `<action>…</action>`.
 */
export function findActions(text: string): readonly ActionSpan[] {
  const spans = [...findTagged(text), ...findLabelled(text)].sort((a, b) => a.start - b.start)
  const all: ActionSpan[] = []
  for (const span of spans) if (span.start >= (all.at(-1)?.end ?? 0)) all.push(span)
  return all
}

/**
 * Finds the actions of a reply without its reasoning. Without any mark the first line is the action: the text behind
 * its colon where the line contains `action`, otherwise all of it.
 */
export function findReplyActions(spoken: string): readonly ActionSpan[] {
  const actions = findActions(spoken)
  const isThoughtAlone = actions.every((span) => span.found === 'thought')
  return isThoughtAlone ? [...actions, ...firstLine(spoken)].sort((a, b) => a.start - b.start) : actions
}

/**
 * A reply with plain blanks and colons, and with line ends in place of its reasoning. Of reasoning
 * that is never closed, harnesses read the tags.
 */
export function spokenOf(reply: string): string {
  const isRead = separateReasoning(reply).unclosed && /<action>/i.test(reply)
  return plainBlanks(isRead ? reply : blankReasoning(reply))
}

function findTagged(text: string): ActionSpan[] {
  const spans: ActionSpan[] = []
  let to = -2
  for (let at = text.indexOf('<action>'); at !== -1;) {
    const from = at + '<action>'.length
    // The mark of an end is looked for once, also where there is none.
    if (to !== -1 && to < from) to = text.indexOf('</action>', from)
    const inner = text.slice(from, to === -1 ? undefined : to)
    const first = inner.search(/\S/)
    const inTag = first === -1 ? [] : tidied(/^[^\r\n]*/.exec(inner.slice(first))![0], from + first, 'tag')
    spans.push(...inTag)
    const done = to === -1 ? (inTag[0]?.end ?? text.length) : to
    at = text.indexOf('<action>', Math.max(from, done))
  }
  return spans
}

function findLabelled(text: string): ActionSpan[] {
  const spans: ActionSpan[] = []
  let start = 0
  let awaited: number | undefined
  for (const line of text.split('\n')) {
    const labelled = label.exec(line) ?? prompted.exec(line)
    const rest = labelled === null ? line : line.slice(labelled[0].length)
    if ((labelled !== null || awaited !== undefined) && rest.trim() !== '') {
      const isObserved = /^\s*observations?\b.{0,10}:/i.test(rest)
      const kind = thought.test(rest) ? 'thought' : 'label'
      if (isObserved && awaited !== undefined) spans.push({ start: awaited, end: awaited, found: kind })
      if (!isObserved) spans.push(...tidied(rest, start + line.length - rest.length, kind))
      awaited = undefined
    } else if (labelled?.[0].includes(':') === true) {
      awaited = start + labelled[0].length
    } else if (thought.test(line)) {
      const { length } = thought.exec(line)![0]
      spans.push(...tidied(line.slice(length), start + length, 'thought'))
    }
    start += line.length + 1
  }
  return spans
}

function firstLine(reply: string): ActionSpan[] {
  const line = reply.split('\n').find((row) => row.trim() !== '' && !/^\s*```/.test(row) && !thought.test(row))
  if (line === undefined || structure.test(line)) return []
  const start = reply.indexOf(line)
  const colon = /action/i.test(line) ? line.indexOf(':') : -1
  return tidied(line.slice(colon + 1), start + colon + 1, 'line')
}

/** The action in a line, without surrounding blanks, quotes and end marks. */
function tidied(line: string, start: number, found: ActionSpan['found']): ActionSpan[] {
  if (structure.test(line)) return []
  const action = tidyAction(line)
  if (action === '') return []
  const at = start + line.indexOf(action)
  return [{ start: at, end: at + action.length, found }]
}

/** A text in JSON: its span within the quotes, and the key that it has. */
interface JsonText extends Span {
  readonly key: string
}

/** The texts that are values in the JSON of a text, which may have other text around it. Takes linear time. */
export function findJsonTexts(text: string): readonly JsonText[] {
  const texts: JsonText[] = []
  const inside = /[^"\\\n]*(?:\\.[^"\\\n]*)*/y
  let key = ''
  for (let quote = text.indexOf('"'); quote !== -1; quote = text.indexOf('"', inside.lastIndex)) {
    inside.lastIndex = quote + 1
    inside.exec(text)
    const end = inside.lastIndex
    if (text[end] !== '"') continue
    inside.lastIndex = end + 1
    if (/^\s{0,100}:/.test(text.slice(end + 1, end + 102))) key = text.slice(quote + 1, end)
    else texts.push({ start: quote + 1, end, key })
  }
  return texts
}
