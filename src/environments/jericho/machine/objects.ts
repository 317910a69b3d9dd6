import type { Header } from './header.js'
import type { Memory, Meter } from './memory.js'
import { signed } from './memory.js'
import type { Output } from './output.js'
import type { Text } from './text.js'

/** The object tree for reading. */
export type ObjectTree = Pick<
  Objects,
  'count' | 'name' | 'parent' | 'sibling' | 'child' | 'hasAttribute' | 'properties' | 'property'
>

/** Where a property's data is. */
interface Property {
  readonly number: number
  readonly address: number
  readonly length: number
}

/**
 * The table of objects (section 12 of the standard), numbered from 1. Object 0 is no object: asking it answers 0,
 * changing it changes nothing, as interpreters do since stories rely on it.
 */
export class Objects {
  /** The number of objects, counted up to the first property table. */
  readonly count: number
  readonly #memory: Memory
  readonly #text: Text
  readonly #meter: Meter
  readonly #output: Output
  /** Version 3 has 31 properties, 32 attributes, and one byte for an object's number. */
  readonly #small: boolean
  readonly #defaults: number
  readonly #first: number
  readonly #entrySize: number
  readonly #attributeCount: number
  /** The largest number that an object may have in Frotz. */
  readonly #maxObject: number
  /** An attribute that the story changes although there is none. */
  readonly #ignored: number
  /** Offsets in an entry. */
  readonly #parent: number
  readonly #link: number

  constructor(memory: Memory, header: Header, text: Text, meter: Meter, output: Output) {
    this.#memory = memory
    this.#text = text
    this.#meter = meter
    this.#output = output
    this.#small = header.version === 3
    this.#defaults = header.objects
    this.#first = header.objects + 2 * this.#maxProperty
    this.#entrySize = this.#small ? 9 : 14
    this.#maxObject = this.#small ? 255 : 2000
    this.#attributeCount = this.#small ? 32 : 48
    this.#ignored = isSherlock(header) ? 48 : -1
    this.#parent = this.#attributeCount / 8
    this.#link = this.#small ? 1 : 2
    this.count = this.#counted()
  }

