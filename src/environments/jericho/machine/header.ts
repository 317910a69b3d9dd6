import { ShaketableError } from '../../../core/errors.js'

/** The versions of stories that can be played. */
type StoryVersion = 3 | 4 | 5 | 8

/** What the first 64 bytes of a story say about it (section 11 of the standard). Addresses are byte addresses. */
export interface Header {
  readonly version: StoryVersion
  readonly release: number
  /** Six characters, usually the date of compilation: `840726`. */
  readonly serial: string
  readonly checksum: number
  /** The length of the story in bytes; that of the file where the header does not say. */
  readonly length: number
  /** Where execution begins. */
  readonly start: number
  readonly dictionary: number
  readonly objects: number
  readonly globals: number
  readonly abbreviations: number
  /** Where memory that the story cannot change begins; stories of Inform and Infocom have their grammar table here. */
  readonly staticMemory: number
  /** A table of three alphabets of the story's own (version 5 and later), or 0. */
  readonly alphabets: number
  /** A table of Unicode characters of the story's own (version 5 and later), or 0. */
  readonly unicode: number
}

/** How many bytes one unit of a packed address stands for, and of the length in the header (section 1.2.3). */
export const packedUnit: Readonly<Record<StoryVersion, number>> = { 3: 2, 4: 4, 5: 4, 8: 8 }

const maxSize: Readonly<Record<StoryVersion, number>> = { 3: 1 << 17, 4: 1 << 18, 5: 1 << 18, 8: 1 << 19 }
const headerSize = 64
const globalBytes = 480

/**
 * Reads and checks the header of a story file. What stands behind the length that it states is no part of the story.
 * Throws a ShaketableError (`bad-input`) where the bytes are not a story of a version that can be played, where the
 * file is shorter than its header states, or where a table that every story needs lies outside of it.
 */
export function readHeader(file: Uint8Array): Header {
  if (file.length < headerSize) refuse(`a file of ${file.length} bytes`)
  const version = file[0]!
  if (version !== 3 && version !== 4 && version !== 5 && version !== 8) refuse(`a file that begins with ${version}`)
  const stated = ((file[0x1a]! << 8) | file[0x1b]!) * packedUnit[version]
  const story = stated === 0 ? file : file.subarray(0, stated)
  const { length } = story
  if (length < stated) refuse(`a file of ${length} bytes whose header says that it has ${stated}`)
  if (length > maxSize[version]) refuse(`a file of ${length} bytes, too long for version ${version}`)
  const word = (address: number): number => ((story[address] ?? 0) << 8) | (story[address + 1] ?? 0)
  const extension = version >= 5 ? word(0x36) : 0
  const header: Header = {
    version,
    release: word(2),
    serial: String.fromCharCode(...story.subarray(0x12, 0x18)).replace(/[^ -~]/g, '?'),
    checksum: word(0x1c),
    length,
    start: word(6),
    dictionary: word(8),
    objects: word(0x0a),
    globals: word(0x0c),
    abbreviations: word(0x18),
    staticMemory: word(0x0e),
    alphabets: version >= 5 ? word(0x34) : 0,
    unicode: extension !== 0 && word(extension) >= 3 ? word(extension + 6) : 0,
  }
  const { start, dictionary, objects, globals, staticMemory } = header
  const inside: readonly (readonly [string, number, number])[] = [
    ['first instruction', start, 1],
    ['dictionary', dictionary, 1],
    ['object table', objects, 1],
    ['table of global variables', globals, globalBytes],
    ['static memory', staticMemory, 0],
    ['alphabet table', header.alphabets, 78],
    ['Unicode table', header.unicode, 1 + 2 * (story[header.unicode] ?? 0)],
  ]
  for (const [what, address, bytes] of inside) {
    if (address + bytes > length) refuse(`a file whose ${what} at ${address} lies beyond its end`)
  }
  if (staticMemory < headerSize) refuse(`a file whose static memory begins at ${staticMemory}, inside its header`)
  return header
}

/** The sum of all bytes behind the header, which a story can compare with the one in its header. */
export function checksumOf(story: Uint8Array): number {
  let sum = 0
  for (let address = headerSize; address < story.length; address++) sum += story[address]!
  return sum & 0xffff
}

/**
 * Writes what a story may ask about its interpreter (section 11.1), as Jericho's Frotz does: a screen of 232 lines of
 * 128 characters, the standard 1.0, and neither undo, pictures, sounds nor a mouse. Timed input is announced, and its
 * time never runs out.
 */
export function describeInterpreter(bytes: Uint8Array, version: StoryVersion): void {
  bytes[1]! |= version === 3 ? 0x20 : 0x80
  bytes[0x32] = 1
  bytes[0x33] = 0
  if (version === 3) bytes[0x11]! &= ~0x18
  else bytes.set([1, 'F'.charCodeAt(0), 232, 128], 0x1e)
  if (version < 5) return
  bytes[0x10]! &= ~0x01
  bytes[0x11]! &= ~0xb8
  bytes.set([0, 128, 0, 232, 1, 1], 0x22)
}

function refuse(what: string): never {
  throw new ShaketableError(
    'bad-input',
    `Expected a Z-machine story of version 3, 4, 5 or 8 (a file such as zork1.z3), got ${what}. ` +
      'Give an uncompressed story file, complete as it was published.',
  )
}
