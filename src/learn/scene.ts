import type { Conversation, Exchange } from './conversation.js'
import { idOf } from './hash.js'
import type { Vocabulary } from './vocabulary.js'
import { cutNames, findNames } from './vocabulary.js'
import type { ShownForm } from './shown.js'
import { frameOf, readShown } from './shown.js'

/** An item by its name, and what became of it. Steps count exchanges from 0; -1 is the opening. */
export interface Item {
  readonly name: string
  readonly kind: string
  /** The last word of its kind. */
  readonly head: string
  readonly kindId: number
  /** Step of the last answer that names it, and whether it is the first name of its kind there. */
  seen: number
  isFirst: boolean
  /** Whether an answer to an action has named it. */
  isMet: boolean
  /** How often an action named it, and the step of the last time. */
  said: number
  saidAt: number
  /** How the last answer began that came to an action with this name and names it too. */
  frame: string
  frameId: number
  /** The item named by the action whose answer showed this one. */
  place: Item | undefined
  /** What the last answer to an action with this name names. */
}

/** Where a conversation stands, as a learner sees it. It grows with each exchange. */
export interface Scene {
  readonly goal: string
  readonly shown: ReadonlyMap<string, ShownForm>
  readonly items: Map<string, Item>
  /** Of each form of action that was said, how the last answer to it began. */
  readonly usage: Map<string, string>
  /** Commands that were said, with their forms and how the last answer to each began. */
  readonly commands: Map<string, { readonly form: string; readonly frame: string }>
  step: number
  lastForm: string
  lastCommand: string
  /** The names of the last action. */
  lastNames: readonly Item[]
  /** How each sentence of the last answer begins, and of the one before it the first. */
  frames: readonly string[]
  frameBefore: string
}

const maxSentences = 6
const maxItems = 1000

/** The scene before the first action. */
export function openScene(
  { head, goal, opening }: Conversation,
  vocabulary: Vocabulary,
  shown = readShown(head, vocabulary),
): Scene {
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

/** Takes an exchange down. */
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
