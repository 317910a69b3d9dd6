import { randomUUID } from 'node:crypto'
import { messageOf } from '../core/errors.js'
import type { Dose } from '../core/environment.js'
import type { Piece } from '../core/text.js'
import type { ActionSpan } from './actions.js'
import { findActions, findReplyActions } from './actions.js'
import type { Before, Call, Memory, Place, Trail } from './memory.js'
import { createTrail, refusalToken, refusalTokens, restore } from './memory.js'
import { recoverPieces } from './recover.js'
import type { Offered } from './tools.js'
import { offerTools } from './tools.js'
import type { Acted, ProxyPerturbation, View } from './view.js'
import { createViewer, showPiece } from './view.js'
import { describedIn, layWire, readWire } from './wire.js'

type Json = Readonly<Record<string, unknown>>

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
  readonly memorised: boolean
  /** Why the reply could not be read and is passed on unchanged. */
  readonly unread?: string
}

/** A request in the perturbed wording. */
export interface Reworded extends Place {
  readonly body: Json
  /** The dose of the whole conversation so far; `commandsSaid` is 0. */
  readonly dose: Dose
  answer(reply: Reply): TranslatedReply
}

/** Reads requests and rewords them. Of a conversation it keeps only the model's replies. */
export interface Conversations {
  /** @returns the request reworded, or why it cannot be read */
  read(endpoint: 'chat' | 'completions', body: unknown): Reworded | { readonly unread: string }
}

/** The context of a reply. */
interface ReplyContext {
  readonly view: View
  readonly offered: Offered
  readonly here: Place
  readonly trail: Trail
}

/** An action or a thought in a reply. */
interface Line extends Acted {
  readonly start: number
  readonly found: ActionSpan['found']
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

  const readRequest = (endpoint: 'chat' | 'completions', body: unknown): Reworded | { readonly unread: string } => {
    const request = readWire(endpoint, body)
    if (typeof request === 'string') return { unread: request }
    const { messages, tools } = request
    const descriptions = describedIn(tools)
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
        const own = role === 'assistant' && !isOwn ? recall(text, whole(before)) : undefined
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
    if (mentions === 0 && offered.known === 0 && last === undefined) return { unread: 'it mentions no known action' }

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
      body: layWire(request, reworded, offered),
      dose: view.dose,
      answer: (reply) => answer(reply, { view, offered, here, trail }),
    }
  }

  const answer = (reply: Reply, context: ReplyContext): TranslatedReply => {
    try {
      return reply.calls.length === 0 ? answerText(reply.text, context) : answerCalls(reply, context)
    } catch (thrown) {
      return { ...reply, action: '', sent: '', refused: false, memorised: false, unread: messageOf(thrown) }
    }
  }

  const answerCalls = ({ text, calls: own }: Reply, { offered, trail, here }: ReplyContext): TranslatedReply => {
    const calls = own.map((call) => {
      const answered = offered.answer(call)
      memory.keep(whole(trail.before()), { sent: answered.call, own: call }, here)
      return answered
    })
    const [{ action, refused, memorised, call }] = calls as [ReturnType<Offered['answer']>]
    const sent = `${call.name} ${call.arguments}`
    return { text, calls: calls.map((one) => one.call), action, sent, refused, memorised }
  }

  /** A command with the model's additions, such as a full stop, where the environment removes them. */
  const withAdditions = (command: string, own: string, view: View): string => {
    if (command === normalise(own)) return own
    const translated = view.act(own).command
    return normalise(translated) === command ? translated : command
  }

  const answerText = (text: string, { view, here, trail }: ReplyContext): TranslatedReply => {
    const spans = findReplyActions(text, markers)
    const start = trail.before()
    let [changed, done] = ['', 0]
    const lines = spans.map(({ start, end, found }): Line => {
      const own = text.slice(start, end)
      const action = normalise(own)
      const isAction = found !== 'thought' && (found !== 'line' || view.isAction(action))
      const acted = isAction ? view.act(action) : { command: action, refused: false, memorised: false }
      const token = refusalToken(action)
      if (acted.refused) memory.keepRefused(token, action)
      const sent = acted.refused ? token : withAdditions(acted.command, own, view)
      changed += text.slice(done, start) + sent
      done = end
      return { ...acted, start, own, action, sent, found }
    })
    changed += text.slice(done)
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
    const { action = '', sent = '', refused = false, memorised = false } = counting ?? {}
    return { text: changed, calls: [], action, sent, refused, memorised }
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

/** The place of a reply that is a message of its own. */
function whole(before: Before): Before {
  return { ...before, isMessage: true }
}
