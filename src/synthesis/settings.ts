import type { Random } from '../core/random.js'
import { settingTable } from './setting-table.js'
import { keyNames } from './wordings.js'

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
  /** Where or how it is done: see {@link settingTable}. */
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

/** All settings, in the order of the table. */
export const settings: readonly Setting[] = settingTable.trim().split('\n\n').map(readSetting)

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

function readSetting(block: string): Setting {
  const [[name, words], [places, placeNames], [, surfaces], [, boxes], [, things], ...works] = block
    .split('\n')
    .map((line) => line.split(/: (.*)/)) as [string, string][] & Record<0 | 1 | 2 | 3 | 4, [string, string]>
  return {
    name,
    words: listOf(words),
    places: listOf(placeNames),
    indoors: places === 'rooms',
    surfaces: listOf(surfaces),
    boxes: listOf(boxes),
    things: listOf(things),
    keys: keyNames,
    works: works.map(([head, row]) => readWork(head, row)),
  }
}

function readWork(head: string, row: string): Work {
  const [kind, tool] = head.split(/ (.*)/) as [Work['kind'], string?]
  const [form, ...fields] = row.split(' / ') as [string, ...string[]]
  const done = { kind, form, ...(tool !== undefined && { tool }) }
  if (kind === 'join') return { ...done, things: listOf(fields[0]!), bases: listOf(fields[1]!), removes: false }
  const things = kind === 'ready' ? [tool!] : listOf(fields[0]!)
  const result = fields.at(-1)!
  const [, slot, values] = /^\{(\w+)\} (.*)$/.exec(result) ?? []
  if (slot !== undefined) {
    return { ...done, things, bases: [], removes: false, choice: { slot, values: listOf(values!) } }
  }
  return { ...done, things, bases: [], state: result.replace(/^not /, ''), removes: result.startsWith('not ') }
}

function listOf(text: string): readonly string[] {
  return text.split(', ')
}
