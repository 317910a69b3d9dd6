import { tidyAction } from '../agents/react-parser.js'
import type { Span } from '../core/mentions.js'

/** Text around an action, for layouts without built-in support: `{ start: 'CALL(', end: ')' }`. */
export interface ActionMarker {
  readonly start: string
  readonly end: string
}

/** The position of an action in a text. */
export interface ActionSpan extends Span {
  /** `line`: a reply's first line, without any mark. `thought`: the text is not an action. */
  readonly found: 'marker' | 'label' | 'tag' | 'line' | 'thought'
}

const label = /^[ \t>*#-]{0,20}action(?: ?\d{1,4})?[*\t ]{0,4}:\**/i
const prompted = /^[ \t]{0,20}>/
const thought = /^[\s>*#-]{0,20}(?:think|thought)s?(?: ?\d{1,4})?[*\s]{0,4}:\**/i

/**
 * Finds the actions and one-line thoughts of a text by the marks of harnesses: `Action: …` with the action behind it or
 * on the next line (empty if an observation follows), `> …`, `<action>…</action>`, and the user's markers.
 */
export function findActions(text: string, markers: readonly ActionMarker[] = []): readonly ActionSpan[] {
  const spans = [...findMarked(text, markers), ...findLabelled(text)].sort((a, b) => a.start - b.start)
  const found: ActionSpan[] = []
  for (const span of spans) if (span.start >= (found.at(-1)?.end ?? 0)) found.push(span)
  return found
}

/**
 * Finds the actions of a reply outside of `<think>`. Without any mark the first line is the action: the text behind its
 * colon where the line contains `action`, otherwise all of it.
 */
export function findReplyActions(reply: string, markers: readonly ActionMarker[] = []): readonly ActionSpan[] {
  const closed = reply.indexOf('</think>')
  if (closed === -1 && reply.trimStart().startsWith('<think>') && !/<action>/i.test(reply)) return []
  const from = closed === -1 ? 0 : closed + '</think>'.length
  const spoken = reply.slice(from)
  const found = findActions(spoken, markers)
  const isThoughtAlone = found.every((one) => one.found === 'thought')
  const spans = isThoughtAlone ? [...found, ...firstLine(spoken)].sort((a, b) => a.start - b.start) : found
  return spans.map((span) => ({ ...span, start: span.start + from, end: span.end + from }))
}

function findMarked(text: string, markers: readonly ActionMarker[]): ActionSpan[] {
  const all = [
    ...markers.map((marker) => ({ ...marker, found: 'marker' as const })),
    { start: '<action>', end: '</action>', found: 'tag' as const },
  ]
  return all.flatMap(({ start, end, found }) => {
    const spans: ActionSpan[] = []
    for (let at = text.indexOf(start); at !== -1; at = text.indexOf(start, at + start.length)) {
      const from = at + start.length
      const to = text.indexOf(end, from)
      const inner = text.slice(from, to === -1 ? undefined : to)
      const line = inner.split(/[\r\n]+/).find((one) => one.trim() !== '')
      if (line !== undefined) spans.push(...tidied(line, from + inner.indexOf(line), found))
    }
    return spans
  })
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
      const found = thought.test(rest) ? 'thought' : 'label'
      if (isObserved && awaited !== undefined) spans.push({ start: awaited, end: awaited, found })
      if (!isObserved) spans.push(...tidied(rest, start + line.length - rest.length, found))
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
  const line = reply.split('\n').find((one) => one.trim() !== '' && !thought.test(one))
  if (line === undefined) return []
  const start = reply.indexOf(line)
  const colon = /action/i.test(line) ? line.indexOf(':') : -1
  return tidied(line.slice(colon + 1), start + colon + 1, 'line')
}

/** The action in a line, without surrounding blanks, quotes and end marks. */
function tidied(line: string, start: number, found: ActionSpan['found']): ActionSpan[] {
  const action = tidyAction(line)
  if (action === '') return []
  const at = start + line.indexOf(action)
  return [{ start: at, end: at + action.length, found }]
}
