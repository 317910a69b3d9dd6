import { spawn } from 'node:child_process'
import { escapeLine, say } from './_lines.js'

/** The program of each platform that opens a file as a double click does, with its first arguments. */
const openers: Partial<Readonly<Record<NodeJS.Platform, readonly [program: string, ...args: string[]]>>> = {
  darwin: ['open'],
  win32: ['explorer'],
}

/** Opens a page in the browser; where nothing can, it says which file to open. */
export function openPage(path: string): Promise<void> {
  const [program, ...args] = openers[process.platform] ?? ['xdg-open']
  const child = spawn(program, [...args, path], { detached: true, stdio: 'ignore' })
  child.unref()
  return new Promise((resolve) => {
    child.once('spawn', resolve)
    child.once('error', () => {
      say(
        `--open: expected ${program} to open the page, but it does not start here. Open ${escapeLine(path)} yourself.`,
      )
      resolve()
    })
  })
}
