import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Argument, Command } from 'commander'
import { ShaketableError } from '../core/errors.js'
import { asWriteError } from '../files/write-error.js'
import { commonProblem } from '../run/definitions.js'
import { shipped } from '../run/registry.js'
import { escapeLine, print } from './_lines.js'
import { starters } from './_starters.js'

/** `shaketable init KIND [NAME]`: writes a working starter into the current folder. */
export function initCommand(): Command {
  return new Command('init')
    .description('Writes a commented, working starter into this folder. Existing files are not changed.')
    .addArgument(new Argument('<kind>', 'kind of starter').choices(Object.keys(starters)))
    .argument('[name]', 'its name, in lower-case letters, digits and single dashes (default: my-KIND)')
    .action(init)
}

async function init(kind: string, given: string | undefined): Promise<void> {
  const starter = starters[kind]!
  const name = given ?? starter.name
  const problem = commonProblem({ name })
  if (problem !== undefined) {
    throw new ShaketableError('usage', `Expected ${problem[1]}, got '${escapeLine(name.slice(0, 100))}'.`)
  }
  if (starter.kind !== undefined && shipped.list(starter.kind).some((one) => one.name === name)) {
    throw new ShaketableError('usage', `The ${kind} '${name}' ships with shaketable. Choose another name.`)
  }
  const files = starter.files(name)
  const existing = files.find(({ path }) => existsSync(path))
  if (existing !== undefined) throw taken(existing.path, kind)
  for (const { path, text } of files) {
    try {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text, { flag: 'wx' })
    } catch (thrown) {
      if (thrown instanceof Error && 'code' in thrown && thrown.code === 'EEXIST') throw taken(path, kind)
      throw asWriteError(thrown, path, 'Choose another folder')
    }
  }
  const written = files.map(({ path }) => path).join(' and ')
  await print(
    `Wrote ${written}. Next:\n${starter
      .next(name)
      .map((line) => `  ${line}`)
      .join('\n')}`,
  )
}

function taken(path: string, kind: string): ShaketableError {
  return new ShaketableError(
    'usage',
    `${path} exists already and was not changed. Give another name: shaketable init ${kind} NAME.`,
  )
}
