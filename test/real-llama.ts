import { type ChildProcess, spawn } from 'node:child_process'
import { type AddressInfo, createServer } from 'node:net'
import { basename } from 'node:path'

const { LLAMA_SERVER: binary = '', LLAMA_MODEL: file = '' } = process.env

/** Whether a llama.cpp server is available: LLAMA_SERVER names its binary and LLAMA_MODEL a model file. */
export const realLlama = binary !== '' && file !== ''

/** Starts a server of llama.cpp with one slot. @param context tokens of prompt and reply together */
export async function startRealLlama(context: number) {
  const port = await freePort()
  const args = ['-m', file, '--port', String(port), '-c', String(context), '--parallel', '1', '--no-webui', '--jinja']
  const child = spawn(binary, args, { stdio: 'ignore' })
  const origin = `http://127.0.0.1:${String(port)}`
  await untilHealthy(`${origin}/health`, child)
  return {
    baseUrl: `${origin}/v1`,
    model: basename(file),
    close: async () => {
      const gone = new Promise((resolve) => child.once('exit', resolve))
      child.kill()
      await gone
    },
  }
}

/** A port of the loopback interface that nothing listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo
      probe.close(() => resolve(port))
    })
  })
}

async function untilHealthy(address: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < 1000 && child.exitCode === null && child.signalCode === null; tries++) {
    const answer = await fetch(address).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new Error(
    `${binary} with ${file} never became healthy (it ended with ${String(child.exitCode ?? child.signalCode)})`,
  )
}
