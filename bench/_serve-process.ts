import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** A server in a process of its own. */
export interface ServeProcess {
  readonly baseUrl: string
  close(): Promise<void>
}

/** The built command, next to the built benches. */
export const command = fileURLToPath(new URL('../bundle/main.js', import.meta.url))

/** Starts `shaketable serve` with the model `reader` under the name `served`, and waits for its address. */
export async function startServer(...flags: readonly string[]): Promise<ServeProcess> {
  return startProcess(command, 'serve', 'served=reader', ...flags)
}

/** Starts a server that answers at once, or after a delay in milliseconds, and does almost nothing else. */
export async function startFixedServer(latencyMs = 0): Promise<ServeProcess> {
  return startProcess(fileURLToPath(new URL('_fixed-server.js', import.meta.url)), String(latencyMs))
}

async function startProcess(...args: readonly string[]): Promise<ServeProcess> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const baseUrl = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()))
    child.once('exit', (code) => reject(new Error(`the server ended with exit code ${String(code)}`)))
  })
  return {
    baseUrl,
    close: async () => {
      child.kill('SIGINT')
      await exited
    },
  }
}
