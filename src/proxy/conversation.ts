import { randomUUID } from 'node:crypto'
import type { Dose } from '../core/dose.js'
import { messageOf } from '../core/errors.js'
import type { Piece } from '../core/text.js'
import { type Json, isObject, objectsIn } from '../files/json.js'
import { findActions } from './actions.js'
import { type Reply, type TranslatedReply, createAnswers } from './answers.js'
import { type Before, type Memory, type Place, createTrail, refusalTokens, whole } from './memory.js'
import { type Offered, offerTools } from './tools.js'
import { type ProxyPerturbation, createViewer, recoverPieces, showPiece } from './view.js'
import { type Call, type Endpoint, type Growing, mapTexts, readWire, toldKeys } from './wire.js'

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

/** Part of a text: unchanged, or a piece that the lenses show. */
type Segment = string | { readonly at: number; readonly isCapital: boolean }

/**
 * Perturbs the conversations of a harness. A request contains the whole conversation: its texts are split into
 * commands, forms and prose, shown by the same lenses as an environment's texts, and joined again. The model's earlier
 * replies come back in the harness's wording and are replaced by the model's own words.
 * @throws ShaketableError `perturbation` for perturbations that do not fit the forms
 */
export function createConversations(perturbation: ProxyPerturbation, memory: Memory) {
  const viewer = createViewer(perturbation)
  const answer = createAnswers(perturbation, memory)

  const readRequest = (endpoint: Endpoint, given: unknown): Reworded | Unread => {
    const request = readWire(endpoint, given)
    if (typeof request === 'string') return { unread: request }
    const { body, messages, tools, hidden } = request
    const descriptions: string[] = []
    mapTexts(tools, toldKeys, (text) => (descriptions.push(text), text))
    const told = messages.filter(({ role }) => role !== 'assistant').flatMap(({ texts }) => texts)
    const shownTexts = [...told.map(({ value }) => value), ...descriptions]
    const forms = viewer.formsOf(shownTexts)
    const names = viewer.namesIn(shownTexts)
    const templates = forms.map(({ template }) => template)

    const pieces: Piece[] = []
    const recover = (text: string): Segment[] =>
      recoverPieces(text, templates, names).map(({ piece, isCapital }) => ({ at: pieces.push(piece) - 1, isCapital }))
    /** Prose in which refusal tokens are replaced by the model's own words. */
    const recoverProse = (text: string): Segment[] =>
      text.split(refusalTokens).flatMap((part, index): Segment[] => {
        const refusal = index % 2 === 1 ? memory.refused(part) : undefined
        return refusal === undefined ? recover(part) : [refusal]
      })

    const trail = createTrail()
    let last: { readonly before: Before; readonly sent: string | Call } | undefined
    const recall = <T extends string | Call>(sent: T, before = trail.before()): T | undefined => {
      const reply = memory.recall(before, sent)
      if (reply !== undefined) last = { before, sent }
      return reply
    }
    const recoverText = (text: string): Segment[] => {
      const segments: Segment[] = []
      let done = 0
      const addProse = (end: number): void => {
        segments.push(...recoverProse(text.slice(done, end)))
        trail.add(text.slice(done, end))
        done = end
      }
      for (const { start, end } of findActions(text)) {
        addProse(start)
        const sent = text.slice(start, end)
        const reply = recall(sent)
        segments.push(...(reply === undefined ? recoverProse(sent) : [reply]))
        trail.add(sent)
        done = end
      }
      addProse(text.length)
      return segments
    }

    const recovered = messages.map(({ role, texts, calls }) => {
      const before = trail.before()
      trail.add(`\n\u0000${role}\u0000`)
      const ownCalls = calls.map(({ value }) => recall(value, whole(before)))
      const isOwn = ownCalls.some((call) => call !== undefined)
      const segments = texts.map(({ value }): Segment[] => {
        const reply = role === 'assistant' ? recall(value, whole(before)) : undefined
        if (reply === undefined && !isOwn) return recoverText(value)
        trail.add(value)
        return [reply ?? value]
      })
      for (const { value } of calls) trail.add(`\u0000${value.name} ${value.arguments}`)
      return { segments, ownCalls }
    })
    const described = new Map(descriptions.map((text) => [text, recover(text)]))

    const view = viewer.view(forms, names.list, pieces)
    const joinShown = (segments: readonly Segment[]): string =>
      segments
        .map((segment) =>
          typeof segment === 'string' ? segment : showPiece(view.shown[segment.at]!, segment.isCapital),
        )
        .join('')
    const offered = offerTools(tools, view, (text) => joinShown(described.get(text) ?? [text]))
    const isProse = pieces.every((piece) => typeof piece === 'string')
    if (isProse && offered.known === 0 && last === undefined) return { unread: hidden ?? 'it mentions no known action' }

    for (const [index, { texts, calls }] of messages.entries()) {
      const { segments, ownCalls } = recovered[index]!
      texts.forEach(({ set }, at) => set(joinShown(segments[at]!)))
      calls.forEach(({ value, set }, at) => set(ownCalls[at] ?? offered.history(value)))
    }
    layTools(body, offered)
    const place = last && memory.placeOf(last.before, last.sent)
    const here: Place = {
      conversation: place?.conversation ?? randomUUID().slice(0, 13),
      turn: (place?.turn ?? 0) + 1,
    }
    return {
      ...here,
      body,
      ...(hidden !== undefined && { unread: hidden }),
      dose: view.dose,
      answer: (reply) => answer(reply, { view, offered, here, trail }),
    }
  }

  return {
    /** @returns the request reworded, or why it cannot be read */
    read(endpoint: Endpoint, body: unknown): Reworded | Unread {
      try {
        return readRequest(endpoint, body)
      } catch (thrown) {
        return { unread: messageOf(thrown) }
      }
    },
  }
}

/** See {@link createConversations}. */
export type Conversations = ReturnType<typeof createConversations>

/** Puts the functions of a request under their names for the model, wherever it names them. */
function layTools(body: Growing, { tools, renamed }: Offered): void {
  if (Array.isArray(body.tools)) body.tools = tools
  if (isObject(body.tool_choice)) body.tool_choice = mapTexts(body.tool_choice, /^name$/, renamed)
  for (const message of objectsIn(body.messages) as readonly Growing[]) {
    if (message.role === 'tool' && typeof message.name === 'string') message.name = renamed(message.name)
  }
}
