import { readWrittenCall } from '../agents/tool-call.js'
import { messageOf } from '../core/errors.js'
import type { Span } from '../core/mentions.js'
import { replyBounds } from '../models/bounds.js'
import { type ActionSpan, findJsonTexts, findReplyActions, spokenOf } from './actions.js'
import { type Call, readArguments } from './wire.js'
import { type Before, type Memory, type Place, type Trail, refusalToken, whole } from './memory.js'
import type { AnsweredCall, Offered } from './tools.js'
import type { Acted, ProxyPerturbation, View } from './view.js'

/** One choice of a model's reply. */
export interface Reply {
  readonly text: string
  readonly calls: readonly Call[]
}

/** The reply for the harness, with the data for the log. */
export interface TranslatedReply extends Reply {
  /** The action that counts, in the model's wording; empty if the reply has none. */
  readonly action: string
  /** The action as sent to the harness. */
  readonly sent: string
  readonly refused: boolean
  /** It is in the wording of the unperturbed environment. */
  readonly memorised: boolean
  /** Whether it is a command in another wording than the model's. */
  readonly isReworded: boolean
  /** Why some of the reply is passed on in the perturbed wording. */
  readonly unread?: string
}

/** The context of a reply. */
export interface ReplyContext {
  readonly view: View
  readonly offered: Offered
  readonly here: Place
  readonly trail: Trail
}

/** A call, some of whose arguments may be passed on in the perturbed wording. */
type UnreadCall = AnsweredCall & Pick<TranslatedReply, 'unread'>

/** An action or a thought in a reply. */
interface Line extends Acted {
  readonly start: number
  readonly end: number
  readonly found: ActionSpan['found']
  readonly own: string
  /** Normalised as by the environment. */
  readonly action: string
  readonly sent: string
}

/**
 * Makes a function that translates the replies of a model for the harness: its actions and calls are found, put into
 * the environment's wording or refused, and kept with the model's own words for the next request.
 */
