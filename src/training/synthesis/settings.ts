import type { Random } from '../../core/random.js'
import { z } from 'zod'
import { packagedData } from '../../files/packaged.js'

const text = z.string().min(1)
const texts = z.array(text).min(1).readonly()
/** An action of a setting's own; settings.yaml says what its keys mean. */
const work = z
  .strictObject({
    kind: z.enum(['at', 'with', 'ready', 'join']),
    tool: text.optional(),
    form: text,
    things: texts.optional(),
    bases: texts.default([]),
    adds: text.optional(),
    removes: text.optional(),
    choose: z.record(text, texts).optional(),
  })
  .transform(({ kind, tool, form, things, bases, adds, removes, choose }) => {
    const state = adds ?? removes
    const [choice] = Object.entries(choose ?? {}).map(([slot, values]) => ({ slot, values }))
    return {
      kind,
      form,
      ...(tool !== undefined && { tool }),
      /** What it is done to: what is fitted to `bases`, and of `ready` the tool. */
      things: things ?? [tool!],
      bases,
      /** The state that it adds, or removes; none for a choice and for `join`. */
      ...(state !== undefined && { state }),
      removes: removes !== undefined,
      /** The slot of which the value becomes the state, and its values. */
      ...(choice && { choice }),
    }
  })
/** See {@link work}. */
export type Work = Readonly<z.output<typeof work>>

/** Where worlds can be: names to choose from, and actions of its own. */
const setting = z
  .strictObject({
    name: text,
    words: texts,
    rooms: texts.optional(),
    places: texts.optional(),
    surfaces: texts,
    boxes: texts,
    things: texts,
    works: z.array(work).readonly(),
  })
  .transform(({ rooms, places = rooms!, ...names }) => ({
    ...names,
    places,
    /** Whether all places are rooms, which one steps into. */
    indoors: rooms !== undefined,
    /** What opens a locked box. */
    keys: words().keys,
  }))
/** See {@link setting}. */
export type Setting = Readonly<z.output<typeof setting>>

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
export const settings = packagedData('src/training/synthesis/settings.yaml', z.array(setting))

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
