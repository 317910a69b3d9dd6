import { randomUUID } from 'node:crypto'
import { messageOf } from '../core/errors.js'
import type { Dose } from '../core/environment.js'
import type { Piece } from '../core/text.js'
import type { ActionSpan } from './actions.js'
import { findActions, findReplyActions } from './actions.js'
import type { Before, Call, Memory, Place, Trail } from './memory.js'
import { createTrail, refusalToken, refusalTokens, resay } from './memory.js'
import { recoverPieces } from './recover.js'
import type { Offered } from './tools.js'
import { offerTools } from './tools.js'
import type { Acted, ProxyPerturbation, View } from './view.js'
import { createViewer, showPiece } from './view.js'
import { describedIn, layWire, readWire } from './wire.js'

type Json = Readonly<Record<string, unknown>>

/** What a model said in one choice. */
export interface Said {
  readonly text: string
  readonly calls: readonly Call[]
}

/** What a harness is told instead, and what to note of it. */
export interface Answered extends Said {
  /** The action that counts, in the model's wording; empty where the reply has none. */
  readonly action: string
  /** How the harness is told it. */
  readonly sent: string
  readonly refused: boolean
  readonly memorised: boolean
  /** Why the reply could not be read and is passed on unchanged. */
  readonly unread?: string
}

/** A request in the perturbed wording. */
export interface Reworded extends Place {
  readonly body: Json
  /** How much was changed in the whole conversation so far; `commandsSaid` is 0. */
  readonly dose: Dose
  answer(said: Said): Answered
}

/** Reads requests and rewords them. It holds nothing of a conversation but what models said. */
export interface Conversations {
  /** @returns the request reworded, or why it cannot be read */
  read(endpoint: 'chat' | 'completions', body: unknown): Reworded | { readonly unread: string }
}

/** What a reply answers. */
interface Asked {
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
  /** As the environment tidies it. */
  readonly action: string
  readonly sent: string
}

/** Part of a text: as it stands, or a piece that is shown by the lenses. */
type Segment =
  string | { readonly list: 'instruction' | 'observations'; readonly at: number; readonly isCapital: boolean }

