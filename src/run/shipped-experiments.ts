import { readFileSync, readdirSync, statSync } from 'node:fs'
import { unknownName, usageError } from '../core/errors.js'
import { packagedPath } from '../files/packaged.js'

const folder = 'experiments'

/** The experiments that ship with the package; the first line of each file says what it is. */
export function shippedExperiments(): readonly { readonly name: string; readonly summary: string }[] {
  return names().map((name) => {
    const [first = ''] = readFileSync(pathOf(name), 'utf8').split('\n')
    return { name, summary: first.replace(/^# */, '').replace(/[.:]$/, '') }
  })
}

/**
 * The path of an experiment: a file of the user's, or one that ships with the package, by its name.
 * @throws ShaketableError `usage` for a name that is neither, with the near miss
 */
export function findExperiment(wanted: string): string {
  if (/[./\\]/.test(wanted) || statSync(wanted, { throwIfNoEntry: false })?.isFile() === true) return wanted
  if (names().includes(wanted)) return pathOf(wanted)
  const unknown = unknownName('experiment', wanted, names())
  throw usageError(`${unknown} A file of your own is given by its path, such as ${wanted}.yaml.`)
}

function names(): readonly string[] {
  return readdirSync(packagedPath(folder))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .sort()
}

function pathOf(name: string): string {
  return packagedPath(`${folder}/${name}.yaml`)
}
