import { createHash } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { ShaketableError, messageOf } from '../../core/errors.js'
import { readRegular } from '../../files/read-text.js'

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

const maxBytes = 256 << 20

/**
 * Reads the list of files and the manifest of a ScienceWorld JAR.
 * @throws ShaketableError `bad-input` where it is missing, not a ZIP file, or without the engine
 */
export function readJar(path: string): Jar {
  try {
    const file = readRegular(path, maxBytes)
    const { places, hash } = listFiles(file)
    const missing = classes.find((name) => !places.has(name))
    if (missing !== undefined) throw new Error(`it has no file ${missing}`)
    const place = places.get(manifestName)
    const manifest = place === undefined ? '' : readPacked(file, place)
    const version = /^(?:Specification|Implementation)-Version:[ \t]*([\w.+-]{1,60})/m.exec(manifest)?.[1]
    return { path, version: version ?? 'unknown', hash }
  } catch (cause) {
    const isMissing = (cause as NodeJS.ErrnoException).code === 'ENOENT'
    const why =
      cause instanceof RangeError ? 'it is no ZIP file' : isMissing ? 'there is no such file' : messageOf(cause)
    throw new ShaketableError('bad-input', `${path} is not ScienceWorld's engine: ${why}. ${jarAdvice}`, { cause })
  }
}

/** Where each file of a ZIP file begins, by its list of files. @throws RangeError for another file */
function listFiles(file: Buffer): { readonly places: ReadonlyMap<string, number>; readonly hash: string } {
  const places = new Map<string, number>()
  const sums: string[] = []
  let at = file.readUInt32LE(file.lastIndexOf('PK\x05\x06') + 16)
  while (file.toString('latin1', at, at + 4) === 'PK\x01\x02') {
    const [name = 0, extra = 0, comment = 0] = [28, 30, 32].map((offset) => file.readUInt16LE(at + offset))
    const text = file.toString('utf8', at + 46, at + 46 + name)
    places.set(text, file.readUInt32LE(at + 42))
    if (text !== manifestName) sums.push(`${text} ${String(file.readUInt32LE(at + 16))}`)
    at += 46 + name + extra + comment
  }
  return { places, hash: createHash('sha256').update(sums.sort().join('\n')).digest('hex').slice(0, 16) }
}

/** The text of a file of a ZIP file. What is packed says itself where it ends. */
function readPacked(file: Buffer, at: number): string {
  const begin = at + 30 + file.readUInt16LE(at + 26) + file.readUInt16LE(at + 28)
  if (file.readUInt16LE(at + 8) === 0) return file.toString('utf8', begin, begin + file.readUInt32LE(at + 22))
  return inflateRawSync(file.subarray(begin), { maxOutputLength: 1 << 20 }).toString('utf8')
}
