import { messageOf } from '../../core/errors.js'
import { duplicateKey } from '../read-trajectories.js'

/** The most characters of a reply that are searched for JSON. */
const maxLength = 1_000_000

/** JSON that was found in a reply, or why there is none: `prose` holds no JSON, `json` holds some that is broken. */
type ReplyJson = { readonly value: unknown } | { readonly rule: 'prose' | 'json'; readonly evidence: string }

/**
 * Reads the JSON in a model's reply: the longest object or list in it, whatever stands around it. One that is not
 * closed is broken, as is an object in which a key stands twice.
 */
export function jsonOf(reply: string): ReplyJson {
  const text = reply.slice(0, maxLength)
  const found = longest(text)
  if (found === undefined) return { rule: 'prose', evidence: `expected JSON, got '${text.trim().slice(0, 200)}'` }
  try {
    const value: unknown = JSON.parse(found)
    const twice = duplicateKey(found)
    if (twice === undefined) return { value }
    return { rule: 'json', evidence: `the key '${twice.slice(0, 60)}' stands twice in one object` }
  } catch (thrown) {
    return { rule: 'json', evidence: messageOf(thrown).slice(0, 200) }
  }
}

/** The longest part of a text from a bracket to the one that closes it; one that is not closed ends with the text. */
function longest(text: string): string | undefined {
  let best: string | undefined
  for (let start = nextBracket(text, 0); start !== -1;) {
    const end = endOf(text, start)
    const part = text.slice(start, end)
    if (best === undefined || part.length > best.length) best = part
    start = nextBracket(text, end)
  }
  return best
}

function nextBracket(text: string, from: number): number {
  const found = text.slice(from).search(/[[{]\s*(?:["[{\]}]|$)/)
  return found === -1 ? -1 : from + found
}

function endOf(text: string, start: number): number {
  let depth = 0
  let isQuoted = false
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (isQuoted) {
      if (character === '\\') at++
      else if (character === '"') isQuoted = false
    } else if (character === '"') isQuoted = true
    else if (character === '{' || character === '[') depth++
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1
  }
  return text.length
}
