import type { Header } from './header.js'
import { type Memory, type Meter, signed } from './memory.js'
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
export function createObjects(memory: Memory, header: Header, text: Text, meter: Meter, output: Output) {
  /** Version 3 has 31 properties, 32 attributes, and one byte for an object's number. */
  const isSmall = header.version === 3
  const maxProperty = isSmall ? 31 : 63
  const attributeCount = isSmall ? 32 : 48
  const entrySize = isSmall ? 9 : 14
  const firstEntry = header.objects + 2 * maxProperty
  /** The largest number that an object may have in Frotz. */
  const maxObject = isSmall ? 255 : 2000
  /** Offsets in an entry: its links, and the address of its properties. */
  const linkSize = isSmall ? 1 : 2
  const linksAt = attributeCount / 8
  const propertiesAt = linksAt + 3 * linkSize

  function name(object: number): string {
    if (object === 0) return ''
    const table = tableOf(object)
    return memory.byte(table) === 0 ? '' : text.decode(table + 1)
  }

  const parent = (object: number): number => relative(object, 0)
  const sibling = (object: number): number => relative(object, 1)
  const child = (object: number): number => relative(object, 2)

  function hasAttribute(object: number, attribute: number): boolean {
    if (object === 0) return false
    return (memory.byte(attributeByte(object, attribute)) & (0x80 >> (attribute & 7))) !== 0
  }

  function setAttribute(object: number, attribute: number, value: boolean): void {
    if (object === 0) return
    const address = attributeByte(object, attribute)
    const bit = 0x80 >> (attribute & 7)
    const byte = memory.byte(address)
    memory.setByte(address, value ? byte | bit : byte & ~bit)
  }

  /** The numbers of the properties that an object has, in falling order. */
  function properties(object: number): readonly number[] {
    const numbers: number[] = []
    for (let next = nextProperty(object, 0); next !== 0; next = nextProperty(object, next)) {
      if (next >= (numbers.at(-1) ?? Infinity)) meter.fault(`the properties of object ${object} are not in order`)
      numbers.push(next)
    }
    return numbers
  }

  /** The bytes of a property, undefined where the object has none of that number. */
  function property(object: number, property: number): Uint8Array | undefined {
    const address = object === 0 ? undefined : find(object, property)
    return address === undefined ? undefined : memory.bytes.slice(address.address, address.address + address.length)
  }

  /** Takes an object out of its parent (`remove_obj`). */
  function remove(object: number): void {
    const holder = parent(object)
    if (holder === 0) return
    const next = sibling(object)
    let before = child(holder)
    if (before === object) setRelative(holder, 2, next)
    else {
      while (before !== 0 && sibling(before) !== object) {
        meter.spend(1)
        before = sibling(before)
      }
      if (before === 0) meter.fault(`object ${object} is not among the children of its parent ${holder}`)
      setRelative(before, 1, next)
    }
    setRelative(object, 0, 0)
    setRelative(object, 1, 0)
  }

  /** Makes an object the first child of another (`insert_obj`). */
  function insert(object: number, parent: number): void {
    if (object === 0 || parent === 0) return
    remove(object)
    setRelative(object, 0, parent)
    setRelative(object, 1, child(parent))
    setRelative(parent, 2, object)
  }

  /** The value of a property, or the word in the table of default values where the object has none of that number. */
  function propertyValue(object: number, property: number): number {
    if (object === 0) return 0
    const address = find(object, property)
    if (address === undefined) return memory.word(header.objects + 2 * (property - 1))
    return address.length === 1 ? memory.byte(address.address) : memory.word(address.address)
  }

  function setProperty(object: number, property: number, value: number): void {
    if (object === 0) return
    const address = find(object, property)
    if (address === undefined) meter.fault(`object ${object} has no property ${property} that could be changed`)
    else if (address.length === 1) memory.setByte(address.address, value)
    else memory.setWord(address.address, value)
  }

  /** The address of a property's data, or 0. */
  function propertyAddress(object: number, property: number): number {
    return object === 0 ? 0 : (find(object, property)?.address ?? 0)
  }

  /** The length of the property whose data is at an address; 0 for address 0. */
  function propertyLength(address: number): number {
    if (address === 0) return 0
    const size = memory.byte(address - 1)
    if (isSmall) return (size >> 5) + 1
    if ((size & 0x80) === 0) return (size >> 6) + 1
    return (size & 63) === 0 ? 64 : size & 63
  }

  /** The number of the property behind another one, the first for 0; 0 at the end. */
  function nextProperty(object: number, property: number): number {
    if (object === 0) return 0
    let address = firstProperty(object)
    if (property !== 0) {
      const place = find(object, property)
      if (place === undefined) meter.fault(`object ${object} has no property ${property} with a next one`)
      else address = place.address + place.length
    }
    return memory.byte(address) & maxProperty
  }

  function find(object: number, property: number): Property | undefined {
    let address = firstProperty(object)
    for (let visited = 0; visited <= maxProperty; visited++) {
      const size = memory.byte(address)
      const number = size & maxProperty
      if (size === 0 || number < property) return undefined
      address += !isSmall && (size & 0x80) !== 0 ? 2 : 1
      const length = propertyLength(address)
      if (number === property) return { number, address, length }
      address += length
    }
    return meter.fault(`the property table of object ${object} does not end`)
  }

  function firstProperty(object: number): number {
    const table = tableOf(object)
    return table + 1 + 2 * memory.byte(table)
  }

  /** The address of an object's property table. */
  function tableOf(object: number): number {
    return memory.word(entry(object) + propertiesAt)
  }

  function entry(object: number): number {
    if (object > maxObject) illegal(object)
    return firstEntry + (object - 1) * entrySize
  }

  /** Says what Frotz says, which then stops. */
  function illegal(object: number): never {
    output.print(`@Attempt to address illegal object ${signed(object)}.  This is normally fatal.\n`)
    meter.fault(`there is no object ${object}`)
  }

  function attributeByte(object: number, attribute: number): number {
    if (attribute >= attributeCount) meter.fault(`there is no attribute ${attribute}`)
    return entry(object) + (attribute >> 3)
  }

  /** Parent (0), sibling (1) or child (2) of an object. */
  function relative(object: number, which: 0 | 1 | 2): number {
    if (object === 0) return 0
    const address = entry(object) + linksAt + which * linkSize
    return isSmall ? memory.byte(address) : memory.word(address)
  }

  function setRelative(object: number, which: 0 | 1 | 2, value: number): void {
    const address = entry(object) + linksAt + which * linkSize
    if (isSmall) memory.setByte(address, value)
    else memory.setWord(address, value)
  }

  /** A story does not say how many objects it has; their entries end where the first property table begins. */
  function counted(): number {
    let end = memory.size
    let count = 0
    while (count < maxObject && entry(count + 1) + entrySize <= end) {
      const table = tableOf(count + 1)
      if (table > firstEntry) end = Math.min(end, table)
      count++
    }
    return count
  }

  return {
    count: counted(),
    name,
    parent,
    sibling,
    child,
    hasAttribute,
    setAttribute,
    properties,
    property,
    remove,
    insert,
    propertyValue,
    setProperty,
    propertyAddress,
    propertyLength,
    nextProperty,
  }
}

/** See {@link createObjects}. */
export type Objects = ReturnType<typeof createObjects>
