import { existsSync, realpathSync } from 'node:fs'
import { ShaketableError } from '../core/errors.js'
import { createRowWriter } from '../training/create-row-writer.js'
import { openRecords } from '../training/records.js'
import { checkTrajectory, checkedScript } from '../training/synthesis/check-trajectory.js'
import { readScript } from '../training/verify/script.js'
import { type Judge, type VerifiedRecord, readScriptFile, verifyRecords } from '../training/verify/verify-file.js'
import { profiles, verifyTrajectory } from '../training/verify/verify-trajectory.js'
import { type OptionsOf, choice, makeCommand, usageError, whole } from './_flags.js'
import { escapeLine, number, print, say } from './_lines.js'
import { exits } from './_signals.js'

const profileNames = Object.keys(profiles) as readonly (keyof typeof profiles)[]

const flags = [
  ['--script <file>', 'the script of these trajectories (default: each record has its own, as of synthesise)'],
  ['--world', "also play the actions in the script's world; see docs/benchmarks.md"],
  choice('--profile <name>', 'the algorithm as it is meant, or as it is printed', profileNames, 'strict'),
  whole('--min-error-turns <n>', 'smallest number of errors in a trajectory (strict: 2, paper-literal: 1)', 0, 1e6),
  ['--out <file>', 'write each trajectory, or its verified beginning, as a line of JSON'],
] as const

/** `shaketable data verify`: checks training trajectories against their script. */
export const verifyCommand = () =>
  makeCommand({
    places: [['<trajectories>', 'a JSON file: a trajectory, a list of them, or one a line']],
    flags,
    below: 'Exit codes: 0 all accepted, 1 some rejected, 2 a file or flag that cannot be used.',
    run: verify,
  })

async function verify(path: string, values: OptionsOf<typeof flags>): Promise<void> {
  const { script: scriptPath, profile, minErrorTurns = profiles[profile].minErrorTurns, out, world } = values
  const options = { ...profiles[profile], minErrorTurns }
  const inputs = [path, scriptPath ?? path].filter((input) => existsSync(input))
  if (out !== undefined && existsSync(out) && inputs.some((input) => realpathSync(input) === realpathSync(out)))
    throw usageError(`--out: expected another file than the inputs, got ${out}. Give another path.`)
  if (world && options.literal)
    throw usageError('--world: expected alternating turns, got --profile paper-literal. Leave one of them out.')
  const script = scriptPath === undefined ? undefined : readScriptFile(scriptPath)
  for (const problem of script?.script.problems ?? []) say(escapeLine(`${scriptPath!}: ${problem}`))
  const judge: Judge = (turns, own) => {
    const source = script?.source ?? own
    if (source === undefined)
      throw usageError(
        `--script: expected the script of ${path}, since a record in it has none of its own. Give its file.`,
      )
    if (world) return checkTrajectory(turns, checkedScript(source), options)
    return verifyTrajectory(turns, script?.script ?? readScript(source), options)
  }
  const writer = out === undefined ? undefined : createRowWriter(out, 'lines')
  let [accepted, leftOut] = [0, 0]
  const rules = new Map<string, number>()
  try {
    for (const judged of verifyRecords(openRecords(path).records, judge)) {
      const { verified, ...entry } = judged
      const rule = judged.rejection?.rule
      const isLeftOut = rule === 'unreadable' && options.literal
      if (rule !== 'unreadable') writer?.writeRaw(JSON.stringify({ ...entry, turns: verified }))
      if (rule === undefined) accepted++
      else if (isLeftOut) leftOut++
      else rules.set(rule, (rules.get(rule) ?? 0) + 1)
      if (isLeftOut) say(escapeLine(sentenceOf(path, judged)))
      else if (rule !== undefined) await print(escapeLine(sentenceOf(path, judged)))
    }
    const rejected = [...rules.values()].reduce((sum, count) => sum + count, 0)
    if (accepted + rejected + leftOut === 0)
      throw new ShaketableError('bad-input', `Expected trajectories in ${path}, got none. Check the path.`)
    writer?.close()
    const why = [...rules].sort(([a], [b]) => (a < b ? -1 : 1)).map(([rule, count]) => `${rule} ${number(count)}`)
    const reasons = why.length > 0 ? ` (${why.join(', ')})` : ''
    const left = leftOut > 0 ? `, ${number(leftOut)} unreadable and left out` : ''
    const counts = `${number(accepted)} accepted, ${number(rejected)} rejected${reasons}${left}`
    await print(escapeLine(`${path}: ${counts} (profile ${profile})`))
    if (rejected > 0) process.exitCode = exits.wrong
  } finally {
    writer?.abandon()
  }
}

function sentenceOf(path: string, { record, id, rejection, verified }: VerifiedRecord): string {
  const { rule, position, turn, evidence } = rejection!
  const name = id === undefined ? '' : `'${id.slice(0, 80)}': `
  const where =
    turn !== undefined ? `turn ${String(turn)}: ` : position === 0 ? '' : `turn in place ${String(position)}: `
  const kept =
    verified.length === 0 ? 'nothing to continue from' : `${number(verified.length)} verified turns to continue from`
  return `${path}:${String(record)}: ${name}${where}${rule}: ${evidence}; ${kept}.`
}
