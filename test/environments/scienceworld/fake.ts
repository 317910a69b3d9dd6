import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { crc32 } from 'node:zlib'
import { readJsonLines } from '../../shared-data.js'

const fixture = (name: string): string => fileURLToPath(new URL(`../../fixtures/scienceworld/${name}`, import.meta.url))

/** Stands for the program `java`. */
export const fakeJava = fixture('java.cjs')

export interface Recording {
  readonly task: string
  readonly variation: number
  readonly simplification: string
  readonly taskDescription: string
  readonly inventory: string
  readonly steps: readonly {
    readonly action: string
    readonly kind: string
    readonly observation: string
    readonly score: number
    readonly completed: boolean
  }[]
}

export const readRecordings = (path = fixture('recordings.jsonl')): readonly Recording[] => readJsonLines(path)

export interface FakeJar {
  /** A file of recordings; default: those of the fixtures. */
  readonly recordings?: string
  /** How the engine misbehaves: `die look around`. */
  readonly mode?: string
}

/** Writes a JAR whose engine is {@link fakeJava} with recordings. */
export function makeJar(folder: string, { recordings = fixture('recordings.jsonl'), mode = '' }: FakeJar = {}): string {
  const files = {
    'META-INF/MANIFEST.MF': 'Manifest-Version: 1.0\r\nSpecification-Version: 1.3.0\r\n',
    'py4j/GatewayServer.class': '',
    'scienceworld/runtime/pythonapi/PythonInterface.class': '',
    'recordings.jsonl': readFileSync(recordings, 'utf8'),
    mode,
  }
  const path = join(mkdtempSync(join(folder, 'jar-')), 'scienceworld.jar')
  writeFileSync(path, zip(Object.entries(files)))
  return path
}

/** A ZIP archive without compression. */
function zip(files: readonly (readonly [name: string, text: string])[]): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let at = 0
  for (const [name, text] of files) {
    const [title, body] = [Buffer.from(name), Buffer.from(text)]
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt32LE(crc32(body), 10)
    common.writeUInt32LE(body.length, 14)
    common.writeUInt32LE(body.length, 18)
    common.writeUInt16LE(title.length, 22)
    const entry = Buffer.alloc(14)
    entry.writeUInt32LE(at, 10)
    parts.push(Buffer.from('PK\x03\x04'), common, title, body)
    directory.push(Buffer.from('PK\x01\x02'), Buffer.from([20, 0]), common, entry, title)
    at += 30 + title.length + body.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(files.length, 4)
  end.writeUInt16LE(files.length, 6)
  end.writeUInt32LE(list.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...parts, list, Buffer.from('PK\x05\x06'), end])
}