/**
 * Makes what perturbs the conversations of a harness. A request has the whole conversation: its texts are taken apart
 * into commands, forms and prose, shown by the same lenses as an environment's own, and put together again. What the
 * model said before comes back in the harness's wording and is replaced by what the model had really said.
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
    /** Prose in which actions that were refused are what the model had said. */
    const recoverProse = (text: string, list: 'instruction' | 'observations'): Segment[] => {
      const segments: Segment[] = []
      let told = 0
      for (const { 0: token, index } of text.matchAll(refusalTokens)) {
        const own = memory.refused(token)
        if (own === undefined) continue
        segments.push(...recover(text.slice(told, index), list), own)
        told = index + token.length
      }
      return [...segments, ...recover(text.slice(told), list)]
    }

    const trail = createTrail()
    let last: { readonly before: Before; readonly said: string | Call } | undefined
    const recall = <T extends string | Call>(said: T, before = trail.before()): T | undefined => {
      const told = memory.recall(before, said)
      if (told === undefined) return undefined
      last = { before, said }
      return resay(told, said)
    }
    const recoverText = (text: string, list: 'instruction' | 'observations'): Segment[] => {
      const segments: Segment[] = []
      let told = 0
      const leave = (end: number): void => {
        segments.push(...recoverProse(text.slice(told, end), list))
        trail.add(text.slice(told, end))
        told = end
      }
      for (const { start, end } of findActions(text, markers)) {
        leave(start)
        const said = text.slice(start, end)
        const own = recall(said)
        segments.push(...(own === undefined ? recoverProse(said, list) : [own]))
        trail.add(said)
        told = end
      }
      leave(text.length)
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
    const lay = (segments: readonly Segment[]): string =>
      segments
        .map((one) => (typeof one === 'string' ? one : showPiece(view[one.list][one.at]!, one.isCapital)))
        .join('')
    const shownDescriptions = new Map(descriptions.map((text, index) => [text, lay(recoveredDescriptions[index]!)]))
    const offered = offerTools(tools, view, (text) => shownDescriptions.get(text) ?? text)
    if (mentions === 0 && offered.known === 0 && last === undefined) return { unread: 'it mentions no known action' }

    const reworded = recovered.map(({ segments, ownCalls }, index) => ({
      texts: segments.map(lay),
      calls: messages[index]!.calls.map((call, at) => ownCalls[at] ?? offered.history(call)),
    }))
    const place = last && memory.placeOf(last.before, last.said)
    const here: Place = {
      conversation: place?.conversation ?? randomUUID().slice(0, 13),
      turn: (place?.turn ?? 0) + 1,
    }
    return {
      ...here,
      body: layWire(request, reworded, offered),
      dose: view.dose,
      answer: (said) => answer(said, { view, offered, here, trail }),
    }
  }

  const answer = (said: Said, at: Asked): Answered => {
    try {
      return answerAll(said, at)
    } catch (thrown) {
      return { ...said, action: '', sent: '', refused: false, memorised: false, unread: messageOf(thrown) }
    }
  }

  const answerAll = (said: Said, at: Asked): Answered => {
    const [first] = said.calls
    if (first === undefined) return answerText(said.text, at)
    const calls = said.calls.map((call) => {
      const answered = at.offered.answer(call)
      memory.keep(whole(at.trail.before()), { said: answered.call, own: call }, at.here)
      return answered
    })
    const [{ action, refused, memorised, call }] = calls as [ReturnType<Offered['answer']>]
    const sent = `${call.name} ${call.arguments}`
    return { text: said.text, calls: calls.map((one) => one.call), action, sent, refused, memorised }
  }

  /**
   * A command in the words that an action has beside it, such as a full stop, where the environment tidies them away.
   */
  const sayAs = (command: string, own: string, view: View): string => {
    if (command === normalise(own)) return own
    const said = view.act(own).command
    return normalise(said) === command ? said : command
  }

  const answerText = (text: string, { view, here, trail }: Asked): Answered => {
    const spans = findReplyActions(text, markers)
    const asked = trail.before()
    let [changed, told] = ['', 0]
    const lines = spans.map(({ start, end, found }): Line => {
      const own = text.slice(start, end)
      const action = normalise(own)
      const isAction = found !== 'thought' && (found !== 'line' || view.isAction(action))
      const acted = isAction ? view.act(action) : { command: action, refused: false, memorised: false }
      const token = refusalToken(action)
      if (acted.refused) memory.keepRefused(token, action)
      const sent = acted.refused ? token : sayAs(acted.command, own, view)
      changed += text.slice(told, start) + sent
      told = end
      return { ...acted, start, own, action, sent, found }
    })
    changed += text.slice(told)
    const keep = (before: Before, sent: string, own: string): void => {
      if (normalise(sent) !== sent.trim()) memory.keep(before, { said: normalise(sent), own: normalise(own) }, here)
      const isToken = memory.refused(sent) !== undefined
      memory.keep(before, { said: sent, own: isToken ? normalise(own) : own }, here)
    }
    memory.keep(whole(asked), { said: changed, own: text.trim() }, here)
    if (!text.trim().includes('\n')) keep(asked, changed, text.trim())
    for (const { start, own, sent } of lines) {
      // A harness puts the action behind its own label, or the reply with the label in it.
      const places = start === 0 ? [asked] : [asked, trail.after(`\n${text.slice(0, start)}`)]
      for (const before of places) keep(before, sent, own)
    }
    const actions = lines.filter(({ found }) => found !== 'thought')
    const taken = actions[0]?.found === 'tag' ? actions[0] : actions.at(-1)
    const { action = '', sent = '', refused = false, memorised = false } = taken ?? {}
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
