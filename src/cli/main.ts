#!/usr/bin/env node
import { WriteStream, isatty } from 'node:tty'
import { SHARE_ENV, Worker, isMainThread, parentPort } from 'node:worker_threads'
import { asWriteError, tooFewFiles } from '../files/write-error.js'
import { exits, leave, stopSignals } from './_signals.js'

/*
 * Commands run in a thread of their own, and the main thread handles signals: Ctrl-C then ends even a command in an
 * endless loop, such as in a hook of a plug-in.
 */

/** How long a command may take to react to a first and to a second signal before it is ended. */
const answerMs = 5000
const endMs = 1000
/** A thread in a system call cannot be ended; after this time the signal ends the process itself. */
const terminateMs = 500

/** Commands that are quick, only wait, or are servers need no thread; those that ask need the terminal. */
const [unthreaded, asking] = [
  ['serve', 'proxy', 'worker', 'queue', 'list', 'help'],
  ['init', 'play'],
]

async function start(): Promise<void> {
  // A reader that closes its end, such as `head`, is not an error.
  for (const name of ['stdout', 'stderr'] as const) {
    process[name].on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') leave(Number(process.exitCode ?? 0))
      void import('./commands.js').then(({ explain }) => leave(explain(asWriteError(error, name, 'Send it elsewhere'))))
    })
  }
  const args = process.argv.slice(2)
  const [first = 'help'] = args
  const hasPlugins = args.some((arg) => arg.startsWith('--plugin'))
  const isSafe = first.startsWith('-') || args.includes('--help') || (unthreaded.includes(first) && !hasPlugins)
  if (isSafe || asking.includes(first)) await performHere(args)
  else supervise(args)
}

async function performHere(args: readonly string[]): Promise<void> {
  const { perform } = await import('./commands.js')
  await perform(args)
}

/** Runs a command in a thread, forwards signals to it, and ends it if it does not react. */
function supervise(args: readonly string[]): void {
  const thread = new Worker(new URL(import.meta.url), { argv: [...args], env: SHARE_ENV })
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
  thread.on('message', (isHandled: boolean) => {
    clearTimeout(timer)
    if (!isHandled) void end(last!, 'Interrupted.')
  })
  thread.on('error', (thrown) => {
    const tooFew = tooFewFiles(thrown)
    process.stderr.write(`${tooFew ?? `Unexpected error: ${thrown.message}.`}\n`)
    process.exitCode = tooFew === undefined ? exits.unexpected : exits.usage
  })
  thread.on('exit', (code) => {
    clearTimeout(timer)
    process.exitCode ??= code
    for (const signal of stopSignals) process.removeAllListeners(signal)
  })
}

/** Runs the command in this thread, and prints to the terminal, if any, that the main thread has. */
async function work(): Promise<void> {
  for (const [name, file] of Object.entries({ stdout: 1, stderr: 2 }))
    if (isatty(file)) Object.defineProperty(process, name, { value: new WriteStream(file), configurable: true })
  parentPort!.on('message', (signal: NodeJS.Signals) => parentPort!.postMessage(process.emit(signal)))
  parentPort!.unref()
  await performHere(process.argv.slice(2))
}

await (isMainThread ? start() : work())
