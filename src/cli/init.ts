import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { Argument, Command } from 'commander'
import { ShaketableError } from '../core/errors.js'
import { asWriteError } from '../files/write-error.js'
import { commonProblem } from '../run/definitions.js'
import { shipped } from '../run/registry.js'
import { harmlessLine, print } from './_lines.js'
import { starters } from './_starters.js'

/** `shaketable init KIND [NAME]`: writes a starter that runs as it is, into the working folder. */
export function initCommand(): Command {
  return new Command('init')
    .description('Writes a commented starter that runs as it is into this folder. A file that is there stays as it is.')
    .addArgument(new Argument('<kind>', 'what to begin').choices(Object.keys(starters)))
    .argument('[name]', 'its name, in small letters, digits and single dashes (default: my-KIND)')
    .action(init)
}

async function init(kind: string, given: string | undefined): Promise<void> {
  const starter = starters[kind]!
  const name = given ?? starter.name
  const problem = commonProblem({ name })
  if (problem !== undefined) {
    throw new ShaketableError('usage', `Expected ${problem[1]}, got '${harmlessLine(name.slice(0, 100))}'.`)
  }
  if (starter.kind !== undefined && shipped.list(starter.kind).some((one) => one.name === name)) {
    throw new ShaketableError('usage', `The ${kind} '${name}' ships with shaketable. Choose another name.`)
  }
  const files = starter.files(name)
  const there = files.find(({ path }) => existsSync(path))
  if (there !== undefined) throw taken(there.path, kind)
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
    `Wrote ${written}. Go on with:\n${starter
      .next(name)
      .map((line) => `  ${line}`)
      .join('\n')}`,
  )
}

function taken(path: string, kind: string): ShaketableError {
  return new ShaketableError(
    'usage',
    `${path} is there already and stays as it is. Give another name: shaketable init ${kind} NAME.`,
  )
}