export function createAnswers(
  { vocabulary }: ProxyPerturbation,
  memory: Memory,
): (reply: Reply, context: ReplyContext) => TranslatedReply {
  const normalise = (action: string): string => vocabulary.normalise?.(action) ?? action

  const answerCalls = ({ text, calls: replyCalls }: Reply, context: ReplyContext): TranslatedReply => {
    const { offered, view, trail, here } = context
    const calls = replyCalls.map((call): UnreadCall => {
      const answered = offered.answer(call) ?? answerArguments(call, context)
      const { token } = answered
      if (token !== undefined) memory.keepRefused(token, answered.own ?? answered.action)
      memory.keep(whole(trail.before()), { sent: answered.call, own: call }, here)
      return answered
    })
    const first = calls.find(({ action }) => action !== '') ?? calls[0]!
    const { refused, command, token = command } = first
    const isActed = calls.some((call) => call.known || call.refused)
    const names = replyCalls.map(({ name }) => name)
    const unread =
      calls.find((call) => call.unread !== undefined)?.unread ??
      unreadIn(spokenOf(text), [], { offered, view, isActed, names })
    return { text, calls: calls.map(({ call }) => call), ...told(first, refused ? token : command, unread) }
  }

  /** A call of a function that is no action, with the actions in its arguments translated. */
  const answerArguments = (call: Call, { offered, view }: ReplyContext): UnreadCall => {
    const args = call.arguments
    const isJson = readArguments(args) !== undefined
    const spoken = isJson ? args : spokenOf(args)
    const read = isJson ? mentionLines(args, [], view) : readLines(spoken, view)
    const lines = read.filter(({ found }) => found !== 'thought')
    const first = lines[0] ?? noAction
    const unread = unreadIn(spoken, read, { offered, view })
    return {
      ...first,
      call: { ...call, arguments: join(args, read) },
      ...(first.refused && { token: lines[0]!.sent }),
      ...(unread !== undefined && { unread }),
    }
  }

  const readLine = (own: string, start: number, end: number, found: Line['found'], view: View): Line => {
    const action = normalise(own)
    const isAction = found !== 'thought' && (found !== 'line' || view.isAction(action))
    const acted = isAction ? view.act(action) : { command: action, refused: false, known: false }
    return { ...acted, start, end, found, own, action, sent: sentFor(acted, own, action, view) }
  }

  /** A command with the model's additions, such as a full stop, where the environment removes them; or its refusal. */
  const sentFor = ({ refused, command }: Acted, own: string, action: string, view: View): string => {
    if (refused) {
      const token = refusalToken(action)
      memory.keepRefused(token, action)
      return token
    }
    if (command === normalise(own)) return own
    const translated = view.act(own).command
    return normalise(translated) === command ? translated : command
  }

  /** The actions and thoughts of a text: by the marks of harnesses, or else as mentions in JSON, code and sentences. */
  const readLines = (text: string, view: View): readonly Line[] => {
    const spans = findReplyActions(text)
    checkCount(spans)
    const lines = spans.map(({ start, end, found }) => readLine(text.slice(start, end), start, end, found, view))
    if (lines.some(isUnderstood)) return lines
    const thoughts = lines.filter(({ found }) => found === 'thought')
    const mentions = mentionLines(text, thoughts, view)
    return mentions.length === 0 ? lines : [...thoughts, ...mentions].sort((a, b) => a.start - b.start)
  }

  /**
   * The actions in the new wording within a text. In the old wording they may be no more than a thought, unless they
   * are all of a quoted text.
   */
  const mentionLines = (text: string, besides: readonly Span[], view: View): readonly Line[] => {
    const thoughts = [...besides, ...findJsonTexts(text).filter(({ key }) => isThoughtKey.test(key))]
    const quoted = view.oldMentions(text).filter((span) => isQuoted(text, span))
    const spans = [...view.newMentions(text), ...quoted].sort((a, b) => a.start - b.start)
    checkCount(spans)
    const lines: Line[] = []
    for (const span of spans) {
      const { start, end } = span
      if (start < (lines.at(-1)?.end ?? 0) || thoughts.some(touches(span))) continue
      const line = readLine(text.slice(start, end), start, end, 'mention', view)
      if (line.known && (!line.refused || quoted.includes(span))) lines.push(line)
    }
    return lines
  }

  /**
   * Why a reply is passed on with actions that were not read; undefined if it has none. What is said in front of an
   * action within sentences is its thought.
   */
  const unreadIn = (
    spoken: string,
    lines: readonly Line[],
    { offered, view, isActed = lines.some(isUnderstood), names = [] }: Besides,
  ): string | undefined => {
    const done = lines.filter(isUnderstood)
    const texts = findJsonTexts(spoken).filter(({ key }) => key !== '' && !isThoughtKey.test(key))
    const thoughts = findJsonTexts(spoken).filter(({ key }) => isThoughtKey.test(key))
    const read = [
      ...lines.filter((line) => isUnderstood(line) || line.found === 'thought' || line.sent !== line.own),
      ...thoughts,
    ]
    const lastAt = isActed ? (done.at(-1)?.start ?? spoken.length) : -1
    const isLeft = (span: Span): boolean => {
      const words = spoken.slice(span.start, span.end).toLowerCase()
      if (read.some(touches(span)) || done.some(({ own: text }) => text.toLowerCase().includes(words))) return false
      return span.start > lastAt || texts.some(touches(span)) || isLine(spoken, span)
    }
    if (view.newMentions(spoken).some(isLeft))
      return 'the reply has an action in the new wording where it cannot be translated'
    const { name } = readWrittenCall(spoken) ?? {}
    if ((name !== undefined && offered.isAction(name) && !names.includes(name)) || offered.hasCode(spoken))
      return 'the reply has a function call that is written as text'
    if (isActed) return undefined
    if (texts.some(({ start, end }) => view.hasNewName(spoken.slice(start, end))))
      return 'the reply has an item in the new wording where it cannot be translated'
    return view.oldMentions(spoken).some(isLeft)
      ? 'the reply has an action in the old wording where it cannot be refused'
      : undefined
  }

  const answerText = (text: string, { view, offered, here, trail }: ReplyContext): TranslatedReply => {
    const start = trail.before()
    const spoken = spokenOf(text)
    const lines = readLines(spoken, view).map((line): Line => {
      // An action that stays is sent with its own blanks, which environments tell apart.
      const own = text.slice(line.start, line.end)
      return line.sent === line.own ? { ...line, own, sent: own } : line
    })
    const changed = join(text, lines)
    const keep = (before: Before, sent: string, own: string): void => {
      if (normalise(sent) !== sent.trim()) memory.keep(before, { sent: normalise(sent), own: normalise(own) }, here)
      const isToken = memory.refused(sent) !== undefined
      memory.keep(before, { sent, own: isToken ? normalise(own) : own }, here)
    }
    memory.keep(whole(start), { sent: changed, own: text.trim() }, here)
    if (!text.trim().includes('\n')) keep(start, changed, text.trim())
    for (const { start: at, own, sent } of lines) {
      // A harness puts the action behind its own label, or keeps the reply with its label.
      const places = at === 0 ? [start] : [start, trail.after(`\n${text.slice(0, at)}`)]
      for (const before of places) keep(before, sent, own)
    }
    const actions = lines.filter(({ found }) => found !== 'thought')
    const counting = actions[0]?.found === 'tag' ? actions[0] : actions.at(-1)
    const unread = unreadIn(spoken, lines, { offered, view })
    return { text: changed, calls: [], ...told(counting ?? noAction, counting?.sent ?? '', unread) }
  }

  return (reply, context) => {
    const unchanged = { ...reply, action: '', sent: '', refused: false, memorised: false, isReworded: false }
    const { text, toolArguments, toolCalls } = replyBounds
    const isLong = reply.text.length > text || reply.calls.some((call) => call.arguments.length > toolArguments)
    if (isLong || reply.calls.length > toolCalls) return { ...unchanged, unread: 'the reply is too long to be read' }
    try {
      return reply.calls.length === 0 ? answerText(reply.text, context) : answerCalls(reply, context)
    } catch (thrown) {
      return { ...unchanged, unread: messageOf(thrown) }
    }
  }
}

