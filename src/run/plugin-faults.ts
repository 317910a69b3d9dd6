import { pathToFileURL } from 'node:url'

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
