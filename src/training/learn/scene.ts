import type { Conversation, Exchange } from './conversation.js'
import { keepRecent } from '../../environments/keep-recent.js'
import { idOf } from './hash.js'
import { type Vocabulary, type ShownForm, cutNames, findNames, frameOf, readShown } from './vocabulary.js'

/** An item and its state. Steps count exchanges from 0; -1 is the opening. */
export interface Item {
  readonly name: string
  readonly kind: string
  /** The last word of its kind. */
  readonly head: string
  readonly kindId: number
  /** Step of the last observation that names it, and whether it is the first name of its kind there. */
  seen: number
  isFirst: boolean
  /** Whether an observation after an action has named it. */
  isMet: boolean
  /** How often an action named it, and the step of the last time. */
  said: number
  saidAt: number
  /** Beginning of the last observation that names it, after an action with its name. */
  frame: string
  frameId: number
  /** The item named by the action whose observation showed this one. */
  place: Item | undefined
}

/** State of a conversation, updated with each exchange. */
export interface Scene {
  readonly goal: string
  readonly shown: ReadonlyMap<string, ShownForm>
  readonly items: Map<string, Item>
  /** For each form of action so far, the beginning of the last observation after it. */
  readonly usage: Map<string, string>
  /** The commands so far, with their forms and the beginning of the last observation after each. */
  readonly commands: Map<string, { readonly form: string; readonly frame: string }>
  step: number
  lastForm: string
  lastCommand: string
  /** The names of the last action. */
  lastNames: readonly Item[]
  /** Beginnings of the sentences of the last observation, and of the first sentence of the one before it. */
  frames: readonly string[]
  frameBefore: string
}

const maxSentences = 6
const maxItems = 1000

/** What prompts show, by vocabulary and prompt: few prompts are read very often. */
const shownBy = new WeakMap<Vocabulary, ReturnType<typeof keepRecent<ReadonlyMap<string, ShownForm>>>>()
const maxHeads = 4096

/** The scene before the first action. */
export function openScene({ head, goal, opening }: Conversation, vocabulary: Vocabulary): Scene {
  const keep = shownBy.get(vocabulary) ?? keepRecent<ReadonlyMap<string, ShownForm>>(maxHeads)
  shownBy.set(vocabulary, keep)
  const shown = keep(head, () => readShown(head, vocabulary))
  const scene: Scene = {
    goal,
    shown,
    items: new Map(),
    usage: new Map(),
    commands: new Map(),
    step: 0,
    lastForm: '',
    lastCommand: '',
    lastNames: [],
    frames: [],
    frameBefore: '',
  }
  see(scene, opening, vocabulary, -1, undefined)
  return scene
}

/** Updates a scene with an exchange. */
export function advance(scene: Scene, { action, answer }: Exchange, vocabulary: Vocabulary): void {
  const mentions = findNames(action, vocabulary)
  const form = cutNames(action, mentions)
  const named = mentions.flatMap(({ text }) => scene.items.get(text) ?? [])
  scene.lastForm = form
  scene.lastCommand = action
  scene.lastNames = named
  scene.frameBefore = scene.frames[0] ?? ''
  const shown = see(scene, answer, vocabulary, scene.step, named.at(-1))
  const frame = scene.frames[0] ?? ''
  named.forEach((item) => {
    item.said++
    item.saidAt = scene.step
    if (!shown.includes(item)) return
    item.frame = frame
    item.frameId = idOf(`frame ${frame}`)
  })
  scene.usage.set(form, frame)
  scene.commands.set(action, { form, frame })
  scene.step++
}

function see(
  scene: Scene,
  text: string,
  vocabulary: Vocabulary,
  step: number,
  place: Item | undefined,
): readonly Item[] {
  const shown: Item[] = []
  const kinds = new Set<string>()
  for (const { text: name, kind } of findNames(text, vocabulary)) {
    let item = scene.items.get(name)
    if (item === undefined) {
      if (scene.items.size >= maxItems) continue
      item = {
        name,
        kind,
        head: kind.slice(kind.lastIndexOf(' ') + 1),
        kindId: idOf(`kind ${kind}`),
        seen: step,
        isFirst: false,
        isMet: false,
        said: 0,
        saidAt: -1,
        frame: '',
        frameId: 0,
        place: undefined,
      }
      scene.items.set(name, item)
    }
    item.isFirst = !kinds.has(kind)
    kinds.add(kind)
    item.seen = step
    if (step >= 0) item.isMet = true
    if (place !== undefined && place !== item) item.place = place
    shown.push(item)
  }
  scene.frames = text
    .split(/(?<=[.!?])\s+/, maxSentences)
    .map((sentence) => frameOf(sentence, vocabulary))
    .filter((frame) => frame !== '')
  return shown
}
