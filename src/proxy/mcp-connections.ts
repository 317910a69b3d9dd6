import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ShaketableError } from '../core/errors.js'
import { describeStart, end as endChild, markName, watch } from '../environments/process/child.js'

/** A longer message ends its connection. */
const maxMessageBytes = 16 << 20
/** The time for a server to exit once its standard input is closed. */
const graceMs = 1000

/** @throws ShaketableError `usage` where the package is not installed */
export async function loadSdk() {
  try {
    return await import('@modelcontextprotocol/sdk/server/stdio.js')
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw thrown
    throw new ShaketableError(
      'usage',
      '--mcp needs the package @modelcontextprotocol/sdk, which is not installed. Install it: npm install @modelcontextprotocol/sdk',
    )
  }
}

type Sdk = Awaited<ReturnType<typeof loadSdk>>

/** The agent at this process's own standard input and output. */
export function connectStdio({ StdioServerTransport }: Sdk): Transport {
  const transport = new StdioServerTransport(process.stdin, process.stdout, { maxBufferSize: maxMessageBytes })
  process.stdin.once('close', () => void transport.close())
  process.stdin.once('end', () => void transport.close())
  return transport
}

/**
 * Starts a server as a child process. Its standard error is passed on; it ends with its connection, and with this
 * process however that ends.
 * @param argv the program and its arguments
 * @throws ShaketableError `usage` where it cannot be started
 */
export async function startServer(
  { StdioServerTransport }: Sdk,
  [program, ...rest]: readonly [string, ...string[]],
): Promise<Transport> {
  const mark = randomUUID()
  const child = spawn(program, rest, {
    stdio: 'pipe',
    // A process group of its own, so that Ctrl-C reaches it as the end of its input.
    detached: process.platform !== 'win32',
    windowsHide: true,
    env: { ...process.env, [markName]: mark },
  })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', () => resolve())
    child.once('error', (error) => reject(describeStart(program, error, '--mcp')))
  })
  const watcher = watch(child.pid!, { mark })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.stderr.pipe(process.stderr, { end: false })
  child.stdin.on('error', () => undefined)
  const transport = new StdioServerTransport(child.stdout, child.stdin, { maxBufferSize: maxMessageBytes })
  const close = transport.close.bind(transport)
  transport.close = async () => {
    const timer = setTimeout(() => endChild({ process: child, watch: watcher }), graceMs)
    child.stdin.end()
    await gone
    clearTimeout(timer)
    endChild({ process: child, watch: watcher })
    await close()
  }
  // Processes that the server started can keep its output open.
  child.once('close', () => void close())
  child.once('exit', () => setTimeout(() => void close(), graceMs).unref())
  return transport
}
