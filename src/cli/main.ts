#!/usr/bin/env node
import { ReadStream, WriteStream, isatty } from 'node:tty'
import { SHARE_ENV, Worker, isMainThread, parentPort } from 'node:worker_threads'
import { asWriteError } from '../files/write-error.js'
import { superviseHooks } from '../run/hook-clock.js'

/*
 * Commands run in a thread of their own, while the main thread keeps the signals: Ctrl-C then ends a command that
 * computes without end too, such as in a hook of a plug-in.
 */

/** A command that does not answer a first signal for so long is ended; after a second one it is sooner. */
const answerMs = 5000
const endMs = 1000
/** A thread that waits for the system cannot be ended; the signal then ends the process itself. */
const terminateMs = 500

const exitInterrupted = 130
const exitUnexpected = 70
/** A hook of a plug-in that does not return. */
const exitUsage = 2

/** What the main thread is told: that something reads standard input, or whether anything heard a signal. */
type Told = 'stdin' | 'heard' | 'unheard'

const stopSignals = ['SIGINT', 'SIGTERM'] as const

/** Quick, or a server that needs no other thread. */
const unthreaded = ['serve', 'proxy', 'list', 'init', 'help']

async function start(): Promise<void> {
  // A reader that closes its end, such as `head`, is no error.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(Number(process.exitCode ?? 0))
      const name = stream === process.stdout ? 'standard output' : 'standard error'
      void import('./commands.js').then(({ explain }) => {
        process.exit(explain(asWriteError(error, name, 'Send it elsewhere')))
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

/** Runs a command in a thread, hands signals to it, and ends it where it does not answer. */
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
  const hear = (signal: NodeJS.Signals): void => {
    clearTimeout(timer)
    const sentence = 'Ended at once, since the command did not answer. What is written is kept.'
    timer = setTimeout(() => void leave(signal, sentence), last === undefined ? answerMs : endMs)
    thread.postMessage((last = signal))
  }
  const pass = (signal: NodeJS.Signals): void => thread.postMessage(signal)
  for (const signal of stopSignals) process.on(signal, hear)
  process.on('SIGWINCH', pass)
  const stopHook = (sentence: string): void => {
    process.stderr.write(`${sentence}\n`)
    // A loop may not let its thread end, but the process ends all the same.
    setTimeout(() => process.exit(exitUsage), terminateMs)
    void thread.terminate().then(() => process.exit(exitUsage))
  }
  const unwatch = superviseHooks((sentence) => process.stderr.write(`${sentence}\n`), stopHook)
  thread.on('message', (told: Told) => {
    if (told === 'stdin') (input = process.stdin).pipe(thread.stdin!)
    if (told === 'heard') clearTimeout(timer)
    if (told === 'unheard') void leave(last!, 'Interrupted.')
  })
  thread.on('error', (thrown) => {
    process.stderr.write(`Unexpected error: ${thrown.message}.\n`)
    process.exitCode = exitUnexpected
  })
  thread.on('exit', (code) => {
    clearTimeout(timer)
    unwatch()
    process.exitCode ??= code
    input?.destroy()
    for (const signal of stopSignals) process.off(signal, hear)
    process.off('SIGWINCH', pass)
  })
}

/** Runs the command in this thread, on the terminal where there is one, as the main thread would. */
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
    parentPort!.postMessage('stdin' satisfies Told)
    return piped
  }
  Object.defineProperty(process, 'stdin', { get: () => (stdin ??= openStdin()), configurable: true })
  parentPort!.on('message', (signal: NodeJS.Signals) => {
    if (signal === 'SIGWINCH') for (const screen of screens) [screen.columns, screen.rows] = screen.getWindowSize()
    else parentPort!.postMessage((process.emit(signal) ? 'heard' : 'unheard') satisfies Told)
  })
  parentPort!.unref()
  await performHere(process.argv.slice(2))
}

await (isMainThread ? start() : work())
