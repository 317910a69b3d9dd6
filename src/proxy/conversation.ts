import { randomUUID } from 'node:crypto'
import { withoutInvisible } from '../agents/_dress.js'
import { findWrittenCalls, readWrittenCall } from '../agents/tool-call.js'
import { messageOf } from '../core/errors.js'
import type { Dose } from '../core/environment.js'
import type { Span } from '../core/mentions.js'
import type { Piece } from '../core/text.js'
import { replyBounds } from '../models/reply-bounds.js'
import type { ActionSpan } from './actions.js'
import { findActions, findJsonTexts, findReplyActions, spokenOf } from './actions.js'
import type { Json } from '../models/frames.js'
import type { Call } from './calls.js'
import { mapTexts, readArguments, toldKeys } from './calls.js'
import type { Before, Memory, Place, Trail } from './memory.js'
import { createBounded, createTrail, refusalToken, refusalTokens, restore } from './memory.js'
import type { AnsweredCall, Offered } from './tools.js'
import { offerTools } from './tools.js'
import type { Acted, ProxyPerturbation, View } from './view.js'
import { createViewer, recoverPieces, showPiece } from './view.js'
import type { Endpoint, WireMessage } from './wire.js'
import { readWire } from './wire.js'

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

/** A request in the perturbed wording. */
export interface Reworded extends Place {
  readonly body: Json
  /** What a translation of this request cannot know. */
  readonly unread?: string
  /** The dose of the whole conversation so far; `commandsSaid` is 0. */
  readonly dose: Dose
  answer(reply: Reply): TranslatedReply
}

interface Unread {
  readonly unread: string
  readonly body?: undefined
}

/** Reads requests and rewords them. Of a conversation it keeps only the model's replies. */
export interface Conversations {
  /** @returns the request reworded, or why it cannot be read */
  read(endpoint: Endpoint, body: unknown): Reworded | Unread
}

