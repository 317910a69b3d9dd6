#!/usr/bin/env node
import { ReadStream, WriteStream, isatty } from 'node:tty'
import { SHARE_ENV, Worker, isMainThread, parentPort } from 'node:worker_threads'
import { asWriteError, tooFewFiles } from '../files/write-error.js'
import { exits, leave } from './_signals.js'

/*
 * Commands run in a thread of their own, and the main thread handles signals: Ctrl-C then ends even a command in an
 * endless loop, such as in a hook of a plug-in.
 */

/** How long a command may take to react to a first and to a second signal before it is ended. */
const answerMs = 5000
const endMs = 1000
/** A thread in a system call cannot be ended; after this time the signal ends the process itself. */
const terminateMs = 500

/** What the thread says: whether the last signal was handled, or that the command is done. */
type Message = 'handled' | 'unhandled' | 'done'

/** The size of the window; other messages to the thread are signals. */
type Size = readonly [columns: number, rows: number]

const stopSignals = ['SIGINT', 'SIGTERM'] as const

/** Commands that are quick, only wait, or are servers, and need no thread. */
const unthreaded = ['serve', 'proxy', 'worker', 'queue', 'list', 'init', 'help']

async function start(): Promise<void> {
  // A reader that closes its end, such as `head`, is not an error.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') leave(Number(process.exitCode ?? 0))
      const name = stream === process.stdout ? 'standard output' : 'standard error'
      void import('./commands.js').then(({ explain }) => leave(explain(asWriteError(error, name, 'Send it elsewhere'))))
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
  const thread = new Worker(new URL(import.meta.url), { argv: [...args], env: SHARE_ENV, stdin: true })
  const readsInput = args[0] === 'play' && !isatty(0)
  if (readsInput) process.stdin.pipe(thread.stdin!)
  else thread.stdin!.end()
  let last: NodeJS.Signals | undefined
  let timer: NodeJS.Timeout | undefined
  const end = async (signal: NodeJS.Signals, sentence: string): Promise<void> => {
    clearTimeout(timer)
    process.removeAllListeners(signal)
    process.stderr.write(`${sentence}\n`)
    setTimeout(() => process.kill(process.pid, signal), terminateMs)
    await thread.terminate()
    process.exit(exits.interrupted)
  }
  const onSignal = (signal: NodeJS.Signals): void => {
    clearTimeout(timer)
    const sentence = 'Ended at once, since the command did not react. What is written is kept.'
    timer = setTimeout(() => void end(signal, sentence), last === undefined ? answerMs : endMs)
    thread.postMessage((last = signal))
  }
  for (const signal of stopSignals) process.on(signal, onSignal)
  process.on('SIGWINCH', () => {
    const { columns, rows } = process.stdout.isTTY ? process.stdout : process.stderr
    thread.postMessage([columns, rows] satisfies Size)
  })
  thread.on('message', (message: Message) => {
    if (message === 'unhandled') void end(last!, 'Interrupted.')
    else clearTimeout(timer)
    if (message !== 'done' || !readsInput) return
    process.stdin.destroy()
    thread.stdin!.end()
  })
  thread.on('error', (thrown) => {
    const tooFew = tooFewFiles(thrown)
    process.stderr.write(`${tooFew ?? `Unexpected error: ${thrown.message}.`}\n`)
    process.exitCode = tooFew === undefined ? exits.unexpected : exits.usage
  })
  thread.on('exit', (code) => {
    clearTimeout(timer)
    process.exitCode ??= code
    if (readsInput) process.stdin.destroy()
    for (const signal of [...stopSignals, 'SIGWINCH'] as const) process.removeAllListeners(signal)
  })
}

/** Runs the command in this thread with the terminal, if any, that the main thread has. */
async function work(): Promise<void> {
  const open = <Stream>(name: 'stdin' | 'stdout' | 'stderr', value: Stream): Stream => {
    Object.defineProperty(process, name, { value, configurable: true })
    return value
  }
  if (isatty(0)) open('stdin', new ReadStream(0))
  const screens = [
    ...(isatty(1) ? [open('stdout', new WriteStream(1))] : []),
    ...(isatty(2) ? [open('stderr', new WriteStream(2))] : []),
  ]
  parentPort!.on('message', (signal: NodeJS.Signals | Size) => {
    // A terminal that is opened in a thread does not notice that its window changes.
    if (typeof signal === 'object') for (const screen of screens) [screen.columns, screen.rows] = signal
    else parentPort!.postMessage((process.emit(signal) ? 'handled' : 'unhandled') satisfies Message)
  })
  parentPort!.unref()
  await performHere(process.argv.slice(2))
  parentPort!.postMessage('done' satisfies Message)
  // A pipe that is still open would keep this thread waiting for more of it.
  if (!isatty(0)) process.stdin.resume()
}

await (isMainThread ? start() : work())
