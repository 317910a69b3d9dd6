import { createHash } from 'node:crypto'
import { closeSync, fstatSync, readSync } from 'node:fs'
import { inflateRawSync } from 'node:zlib'
import { ShaketableError, messageOf } from '../../core/errors.js'
import { openRegular } from '../../files/read-text.js'

/** What a ScienceWorld JAR says of itself. */
export interface Jar {
  readonly path: string
  /** The engine's version, by the manifest; `unknown` where it does not say. */
  readonly version: string
  /** Of the list of its files with their checksums, so that engines of one version can be told apart. */
  readonly hash: string
}

/** The command that fetches the JAR; a wheel is a ZIP file. */
const fetchJar = 'pip download scienceworld --no-deps && python3 -m zipfile -e scienceworld-*.whl .'

/** How to get the JAR, in sentences. */
export const jarAdvice =
  `It is in the Python package 'scienceworld': '${fetchJar}' writes it to scienceworld/scienceworld.jar. ` +
  'Name it by --set scienceworld.jar=scienceworld/scienceworld.jar or in SCIENCEWORLD_JAR.'

/** The classes without which it is not the engine with its gateway. */
const classes = ['py4j/GatewayServer.class', 'scienceworld/runtime/pythonapi/PythonInterface.class']
const manifestName = 'META-INF/MANIFEST.MF'

const maxDirectory = 32 << 20
const maxManifest = 1 << 20

/**
 * Reads the list of files and the manifest of a ScienceWorld JAR.
 * @throws ShaketableError `bad-input` where it is missing, not a ZIP file, or without the engine
 */
export function readJar(path: string): Jar {
  const expected = (why: string, cause?: unknown): ShaketableError =>
    new ShaketableError('bad-input', `${path} is not ScienceWorld's engine: ${why}. ${jarAdvice}`, { cause })
  let file: number | undefined
  try {
    file = openRegular(path)
    const entries = listEntries(file)
    const missing = classes.find((name) => !entries.files.has(name))
    if (missing !== undefined) throw new Error(`it has no file ${missing}`)
    const at = entries.files.get(manifestName)
    const manifest = at === undefined ? '' : extract(file, at)
    const version = /^(?:Specification|Implementation)-Version:[ \t]*([\w.+-]{1,60})/m.exec(manifest)?.[1]
    return { path, version: version ?? 'unknown', hash: entries.hash }
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    throw expected(isMissing ? 'there is no such file' : messageOf(cause), cause)
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/** Where a file is in a ZIP file, and how it is packed. */
interface Entry {
  readonly at: number
  readonly method: number
  readonly packed: number
}

const [endMark, entryMark, localMark] = [0x06054b50, 0x02014b50, 0x04034b50]

/** The central directory of a ZIP file. */
function listEntries(file: number): { readonly files: ReadonlyMap<string, Entry>; readonly hash: string } {
  const { size } = fstatSync(file)
  const tail = readAt(file, Math.max(0, size - 65_557), Math.min(size, 65_557))
  let end = tail.length - 22
  while (end >= 0 && tail.readUInt32LE(end) !== endMark) end--
  if (end < 0) throw new Error('it is not a ZIP file')
  const [length, start] = [tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)]
  if (length > maxDirectory || start + length > size) throw new Error('its list of files is damaged')
  const directory = readAt(file, start, length)
  const files = new Map<string, Entry>()
  const sums: string[] = []
  for (let at = 0; at + 46 <= length && directory.readUInt32LE(at) === entryMark;) {
    const [name = 0, extra = 0, comment = 0] = [28, 30, 32].map((offset) => directory.readUInt16LE(at + offset))
    const text = directory.toString('utf8', at + 46, at + 46 + name)
    files.set(text, {
      method: directory.readUInt16LE(at + 10),
      packed: directory.readUInt32LE(at + 20),
      at: directory.readUInt32LE(at + 42),
    })
    if (text !== manifestName) sums.push(`${text} ${String(directory.readUInt32LE(at + 16))}`)
    at += 46 + name + extra + comment
  }
  return { files, hash: createHash('sha256').update(sums.sort().join('\n')).digest('hex').slice(0, 16) }
}

function extract(file: number, { at, method, packed }: Entry): string {
  const local = readAt(file, at, 30)
  if (packed > maxManifest || local.length < 30 || local.readUInt32LE(0) !== localMark) {
    throw new Error('its manifest is damaged')
  }
  const bytes = readAt(file, at + 30 + local.readUInt16LE(26) + local.readUInt16LE(28), packed)
  return (method === 0 ? bytes : inflateRawSync(bytes, { maxOutputLength: maxManifest })).toString('utf8')
}

function readAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(file, bytes, 0, length, position))
}
