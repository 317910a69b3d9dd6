import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { fileURLToPath } from 'node:url'
import { canonicalJson } from '../core/episode.js'
import { ShaketableError } from '../core/errors.js'
import { makeFolder } from '../files/make-folder.js'
import { readRegular } from '../files/read-text.js'
import { writeWhole } from '../files/write-whole.js'
import { outOf } from '../run/experiment.js'
import { usageError } from './_flags.js'
import { version } from './_lines.js'

/**
 * Makes the files of an experiment with its commands, in order. An existing file is kept if the same command of this
 * version made it from the same input, as recorded in a file `.made` beside it.
 * @throws ShaketableError `bad-input` if a command fails
 */
export async function prepareFiles(
  steps: readonly string[],
  isDryRun: boolean,
  say: (text: string) => void,
): Promise<void> {
  for (const step of steps) {
    const words = step.trim().split(/\s+/)
    const out = outOf(step)
    const made = await describeMaking(words, out)
    if (existsSync(out) && readStamp(out) === made) continue
    if (isDryRun) {
      throw usageError(
        `${out} has to be made first: shaketable ${step}. Run this command, or the experiment without --dry-run.`,
      )
    }
    say(`Making ${out}: shaketable ${step}`)
    makeFolder(dirname(out))
    await runCommand([...words, ...(words.includes('--force') ? [] : ['--force'])], step)
    writeWhole(stampOf(out), made, 'Give --out another path')
  }
}

/** Everything that determines the result of a command: its words, the files that they name, and the version. */
async function describeMaking(words: readonly string[], out: string): Promise<string> {
  const inputs: Record<string, string> = {}
  for (const word of words) if (word !== out && isFile(word)) inputs[word] = await hashFile(word)
  return `${canonicalJson({ command: words, inputs, version })}\n`
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

function stampOf(out: string): string {
  return `${out}.made`
}

function readStamp(out: string): string | undefined {
  return isFile(stampOf(out)) ? readRegular(stampOf(out)).toString('utf8') : undefined
}

/** Runs a command in its own process; all its output goes to standard error, since standard output is for reports. */
function runCommand(words: readonly string[], step: string): Promise<void> {
  const main = fileURLToPath(new URL('main.js', import.meta.url))
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [main, ...words], { stdio: ['ignore', 2, 2] })
    child.on('error', reject)
    child.on('exit', (code) => {
      if (code === 0) resolve()
      else {
        reject(
          new ShaketableError(
            'bad-input',
            `A command of the experiment failed: shaketable ${step}. Its reason is above.`,
          ),
        )
      }
    })
  })
}
