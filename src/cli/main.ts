#!/usr/bin/env node
import { ReadStream, WriteStream, isatty } from 'node:tty'
import { SHARE_ENV, Worker, isMainThread, parentPort } from 'node:worker_threads'
import { asWriteError, tooFewFiles } from '../files/write-error.js'
import { leave } from './_signals.js'

/*
 * Commands run in a thread of their own, and the main thread handles signals: Ctrl-C then ends even a command in an
 * endless loop, such as in a hook of a plug-in.
 */

/** How long a command may take to react to a first and to a second signal before it is ended. */
const answerMs = 5000
const endMs = 1000
/** A thread in a system call cannot be ended; after this time the signal ends the process itself. */
const terminateMs = 500

const exitInterrupted = 130
const exitUnexpected = 70
/** Too few files may be open. */
const exitUsage = 2

/** A message to the main thread: standard input is wanted or was read, or a signal was handled or not. */
type Message = 'stdin' | 'read' | 'handled' | 'unhandled'

/** A message to the thread: the new size of the window. Other messages to it are signals. */
interface Size {
  readonly columns: number
  readonly rows: number
}

const stopSignals = ['SIGINT', 'SIGTERM'] as const

/** Commands that are quick, only wait, or are servers, and need no thread. */
const unthreaded = ['serve', 'proxy', 'worker', 'queue', 'list', 'init', 'help']

async function start(): Promise<void> {
  // A reader that closes its end, such as `head`, is not an error.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') leave(Number(process.exitCode ?? 0))
      const name = stream === process.stdout ? 'standard output' : 'standard error'
      void import('./commands.js').then(({ explain }) => {
        leave(explain(asWriteError(error, name, 'Send it elsewhere')))
      })
    })
  }
  const args = process.argv.slice(2)
  const [first = 'help'] = args
  const hasPlugins = args.some((arg) => arg.startsWith('--plugin'))
  if (first.startsWith('-') || (unthreaded.includes(first) && !hasPlugins) || args.includes('--help'))
    await performHere(args)
  else supervise(args)
}

async function performHere(args: readonly string[]): Promise<void> {
  const { perform } = await import('./commands.js')
  await perform(args)
}

/** Runs a command in a thread, forwards signals to it, and ends it if it does not react. */
function supervise(args: readonly string[]): void {
  const thread = new Worker(new URL(import.meta.url), { argv: [...args], env: SHARE_ENV, stdin: !isatty(0) })
  let last: NodeJS.Signals | undefined
  let timer: NodeJS.Timeout | undefined
  let input: NodeJS.ReadStream | undefined
  const leave = async (signal: NodeJS.Signals, sentence: string): Promise<void> => {
    clearTimeout(timer)
    process.removeAllListeners(signal)
    process.stderr.write(`${sentence}\n`)
    setTimeout(() => process.kill(process.pid, signal), terminateMs)
    await thread.terminate()
    process.exit(exitInterrupted)
  }
  const onSignal = (signal: NodeJS.Signals): void => {
    clearTimeout(timer)
    const sentence = 'Ended at once, since the command did not react. What is written is kept.'
    timer = setTimeout(() => void leave(signal, sentence), last === undefined ? answerMs : endMs)
    thread.postMessage((last = signal))
  }
  const resize = (): void => {
    const { columns, rows } = process.stdout.isTTY ? process.stdout : process.stderr
    thread.postMessage({ columns, rows } satisfies Size)
  }
  for (const signal of stopSignals) process.on(signal, onSignal)
  process.on('SIGWINCH', resize)
  thread.on('message', (message: Message) => {
    if (message === 'stdin') (input = process.stdin).pipe(thread.stdin!)
    if (message === 'read') {
      input?.unpipe()
      thread.stdin!.end()
    }
    if (message === 'handled') clearTimeout(timer)
    if (message === 'unhandled') void leave(last!, 'Interrupted.')
  })
  thread.on('error', (thrown) => {
    const tooFew = tooFewFiles(thrown)
    process.stderr.write(`${tooFew ?? `Unexpected error: ${thrown.message}.`}\n`)
    process.exitCode = tooFew === undefined ? exitUnexpected : exitUsage
  })
  thread.on('exit', (code) => {
    clearTimeout(timer)
    process.exitCode ??= code
    input?.destroy()
    for (const signal of stopSignals) process.off(signal, onSignal)
    process.off('SIGWINCH', resize)
  })
}

/** Runs the command in this thread with the terminal, if any, that the main thread has. */
async function work(): Promise<void> {
  const streams = [
    ['stdout', 1],
    ['stderr', 2],
  ] as const
  const screens = streams
    .filter(([, descriptor]) => isatty(descriptor))
    .map(([name, descriptor]) => {
      const value = new WriteStream(descriptor)
      Object.defineProperty(process, name, { value, configurable: true })
      return value
    })
  const { stdin: piped } = process
  let stdin: NodeJS.ReadStream | undefined
  const openStdin = (): NodeJS.ReadStream => {
    if (isatty(0)) return new ReadStream(0)
    parentPort!.postMessage('stdin' satisfies Message)
    return piped
  }
  Object.defineProperty(process, 'stdin', { get: () => (stdin ??= openStdin()), configurable: true })
  parentPort!.on('message', (signal: NodeJS.Signals | Size) => {
    // A terminal that is opened in a thread does not notice that its window changes.
    if (typeof signal === 'object') for (const screen of screens) Object.assign(screen, signal)
    else parentPort!.postMessage((process.emit(signal) ? 'handled' : 'unhandled') satisfies Message)
  })
  parentPort!.unref()
  await performHere(process.argv.slice(2))
  if (stdin !== piped) return
  // A pipe that is still open would keep this thread waiting for more of it.
  parentPort!.postMessage('read' satisfies Message)
  piped.resume()
}

await (isMainThread ? start() : work())
