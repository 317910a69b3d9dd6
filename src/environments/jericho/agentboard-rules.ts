import { type SubGoals, trackSubGoals } from '../sub-goals.js'
import type { Machine } from './machine/machine.js'

/**
 * AgentBoard's progress: sub-goals are phrases of observations, of which only letters, digits and white space count. An
 * observation reaches at most one.
 */
export function createProgress(phrases: readonly string[]): SubGoals {
  return trackSubGoals(phrases.map(plain), (phrase, observation) => plain(observation).includes(phrase), 1)
}

function plain(text: string): string {
  return text.replace(/[^a-zA-Z0-9\s]/g, '')
}

/** Whether a story is over. */
export function hasEnded({ finished }: Machine, text: string): boolean {
  return finished || /^ *\*{3,4} .+ \*{3,4} *$/m.test(text)
}

/** A text of the story as AgentBoard shows it; the prompt behind it is left out, as in Jericho. */
export function cleanText(prose: string): string {
  const text = prose.replace(/>\s*$/, '').replace(/^\n+/, '').replace(/\n/g, ' ').replace(/ {2,}/g, ' ')
  return withoutScore(text)
}

const scoreLead = '[Your score '

/** Each `[Your score …]` is left out; without a regular expression, which would be slow on many that are not closed. */
function withoutScore(text: string): string {
  let result = ''
  let from = 0
  for (let at = text.indexOf(scoreLead); at !== -1; at = text.indexOf(scoreLead, from)) {
    const end = text.indexOf(']', at + scoreLead.length)
    if (end === -1) break
    result += text.slice(from, at)
    from = end + 1
  }
  return result + text.slice(from)
}

const maxWords = 20

/** Maximum number of characters of a word on each side of a full stop in it. */
const maxHalf = 20

/**
 * AgentBoard sends the text before the first comma and the first full stop, and at most 20 words of it. A full stop in
 * a word of the story, as in `ftp.gmd`, does not end it: no list could name that word otherwise.
 */
export function cutAction(action: string, isWord: (text: string) => boolean = () => false): string {
  return cutBefore(action, (character, at) => ',.'.includes(character) && !isInWord(action, at, isWord))
}

/**
 * {@link cutAction} for an action that a perturbation may have worded: commas in brackets or with a blank before them,
 * as in `put(obj=lamp, in=box)`, do not end it. What reaches the story is cut once more.
 */
export function shortenAction(action: string, isWord: (text: string) => boolean = () => false): string {
  let depth = 0
  return cutBefore(action, (character, at) => {
    if ('([{'.includes(character)) depth++
    if (')]}'.includes(character)) depth--
    return ',.'.includes(character) && depth <= 0 && action[at - 1] !== ' ' && !isInWord(action, at, isWord)
  })
}

/** The first words of an action, before the first character that ends it. */
function cutBefore(action: string, isEnd: (character: string, at: number) => boolean): string {
  let end = 0
  while (end < action.length && !isEnd(action[end]!, end)) end++
  return action.slice(0, end).split(' ').slice(0, maxWords).join(' ')
}

/** Whether a full stop stands in a word of a story. */
function isInWord(action: string, at: number, isWord: (text: string) => boolean): boolean {
  if (action[at] !== '.') return false
  const before = /[^\s,]*$/.exec(action.slice(Math.max(0, at - maxHalf), at))![0]
  const after = /^[^\s,]*/.exec(action.slice(at + 1, at + 1 + maxHalf))![0].replace(/\.+$/, '')
  return before !== '' && after !== '' && isWord(`${before}.${after}`)
}
