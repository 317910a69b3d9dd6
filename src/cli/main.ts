#!/usr/bin/env node
import { asWriteError } from '../files/write-error.js'
import { explain, perform } from './commands.js'

for (const name of ['stdout', 'stderr'] as const) {
  process[name].on('error', (error: NodeJS.ErrnoException) => {
    // A reader that closes its end, such as `head`, is not an error.
    if (error.code === 'EPIPE') process.exit()
    process.exit(explain(asWriteError(error, name, 'Send it elsewhere')))
  })
}
await perform(process.argv.slice(2))
