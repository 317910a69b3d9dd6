import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
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
 * version made it, as recorded in a file `.made` beside it, after the files that the command names last changed.
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
    const [stamp, made] = [`${out}.made`, `${canonicalJson({ command: words, version })}\n`]
    const isOlder = (word: string): boolean => word === out || timeOf(word) <= timeOf(stamp)
    if (existsSync(out) && isFile(stamp) && readRegular(stamp).toString('utf8') === made && words.every(isOlder))
      continue
    if (isDryRun) {
      throw usageError(
        `${out} has to be made first: shaketable ${step}. Run this command, or the experiment without --dry-run.`,
      )
    }
    say(`Making ${out}: shaketable ${step}`)
    makeFolder(dirname(out))
    await runCommand([...words, ...(words.includes('--force') ? [] : ['--force'])], step)
    writeWhole(stamp, made, 'Give --out another path')
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}

/** When a file was changed last; 0 for a word that is none. */
function timeOf(word: string): number {
  return isFile(word) ? statSync(word).mtimeMs : 0
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