/** A reply with more actions is no move. */
const maxActions = 200

function checkCount({ length }: readonly unknown[]): void {
  if (length > maxActions) throw new Error(`the reply has more than ${String(maxActions)} actions`)
}

const noAction = { action: '', command: '', refused: false, known: false }

/** What the log is told of the action that counts. */
function told(
  { action, command, refused, known }: Acted & { readonly action: string },
  sent: string,
  unread: string | undefined,
): Omit<TranslatedReply, 'text' | 'calls'> {
  return {
    action,
    sent,
    refused,
    memorised: refused && known,
    isReworded: known && !refused && command !== action,
    ...(unread !== undefined && { unread }),
  }
}

function isUnderstood({ found, known, refused }: Line): boolean {
  return found !== 'thought' && (known || refused)
}

const isThoughtKey = /thought|think|reason|plan|reflect|explanation|analysis/i

/** What is known of a reply beside its text. */
interface Besides extends Pick<ReplyContext, 'offered' | 'view'> {
  /** Whether it has an understood action. */
  readonly isActed?: boolean
  /** The functions that it calls. */
  readonly names?: readonly string[]
}

/** Whether a span stands on a line of its own. */
function isLine(text: string, { start, end }: Span): boolean {
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start)
  const lineEnd = text.indexOf('\n', end)
  return !/[\p{L}\p{N}]/u.test(before + text.slice(end, lineEnd === -1 ? undefined : lineEnd))
}

/** Whether a span is all of a quoted text. */
function isQuoted(text: string, { start, end }: Span): boolean {
  return /["'`]/.test(text[start - 1] ?? '') && /^\\?["'`]/.test(text.slice(end, end + 2))
}

function touches({ start, end }: Span): (other: Span) => boolean {
  return (other) => start < other.end && end > other.start
}

/** A text with its lines as they are sent. */
function join(text: string, lines: readonly Line[]): string {
  let [joined, done] = ['', 0]
  for (const { start, end, sent } of lines) {
    joined += text.slice(done, start) + sent
    done = end
  }
  return joined + text.slice(done)
}
