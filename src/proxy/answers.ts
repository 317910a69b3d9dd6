import { withoutInvisible } from '../agents/_dress.js'
import { findWrittenCalls, readWrittenCall } from '../agents/tool-call.js'
import { messageOf } from '../core/errors.js'
import type { Span } from '../core/mentions.js'
import { replyBounds } from '../models/reply-bounds.js'
import type { ActionSpan } from './actions.js'
import { findJsonTexts, findReplyActions, spokenOf } from './actions.js'
import type { Call } from './calls.js'
import { readArguments } from './calls.js'
import type { Before, Memory, Place, Trail } from './memory.js'
import { refusalToken, whole } from './memory.js'
import type { AnsweredCall, Offered } from './tools.js'
import type { Acted, ProxyPerturbation, View } from './view.js'

/** One choice of a model's reply. */
export interface Reply {
  readonly text: string
  readonly calls: readonly Call[]
  /** Of a response, for a request that goes on from it. */
  readonly id?: string
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
  readonly found: ActionSpan['found'] | 'json' | 'call'
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
  { markers = [], vocabulary }: ProxyPerturbation,
  memory: Memory,
): (reply: Reply, context: ReplyContext) => TranslatedReply {
  const normalise = (action: string): string => vocabulary.normalise?.(action) ?? action

  const answerCalls = ({ text, calls: own }: Reply, context: ReplyContext): TranslatedReply => {
    const { offered, view, trail, here } = context
    const calls = own.map((call): UnreadCall => {
      const answered = offered.answer(call) ?? answerArguments(call, context)
      const { token } = answered
      if (token !== undefined) memory.keepRefused(token, answered.own ?? answered.action)
      memory.keep(whole(trail.before()), { sent: answered.call, own: call }, here)
      return answered
    })
    const first = calls.find(({ action }) => action !== '') ?? calls[0]!
    const { refused, command, token = command } = first
    const isActed = calls.some((one) => one.known || one.refused)
    const spoken = spokenOf(text)
    const written = callLines(spoken, offered)
    const changed = join(text, written)
    if (changed !== text) memory.keep(whole(trail.before()), { sent: changed, own: text.trim() }, here)
    const names = own.map(({ name }) => name)
    const unread =
      calls.find((one) => one.unread !== undefined)?.unread ??
      unreadIn(spoken, written, { offered, view, isActed, names })
    return { text: changed, calls: calls.map(({ call }) => call), ...told(first, refused ? token : command, unread) }
  }

  /** A call of a function that is no action, with the actions in its arguments translated. */
  const answerArguments = (call: Call, { offered, view }: ReplyContext): UnreadCall => {
    const given = call.arguments
    const isJson = readArguments(given) !== undefined
    const spoken = isJson ? given : spokenOf(given)
    const read = isJson ? jsonLines(given, view) : readLines(spoken, view)
    const lines = read.filter(({ found }) => found !== 'thought')
    const first = lines[0] ?? noAction
    const unread = unreadIn(spoken, read, { offered, view })
    return {
      ...first,
      call: { ...call, arguments: join(given, read) },
      ...(first.refused && { token: lines[0]!.sent }),
      ...(unread !== undefined && { unread }),
    }
  }

  /** A command with the model's additions, such as a full stop, where the environment removes them. */
  const withAdditions = (command: string, own: string, view: View): string => {
    if (command === normalise(own)) return own
    const translated = view.act(own).command
    return normalise(translated) === command ? translated : command
  }

  const readLine = (own: string, start: number, end: number, found: Line['found'], view: View): Line => {
    const action = normalise(own)
    const isAction = found !== 'thought' && (found !== 'line' || view.isAction(action))
    const acted = isAction ? view.act(action) : { command: action, refused: false, known: false }
    return { ...acted, start, end, found, own, action, sent: sentFor(acted, own, action, view) }
  }

  const sentFor = ({ refused, command }: Acted, own: string, action: string, view: View): string => {
    if (!refused) return withAdditions(command, own, view)
    const token = refusalToken(action)
    memory.keepRefused(token, action)
    return token
  }

  /** The actions and thoughts of a text: by the marks of harnesses, in JSON, or else within sentences. */
  const readLines = (text: string, view: View): readonly Line[] => {
    const spans = findReplyActions(text, markers)
    checkCount(spans)
    const lines = spans.map(({ start, end, found }) => readLine(text.slice(start, end), start, end, found, view))
    if (lines.some(isUnderstood)) return lines
    const thoughts = lines.filter(({ found }) => found === 'thought')
    const others = [() => jsonLines(text, view), () => mentionLines(text, thoughts, view)]
    for (const find of others) {
      const found = find()
      const apart = thoughts.filter((one) => !found.some((other) => one.start < other.end && one.end > other.start))
      if (found.length > 0) return [...apart, ...found].sort((a, b) => a.start - b.start)
    }
    return lines
  }

  /** The calls of known functions that are written in JSON. */
  const callLines = (text: string, offered: Offered): readonly Line[] => {
    const lines: Line[] = []
    for (const { call, start, end, lay } of findWrittenCalls(text)) {
      const answered = offered.isAction(call.name) ? offered.answer(call) : undefined
      if (answered === undefined) continue
      const { token, action, command, refused, known } = answered
      if (token !== undefined) memory.keepRefused(token, answered.own ?? action)
      const acted = { action, command, refused, known }
      lines.push({ ...acted, start, end, found: 'call', own: text.slice(start, end), sent: lay(answered.call) })
    }
    return lines
  }

  const jsonLines = (text: string, view: View): readonly Line[] => {
    const lines: Line[] = []
    for (const { start, end, value, key } of findJsonTexts(text)) {
      if (value.length > maxJsonAction || isThoughtKey.test(key)) continue
      const isNested = /^\s*[{[]/.test(value)
      const inner = isNested ? jsonLines(value, view) : []
      if (inner.length > 0)
        lines.push({ ...inner[0]!, start, end, found: 'json', own: value, sent: join(value, inner) })
      else if (!isNested && view.isAction(normalise(value))) {
        const line = readLine(value, start, end, 'json', view)
        if (isUnderstood(line)) lines.push(line)
        else lines.push(...mentionsIn(value, start, end, view))
      } else if (!isNested) lines.push(...mentionsIn(value, start, end, view))
      checkCount(lines)
    }
    return lines
  }

  /** A text in JSON in which actions are mentioned, as one line. */
  const mentionsIn = (value: string, start: number, end: number, view: View): readonly Line[] => {
    const inner = mentionLines(value, [], view)
    return inner.length === 0 ? [] : [{ ...inner[0]!, start, end, found: 'json', own: value, sent: join(value, inner) }]
  }

  /** Actions in the new wording within sentences. In the old wording they may be no more than a thought. */
  const mentionLines = (text: string, besides: readonly Line[], view: View): readonly Line[] => {
    const lines: Line[] = []
    for (const { start, end } of view.newMentions(text)) {
      const isFree = start >= (lines.at(-1)?.end ?? 0)
      if (!isFree || besides.some((one) => start < one.end && end > one.start)) continue
      const line = readLine(text.slice(start, end), start, end, 'mention', view)
      if (line.known && !line.refused) lines.push(line)
      checkCount(lines)
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
    const read = lines.filter((one) => isUnderstood(one) || one.found === 'thought' || one.sent !== one.own)
    const lastAt = isActed ? (done.at(-1)?.start ?? spoken.length) : -1
    const texts = findJsonTexts(spoken).filter(({ key }) => key !== '')
    const within =
      ({ start, end }: Span) =>
      (one: Span) =>
        start < one.end && end > one.start
    const isLeft = (span: Span): boolean => {
      const text = texts.find(within(span))
      if (read.some(within(span)) || (text && isThoughtKey.test(text.key))) return false
      const said = spoken.slice(span.start, span.end)
      if (done.some(({ own }) => own.toLowerCase().includes(said.toLowerCase()))) return false
      return span.start > lastAt || text !== undefined || isLine(spoken, span)
    }
    if (view.newMentions(spoken).some(isLeft))
      return 'the reply has an action in the new wording where it cannot be translated'
    const rest = blank(spoken, lines)
    const { name } = readWrittenCall(rest) ?? {}
    if ((name !== undefined && offered.isAction(name) && !names.includes(name)) || offered.hasCode(rest))
      return 'the reply has a function call that is written as text'
    if (isActed) return undefined
    if (texts.some((text) => !isThoughtKey.test(text.key) && view.hasNewName(text.value)))
      return 'the reply has an item in the new wording where it cannot be translated'
    const visible = withoutInvisible(spoken)
    if (visible !== spoken && [...view.newMentions(visible), ...view.oldMentions(visible)].length > 0)
      return 'the reply has an action with characters that show nothing'
    return view.oldMentions(spoken).some(isLeft)
      ? 'the reply has an action in the old wording where it cannot be refused'
      : undefined
  }

  const answerText = (text: string, { view, offered, here, trail }: ReplyContext): TranslatedReply => {
    const start = trail.before()
    const spoken = spokenOf(text)
    const calls = callLines(spoken, offered)
    const isFree = ({ start: from, end }: Span): boolean => calls.every((one) => from >= one.end || end <= one.start)
    const lines = [...calls, ...readLines(spoken, view).filter(isFree)].sort((a, b) => a.start - b.start)
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

/** A longer text in JSON is no action. */
const maxJsonAction = 10_000
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

/** A text of the same length without the calls that were read. */
function blank(text: string, lines: readonly Line[]): string {
  const calls = lines.filter(({ found }) => found === 'call')
  return join(
    text,
    calls.map((line) => ({ ...line, sent: ' '.repeat(line.end - line.start) })),
  )
}

/** A text with its lines as they are sent. */
function join(text: string, lines: readonly Line[]): string {
  let [changed, done] = ['', 0]
  for (const { start, end, found, sent } of lines) {
    const shown = found === 'json' ? JSON.stringify(sent).slice(1, -1) : sent
    changed += text.slice(done, start) + shown
    done = end
  }
  return changed + text.slice(done)
}