/** The context of a reply. */
interface ReplyContext {
  readonly view: View
  readonly offered: Offered
  readonly here: Place
  readonly trail: Trail
  /** The messages of the conversation so far, in the harness's wording. */
  readonly messages: readonly WireMessage[]
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

/** Part of a text: unchanged, or a piece that the lenses show. */
type Segment =
  string | { readonly list: 'instruction' | 'observations'; readonly at: number; readonly isCapital: boolean }

/**
 * Perturbs the conversations of a harness. A request contains the whole conversation: its texts are split into
 * commands, forms and prose, shown by the same lenses as an environment's texts, and joined again. The model's earlier
 * replies come back in the harness's wording and are replaced by the model's own words.
 * @throws ShaketableError `perturbation` for perturbations that do not fit the forms
 */
export function createConversations(perturbation: ProxyPerturbation, memory: Memory): Conversations {
  const viewer = createViewer(perturbation)
  const { markers = [], vocabulary } = perturbation
  const normalise = (action: string): string => vocabulary.normalise?.(action) ?? action

  const histories = createHistories()

  const readRequest = (endpoint: Endpoint, body: unknown): Reworded | Unread => {
    const request = readWire(endpoint, body)
    if (typeof request === 'string') return { unread: request }
    const { tools, previous } = request
    const earlier = previous === undefined ? undefined : histories.get(previous)
    const messages = [...(earlier ?? []), ...request.messages]
    const hidden =
      previous !== undefined && earlier === undefined
        ? 'the response that it goes on from is not known'
        : request.hidden
    const descriptions: string[] = []
    mapTexts(tools, toldKeys, (text) => (descriptions.push(text), text))
    const shownTexts = [...messages.flatMap(({ role, texts }) => (role === 'assistant' ? [] : texts)), ...descriptions]
    const forms = viewer.formsOf(shownTexts)
    const names = viewer.namesIn(shownTexts)
    const templates = forms.map(({ template }) => template)

    const given: Record<'instruction' | 'observations', Piece[]> = { instruction: [], observations: [] }
    let mentions = 0
    const recover = (text: string, list: 'instruction' | 'observations'): Segment[] =>
      recoverPieces(text, templates, names).map(({ piece, isCapital }) => {
        if (typeof piece !== 'string') mentions++
        return { list, at: given[list].push(piece) - 1, isCapital }
      })
    /** Prose in which refusal tokens are replaced by the model's own words. */
    const recoverProse = (text: string, list: 'instruction' | 'observations'): Segment[] => {
      const segments: Segment[] = []
      let end = 0
      for (const { 0: token, index } of text.matchAll(refusalTokens)) {
        const own = memory.refused(token)
        if (own === undefined) continue
        segments.push(...recover(text.slice(end, index), list), own)
        end = index + token.length
      }
      return [...segments, ...recover(text.slice(end), list)]
    }

    const trail = createTrail()
    let last: { readonly before: Before; readonly sent: string | Call } | undefined
    const recall = <T extends string | Call>(sent: T, before = trail.before()): T | undefined => {
      const replacement = memory.recall(before, sent)
      if (replacement === undefined) return undefined
      last = { before, sent }
      return restore(replacement, sent)
    }
    const recoverText = (text: string, list: 'instruction' | 'observations'): Segment[] => {
      const segments: Segment[] = []
      let done = 0
      const addProse = (end: number): void => {
        segments.push(...recoverProse(text.slice(done, end), list))
        trail.add(text.slice(done, end))
        done = end
      }
      for (const { start, end } of findActions(text, markers)) {
        addProse(start)
        const sent = text.slice(start, end)
        const own = recall(sent)
        segments.push(...(own === undefined ? recoverProse(sent, list) : [own]))
        trail.add(sent)
        done = end
      }
      addProse(text.length)
      return segments
    }

    const recovered = messages.map(({ role, texts, calls }) => {
      const before = trail.before()
      trail.add(`\n\u0000${role}\u0000`)
      const list = role === 'system' || role === 'developer' ? 'instruction' : 'observations'
      const ownCalls = calls.map((call) => recall(call, whole(before)))
      const isOwn = ownCalls.some((call) => call !== undefined)
      const segments = texts.map((text): Segment[] => {
        const own = role === 'assistant' ? recall(text, whole(before)) : undefined
        if (own === undefined && !isOwn) return recoverText(text, list)
        trail.add(text)
        return [own ?? text]
      })
      for (const call of calls) trail.add(`\u0000${call.name} ${call.arguments}`)
      return { segments, ownCalls }
    })
    const recoveredDescriptions = descriptions.map((text) => recover(text, 'instruction'))

    const view = viewer.view(forms, names.list, given.instruction, given.observations)
    const joinShown = (segments: readonly Segment[]): string =>
      segments
        .map((one) => (typeof one === 'string' ? one : showPiece(view[one.list][one.at]!, one.isCapital)))
        .join('')
    const shownDescriptions = new Map(
      descriptions.map((text, index) => [text, joinShown(recoveredDescriptions[index]!)]),
    )
    const offered = offerTools(tools, view, (text) => shownDescriptions.get(text) ?? text)
    if (mentions === 0 && offered.known === 0 && last === undefined)
      return { unread: hidden ?? 'it mentions no known action' }

    const reworded = recovered.map(({ segments, ownCalls }, index) => ({
      texts: segments.map(joinShown),
      calls: messages[index]!.calls.map((call, at) => ownCalls[at] ?? offered.history(call)),
    }))
    const place = last && memory.placeOf(last.before, last.sent)
    const here: Place = {
      conversation: place?.conversation ?? randomUUID().slice(0, 13),
      turn: (place?.turn ?? 0) + 1,
    }
    return {
      ...here,
      body: request.lay(reworded.slice(earlier?.length ?? 0), offered),
      ...(hidden !== undefined && { unread: hidden }),
      dose: view.dose,
      answer: (reply) => answer(reply, { view, offered, here, trail, messages }),
    }
  }

  const answer = (reply: Reply, context: ReplyContext): TranslatedReply => {
    const unchanged = { ...reply, action: '', sent: '', refused: false, memorised: false, isReworded: false }
    const translate = (): TranslatedReply => {
      const { text, toolArguments, toolCalls } = replyBounds
      const isLong = reply.text.length > text || reply.calls.some((call) => call.arguments.length > toolArguments)
      if (isLong || reply.calls.length > toolCalls) return { ...unchanged, unread: 'the reply is too long to be read' }
      try {
        return reply.calls.length === 0 ? answerText(reply.text, context) : answerCalls(reply, context)
      } catch (thrown) {
        return { ...unchanged, unread: messageOf(thrown) }
      }
    }
    const translated = translate()
    const { text, calls } = translated
    if (reply.id !== undefined) {
      histories.set(reply.id, [...context.messages, { role: 'assistant', texts: text === '' ? [] : [text], calls }])
    }
    return translated
  }

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
    const { action, refused, known, command, token = command } = first
    const isActed = calls.some((one) => one.known || one.refused)
    const spoken = spokenOf(text)
    const written = callLines(spoken, offered)
    const changed = join(text, written)
    if (changed !== text) memory.keep(whole(trail.before()), { sent: changed, own: text.trim() }, here)
    const names = own.map(({ name }) => name)
    const unread =
      calls.find((one) => one.unread !== undefined)?.unread ??
      unreadIn(spoken, written, { offered, view, isActed, names })
    return {
      text: changed,
      calls: calls.map(({ call }) => call),
      action,
      sent: refused ? token : command,
      refused,
      memorised: refused && known,
      isReworded: known && !refused && command !== action,
      ...(unread !== undefined && { unread }),
    }
  }

  /** A call of a function that is no action, with the actions in its arguments translated. */
  const answerArguments = (call: Call, { offered, view }: ReplyContext): UnreadCall => {
    const given = call.arguments
    const isJson = readArguments(given) !== undefined
    const spoken = isJson ? given : spokenOf(given)
    const read = isJson ? jsonLines(given, view) : readLines(spoken, view)
    const lines = read.filter(({ found }) => found !== 'thought')
    const first = lines[0] ?? { action: '', command: '', refused: false, known: false }
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
    const { action = '', sent = '', refused = false, known = false, command = action } = counting ?? {}
    const unread = unreadIn(spoken, lines, { offered, view })
    return {
      text: changed,
      calls: [],
      action,
      sent,
      refused,
      memorised: refused && known,
      isReworded: known && !refused && command !== action,
      ...(unread !== undefined && { unread }),
    }
  }

  return {
    read(endpoint, body) {
      try {
        return readRequest(endpoint, body)
      } catch (thrown) {
        return { unread: messageOf(thrown) }
      }
    },
  }
}

/** A reply with more actions is no move. */
const maxActions = 200

function checkCount({ length }: readonly unknown[]): void {
  if (length > maxActions) throw new Error(`the reply has more than ${String(maxActions)} actions`)
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

/** The conversations that servers keep, by the last response of each, in the harness's wording. */
function createHistories() {
  return createBounded<readonly WireMessage[]>(1 << 26, (messages) =>
    messages
      .flatMap(({ texts, calls }) => [...texts, ...calls.map((call) => call.arguments)])
      .reduce((sum, text) => sum + text.length, 0),
  )
}

/** The place of a reply that is a message of its own. */
function whole(before: Before): Before {
  return { ...before, isMessage: true }
}
