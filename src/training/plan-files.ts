import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs'
import { basename, join, sep } from 'node:path'
import { ShaketableError } from '../core/errors.js'

/** One file to filter, and the path of its output. */
export interface PlannedFile {
  readonly path: string
  /** File name without folders. */
  readonly name: string
  readonly output?: string
}

/** The files to filter and the files to write. */
export interface FilePlan {
  readonly files: readonly PlannedFile[]
  /** Folder to create, if the output is a folder. */
  readonly folder?: string
  readonly manifest?: string
}

/** Name of the manifest in a folder of filtered files; never read as data. */
const manifestName = 'filter-manifest.json'

/**
 * Plans inputs and outputs: one file goes to a file; several files, or those of a folder, go to a folder under their
 * own names.
 * @param out absent if nothing is to be written
 * @throws ShaketableError `bad-input` for missing data, `usage` for two files of the same name and for an output that
 * is also an input
 */
export function planFiles(data: readonly string[], out: string | undefined, manifest: string | undefined): FilePlan {
  const paths = data.flatMap(filesAt)
  const toFolder = out !== undefined && (paths.length > 1 || data.some(isFolder) || isFolder(out) || /[\\/]$/.test(out))
  const files = paths.map((path): PlannedFile => {
    const name = basename(path)
    return { path, name, ...(out !== undefined && { output: toFolder ? join(out, name) : out }) }
  })
  const duplicate = files.find(({ name }, index) => files.findIndex((other) => other.name === name) !== index)
  if (duplicate !== undefined) {
    throw new ShaketableError(
      'usage',
      `Expected files of different names, got ${duplicate.name} twice. Filter one of them alone.`,
    )
  }
  const defaultManifest = out === undefined ? undefined : toFolder ? join(out, manifestName) : `${out}.manifest.json`
  const manifestPath = manifest ?? defaultManifest
  for (const place of [...files.map(({ output }) => output), manifestPath]) {
    const same = files.find(({ path }) => place !== undefined && isSame(place, path))
    if (same === undefined) continue
    throw new ShaketableError(
      'usage',
      `${same.path} would be overwritten by what is made of it. Give --out another path.`,
    )
  }
  if (manifestPath !== undefined && files.some(({ output }) => output === manifestPath)) {
    throw new ShaketableError('usage', `--manifest and --out are both ${manifestPath}. Give one of them another path.`)
  }
  return { files, ...(toFolder && { folder: out }), ...(manifestPath !== undefined && { manifest: manifestPath }) }
}

function filesAt(path: string): string[] {
  if (!existsSync(path)) {
    throw new ShaketableError(
      'bad-input',
      `Expected training data at ${path}, but there is nothing of that name. Check the path.`,
    )
  }
  if (!isFolder(path)) return [path]
  const names = readdirSync(path)
    .filter((name) => /\.(json|jsonl|ndjson)$/i.test(name) && name !== manifestName && !name.endsWith('.manifest.json'))
    .sort()
  if (names.length > 0) return names.map((name) => join(path, name))
  throw new ShaketableError(
    'bad-input',
    `Expected files of training data in ${path}${sep}, but none there ends in .json or .jsonl.`,
  )
}

function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory()
}

function isSame(one: string, other: string): boolean {
  return existsSync(one) && existsSync(other) && realpathSync(one) === realpathSync(other)
}
