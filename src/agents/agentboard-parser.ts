/** Longer than any action that an environment accepts; one endless reply must not fill every later prompt. */
export const maxActionLength = 2000

/**
 * Reads an action from a reply by the rules of AgentBoard's `action_parser_for_special_llms`, which its agents apply to
 * every reply: a line that names an action gives the text after its colon (or after `is to`, or on the next line),
 * otherwise the first line counts; blanks and the outer `'` and `/` are removed. Where the original throws (two lines
 * that announce a "next action" without one) the reading goes on.
 */
export function readAgentBoardAction(reply: string): string {
  let action = namedAction(reply) ?? reply
  if (pythonStrip(action) === '') action = firstLine(reply)
  return firstLine(strip(pythonStrip(action), quotes)).slice(0, maxActionLength)
}

function namedAction(reply: string): string | undefined {
  if (!/action/i.test(reply)) return undefined
  const lines = reply.split('\n')
  let action: string | undefined
  for (const [index, line] of lines.entries()) {
    if (!/action/i.test(line)) continue
    const colon = line.indexOf(':')
    if (colon !== -1 && line.includes('next action')) action = lineAfter(lines, index) ?? action
    const head = colon === -1 ? line : line.slice(0, colon)
    if (head.toLowerCase().endsWith('with action input')) return line
    const named = colon === -1 ? '' : line.slice(colon + 1)
    if (named !== '') return named
    const purpose = line.split('is to', 2)[1]
    if (purpose !== undefined && purpose !== '') return purpose
  }
  return action
}

function lineAfter(lines: readonly string[], index: number): string | undefined {
  for (let next = index + 1; next < lines.length; next++) {
    if (lines[next] !== '') return lines[next]
  }
  return undefined
}

function firstLine(text: string): string {
  const end = text.indexOf('\n')
  return end === -1 ? text : text.slice(0, end)
}

const quotes = (character: string): boolean => character === "'" || character === '/'
const pythonBlanks = (character: string): boolean => /^[\s\x1c-\x1f\x85]$/.test(character) && character !== '\ufeff'

/** Without the white space at its ends, as Python's `str.strip` does it. */
export function pythonStrip(text: string): string {
  return strip(text, pythonBlanks)
}

function strip(text: string, goes: (character: string) => boolean): string {
  let start = 0
  let end = text.length
  while (start < end && goes(text[start]!)) start++
  while (end > start && goes(text[end - 1]!)) end--
  return text.slice(start, end)
}
