#!/usr/bin/env node
import { asWriteError, tooFewFiles } from '../files/write-error.js'
import { leave } from './_signals.js'

/** Too few files may be open. */
const exitUsage = 2

const { explain, perform } = await import('./commands.js').catch((thrown: unknown): never => {
  const tooFew = tooFewFiles(thrown)
  if (tooFew === undefined) throw thrown
  process.stderr.write(`${tooFew}\n`)
  return leave(exitUsage)
})

for (const [name, stream] of [
  ['standard output', process.stdout],
  ['standard error', process.stderr],
] as const) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that closes its end, such as `head`, is not an error.
    if (error.code === 'EPIPE') leave(Number(process.exitCode ?? 0))
    leave(explain(asWriteError(error, name, 'Send it elsewhere')))
  })
}

await perform(process.argv.slice(2))
