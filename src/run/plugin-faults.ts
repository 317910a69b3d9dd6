import { pathToFileURL } from 'node:url'
import { ShaketableError } from '../core/errors.js'

/** What the user wrote for the plug-ins that this thread has loaded, by their files. */
const loaded = new Map<string, string>()

/** Remembers the file, or the folder, of a plug-in. */
export function noteLoaded(file: string, path: string): void {
  loaded.set(file, path)
}

/** The plug-in in whose file a stack trace begins or goes through, as the user wrote it. */
export function pluginOf(stack = ''): string | undefined {
  return [...loaded].find(([file]) => stack.includes(file) || stack.includes(pathToFileURL(file).href))?.[1]
}

/** The error of an exit that was called in the listener's own stack, before the work was done. */
export function exitOf(code: number): Error {
  Error.stackTraceLimit = 200
  const plugin = pluginOf(new Error('exit').stack)
  const what = `called process.exit(${String(code)}) before the work was done`
  if (plugin === undefined) return new Error(`something ${what}`)
  return new ShaketableError('bad-input', `The plug-in ${plugin} ${what}. Throw an error there instead.`)
}