  get #maxProperty(): number {
    return this.#small ? 31 : 63
  }

  name(object: number): string {
    if (object === 0) return ''
    const table = this.#properties(object)
    return this.#memory.byte(table) === 0 ? '' : this.#text.decode(table + 1)
  }

  parent(object: number): number {
    return this.#relative(object, 0)
  }

  sibling(object: number): number {
    return this.#relative(object, 1)
  }

  child(object: number): number {
    return this.#relative(object, 2)
  }

  hasAttribute(object: number, attribute: number): boolean {
    if (object === 0) return false
    return (this.#memory.byte(this.#attributeByte(object, attribute)) & (0x80 >> (attribute & 7))) !== 0
  }

  setAttribute(object: number, attribute: number, value: boolean): void {
    if (object === 0 || attribute === this.#ignored) return
    const address = this.#attributeByte(object, attribute)
    const bit = 0x80 >> (attribute & 7)
    const byte = this.#memory.byte(address)
    this.#memory.setByte(address, value ? byte | bit : byte & ~bit)
  }

  /** The numbers of the properties that an object has, in falling order. */
  properties(object: number): readonly number[] {
    const numbers: number[] = []
    for (let next = this.nextProperty(object, 0); next !== 0; next = this.nextProperty(object, next)) {
      if (next >= (numbers.at(-1) ?? Infinity)) this.#meter.fault(`the properties of object ${object} are not in order`)
      numbers.push(next)
    }
    return numbers
  }

  /** The bytes of a property, undefined where the object has none of that number. */
  property(object: number, property: number): Uint8Array | undefined {
    const found = object === 0 ? undefined : this.#find(object, property)
    return found === undefined ? undefined : this.#memory.bytes.slice(found.address, found.address + found.length)
  }

  /** Takes an object out of its parent (`remove_obj`). */
  remove(object: number): void {
    const parent = this.parent(object)
    if (parent === 0) return
    const next = this.sibling(object)
    let before = this.child(parent)
    if (before === object) this.#setRelative(parent, 2, next)
    else {
      while (before !== 0 && this.sibling(before) !== object) {
        this.#meter.spend(1)
        before = this.sibling(before)
      }
      if (before === 0) this.#meter.fault(`object ${object} is not among the children of its parent ${parent}`)
      this.#setRelative(before, 1, next)
    }
    this.#setRelative(object, 0, 0)
    this.#setRelative(object, 1, 0)
  }

  /** Makes an object the first child of another (`insert_obj`). */
  insert(object: number, parent: number): void {
    if (object === 0 || parent === 0) return
    this.remove(object)
    this.#setRelative(object, 0, parent)
    this.#setRelative(object, 1, this.child(parent))
    this.#setRelative(parent, 2, object)
  }

  /** The value of a property, or the word in the table of default values where the object has none of that number. */
  propertyValue(object: number, property: number): number {
    if (object === 0) return 0
    const found = this.#find(object, property)
    if (found === undefined) return this.#memory.word(this.#defaults + 2 * (property - 1))
    return found.length === 1 ? this.#memory.byte(found.address) : this.#memory.word(found.address)
  }

  setProperty(object: number, property: number, value: number): void {
    if (object === 0) return
    const found = this.#find(object, property)
    if (found === undefined) this.#meter.fault(`object ${object} has no property ${property} that could be changed`)
    else if (found.length === 1) this.#memory.setByte(found.address, value)
    else this.#memory.setWord(found.address, value)
  }

  /** The address of a property's data, or 0. */
  propertyAddress(object: number, property: number): number {
    return object === 0 ? 0 : (this.#find(object, property)?.address ?? 0)
  }

  /** The length of the property whose data is at an address; 0 for address 0. */
  propertyLength(address: number): number {
    if (address === 0) return 0
    const size = this.#memory.byte(address - 1)
    if (this.#small) return (size >> 5) + 1
    if ((size & 0x80) === 0) return (size >> 6) + 1
    return (size & 63) === 0 ? 64 : size & 63
  }

  /** The number of the property behind another one, the first for 0; 0 at the end. */
  nextProperty(object: number, property: number): number {
    if (object === 0) return 0
    let address = this.#firstProperty(object)
    if (property !== 0) {
      const found = this.#find(object, property)
      if (found === undefined) this.#meter.fault(`object ${object} has no property ${property} with a next one`)
      else address = found.address + found.length
    }
    return this.#memory.byte(address) & this.#maxProperty
  }

  #find(object: number, property: number): Property | undefined {
    let address = this.#firstProperty(object)
    for (let visited = 0; visited <= this.#maxProperty; visited++) {
      const size = this.#memory.byte(address)
      const number = size & this.#maxProperty
      if (size === 0 || number < property) return undefined
      address += !this.#small && (size & 0x80) !== 0 ? 2 : 1
      const length = this.propertyLength(address)
      if (number === property) return { number, address, length }
      address += length
    }
    return this.#meter.fault(`the property table of object ${object} does not end`)
  }

  #firstProperty(object: number): number {
    const table = this.#properties(object)
    return table + 1 + 2 * this.#memory.byte(table)
  }

  /** The address of an object's property table. */
  #properties(object: number): number {
    return this.#memory.word(this.#entry(object) + this.#parent + 3 * this.#link)
  }

  #entry(object: number): number {
    if (object > this.#maxObject) this.#illegal(object)
    return this.#first + (object - 1) * this.#entrySize
  }

  /** Says what Frotz says, which then stops. */
  #illegal(object: number): never {
    this.#output.print(`@Attempt to address illegal object ${signed(object)}.  This is normally fatal.\n`)
    this.#meter.fault(`there is no object ${object}`)
  }

  #attributeByte(object: number, attribute: number): number {
    if (attribute >= this.#attributeCount) this.#meter.fault(`there is no attribute ${attribute}`)
    return this.#entry(object) + (attribute >> 3)
  }

  /** Parent (0), sibling (1) or child (2) of an object. */
  #relative(object: number, which: 0 | 1 | 2): number {
    if (object === 0) return 0
    const address = this.#entry(object) + this.#parent + which * this.#link
    return this.#small ? this.#memory.byte(address) : this.#memory.word(address)
  }

  #setRelative(object: number, which: 0 | 1 | 2, value: number): void {
    const address = this.#entry(object) + this.#parent + which * this.#link
    if (this.#small) this.#memory.setByte(address, value)
    else this.#memory.setWord(address, value)
  }

  /** A story does not say how many objects it has; their entries end where the first property table begins. */
  #counted(): number {
    let end = this.#memory.size
    let count = 0
    while (count < this.#maxObject && this.#entry(count + 1) + this.#entrySize <= end) {
      const table = this.#properties(count + 1)
      if (table > this.#first) end = Math.min(end, table)
      count++
    }
    return count
  }
}

/** The two releases of Infocom's Sherlock, whose attribute 48 Frotz lets pass. */
function isSherlock({ release, serial }: Header): boolean {
  return (release === 21 && serial === '871214') || (release === 26 && serial === '880127')
}
