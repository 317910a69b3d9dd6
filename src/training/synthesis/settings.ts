import type { Random } from '../../core/random.js'
import { z } from 'zod'
import { packagedData } from '../../files/packaged.js'

/** Where worlds can be: names to choose from, and actions of its own. */
export interface Setting {
  readonly name: string
  /** Words of personas that it suits. */
  readonly words: readonly string[]
  readonly places: readonly string[]
  /** Whether all places are rooms, which one steps into. */
  readonly indoors: boolean
  /** What things stand on. */
  readonly surfaces: readonly string[]
  /** What things are in, and what can be closed. */
  readonly boxes: readonly string[]
  /** What can be carried, without what the works name besides. */
  readonly things: readonly string[]
  /** What opens a locked box. */
  readonly keys: readonly string[]
  readonly works: readonly Work[]
}

/** An action of a setting's own. */
export interface Work {
  /** Where or how it is done: see settings.yaml. */
  readonly kind: 'at' | 'with' | 'ready' | 'join'
  /** What it is done at or with; none in some of `join`. */
  readonly tool?: string
  /** Its template, with the slots `thing`, `base` and `tool` and one for a choice. */
  readonly form: string
  /** What it can be done to; of `join`, what is fitted; of `ready`, the tool. */
  readonly things: readonly string[]
  /** Of `join`: to what they are fitted. */
  readonly bases: readonly string[]
  /** The state that it adds, or removes; none for a choice and for `join`. */
  readonly state?: string
  readonly removes: boolean
  /** The slot of which the value becomes the state, and its values. */
  readonly choice?: { readonly slot: string; readonly values: readonly string[] }
}

const text = z.string().min(1)
const texts = z.array(text).min(1)
const work = z.strictObject({
  kind: z.enum(['at', 'with', 'ready', 'join']),
  tool: text.optional(),
  form: text,
  things: texts.optional(),
  bases: texts.optional(),
  adds: text.optional(),
  removes: text.optional(),
  choose: z.record(text, texts).optional(),
})
const setting = z.strictObject({
  name: text,
  words: texts,
  rooms: texts.optional(),
  places: texts.optional(),
  surfaces: texts,
  boxes: texts,
  things: texts,
  works: z.array(work),
})

const templates = z.strictObject({ become: text, lie: text, both: text, leave: text })

/** The words of made-up worlds; words.yaml says what each list is for. */
export const words = packagedData(
  'src/training/synthesis/words.yaml',
  z.strictObject({
    wordings: z.record(
      z.enum([
        ...(['move', 'enter', 'takeOff', 'takeOut', 'take', 'putOn', 'putInto', 'put'] as const),
        ...(['open', 'close', 'unlock', 'inspect'] as const),
      ]),
      texts,
    ),
    slots: z.record(text, texts),
    keys: texts,
    goals: z.array(templates).min(1),
    thoughts: z.record(z.enum(['steady', 'hasty', 'parameter_error', 'place_error', 'logic_error']), texts),
    mistakenVerbs: texts,
  }),
)

/** A kind of wording of an action. */
export type Wording = keyof ReturnType<typeof words>['wordings']

/** All settings, in the order of settings.yaml. */
export const settings = packagedData(
  'src/training/synthesis/settings.yaml',
  z.array(
    setting.transform(({ rooms, places = rooms!, works, ...names }): Setting => ({
      ...names,
      places,
      indoors: rooms !== undefined,
      keys: words().keys,
      works: works.map(workOf),
    })),
  ),
)

const highest = 4

/** A setting in which every name has a number, as in the household: `pine crate 2`. */
export function withNumbers(setting: Setting, random: Random): Setting {
  const numbered = new Map<string, string>()
  const name = (plain: string): string => {
    const known = numbered.get(plain) ?? `${plain} ${String(1 + random.int(highest))}`
    numbered.set(plain, known)
    return known
  }
  const names = (plain: readonly string[]): readonly string[] => plain.map(name)
  const { places, surfaces, boxes, things, keys, works } = setting
  return {
    ...setting,
    places: names(places),
    surfaces: names(surfaces),
    boxes: names(boxes),
    things: names(things),
    keys: names(keys),
    works: works.map((work) => ({
      ...work,
      ...(work.tool !== undefined && { tool: name(work.tool) }),
      things: names(work.things),
      bases: names(work.bases),
    })),
  }
}

function workOf({ kind, tool, form, things, bases = [], adds, removes, choose }: z.infer<typeof work>): Work {
  const state = adds ?? removes
  const [choice] = Object.entries(choose ?? {}).map(([slot, values]) => ({ slot, values }))
  return {
    kind,
    form,
    ...(tool !== undefined && { tool }),
    things: things ?? [tool!],
    bases,
    ...(state !== undefined && { state }),
    removes: removes !== undefined,
    ...(choice && { choice }),
  }
}
