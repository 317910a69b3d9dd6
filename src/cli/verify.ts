import { existsSync, realpathSync } from 'node:fs'
import { Command, Option } from 'commander'
import { ShaketableError } from '../core/errors.js'
import { createRowWriter } from '../training/create-row-writer.js'
import { readRecords } from '../training/records.js'
import type { VerifyOptions } from '../training/verify/options.js'
import { choices, flagOf, profiles, verifyOptions } from '../training/verify/options.js'
import { VerifyTally, readScriptFile, verifyRecords } from '../training/verify/verify-file.js'
import type { Judge, VerifiedRecord, VerifyCounts } from '../training/verify/verify-file.js'
import { readScript } from '../training/verify/script.js'
import { verifyTrajectory } from '../training/verify/verify-trajectory.js'
import { checkTrajectory, checkedScript } from '../training/synthesis/check-trajectory.js'
import { usageError } from './_flags.js'
import { escapeLine, number, print, printJson, say } from './_lines.js'

type VerifyFlags = {
  readonly script?: string
  readonly world?: true
  readonly profile: string
  readonly out?: string
  readonly json?: true
} & Readonly<Partial<Record<keyof VerifyOptions, string>>>

const exitRejected = 1

/** `shaketable data verify`: checks training trajectories against their script. */
export function verifyCommand(): Command {
  const command = new Command('verify')
    .description(
      "Verifies trajectories of a Player and a DM against their script, by AgentRefine's Algorithm 1; what the paper leaves open are options.",
    )
    .argument('<trajectories>', 'a JSON file: a trajectory, a list of them, or one a line')
    .option('--script <file>', 'the script of these trajectories (default: each record has its own, as of synthesise)')
    .option('--world', "also play the actions in the script's world; see docs/benchmarks.md")
    .option('--profile <name>', `preset of the options below: ${Object.keys(profiles).join(', ')}`, 'strict')
    .option('--min-error-turns <n>', 'smallest number of errors in a trajectory (strict: 2, paper-literal: 1)')
  for (const [option, [strict, other]] of Object.entries(choices)) {
    command.addOption(
      new Option(
        `${flagOf(option as keyof VerifyOptions)} <choice>`,
        `${strict} or ${other}, see docs/training-data.md`,
      ),
    )
  }
  return command
    .option('--out <file>', 'write each trajectory, or its verified beginning, as a line of JSON')
    .option('--json', 'print everything as JSON')
    .addHelpText('after', '\nExit codes: 0 all accepted, 1 some rejected, 2 a file or flag that cannot be used.')
    .action(verify)
}

async function verify(path: string, flags: VerifyFlags): Promise<void> {
  const { script: scriptPath, profile, out, json } = flags
  const options = verifyOptions(profile, flags)
  if (out !== undefined) refuseInput(out, [path, ...(scriptPath === undefined ? [] : [scriptPath])])
  if (flags.world && options.order !== 'strict')
    throw usageError('--world: expected alternating turns, got --order any. Leave one of them out.')
  const given = scriptPath === undefined ? undefined : readScriptFile(scriptPath)
  const problems = given?.script.problems ?? []
  for (const problem of problems) say(escapeLine(`${scriptPath!}: ${problem}`))
  const judge: Judge = (turns, own) => {
    const source = given?.source ?? own
    if (source === undefined) {
      throw usageError(
        `--script: expected the script of ${path}, since a record in it has none of its own. Give its file.`,
      )
    }
    if (flags.world) return checkTrajectory(turns, checkedScript(source), options)
    return verifyTrajectory(turns, given?.script ?? readScript(source), options)
  }
  const writer = out === undefined ? undefined : createRowWriter(out, 'lines')
  const tally = new VerifyTally()
  const listed: unknown[] = []
  try {
    for (const record of verifyRecords(readRecords(path), judge, options)) {
      tally.add(record)
      const isRejection = record.kind === 'verdict' ? !record.accepted : record.isRejected
      if (record.kind === 'verdict') {
        const { verified, ...entry } = record
        writer?.writeRaw(JSON.stringify({ ...entry, kind: undefined, turns: verified }))
        if (json && !record.accepted) listed.push({ ...entry, verifiedTurns: verified.length })
      } else if (json) listed.push(record)
      if (json) continue
      if (isRejection) await print(escapeLine(sentenceOf(path, record)))
      else if (record.kind !== 'verdict') say(escapeLine(sentenceOf(path, record)))
    }
    const { counts } = tally
    if (counts.accepted + counts.rejected + counts.leftOut === 0)
      throw new ShaketableError('bad-input', `Expected trajectories in ${path}, got none. Check the path.`)
    writer?.close()
    await (json ? printJson : print)(
      json
        ? JSON.stringify(
            {
              schema: 1,
              file: path,
              ...(scriptPath !== undefined && { script: scriptPath }),
              profile,
              options,
              ...counts,
              problems: given?.script.problems ?? [],
              records: listed,
            },
            null,
            1,
          )
        : escapeLine(`${path}: ${summaryOf(counts)} (profile ${profile})`),
    )
    if (counts.rejected > 0) process.exitCode = exitRejected
  } finally {
    writer?.abandon()
  }
}

/** Refuses an output path that is one of the inputs. */
function refuseInput(out: string, inputs: readonly string[]): void {
  if (!existsSync(out) || !inputs.some((input) => existsSync(input) && realpathSync(input) === realpathSync(out)))
    return
  throw usageError(`--out: expected another file than the inputs, got ${out}. Give another path.`)
}

function sentenceOf(path: string, record: VerifiedRecord): string {
  const place = `${path}:${String(record.line)}: record ${String(record.record)}`
  if (record.kind === 'unreadable') return `${place}: unreadable: ${record.message}.`
  const { id, rejection, verified } = record
  const { rule, position, turn, evidence } = rejection!
  const name = id === undefined ? '' : ` '${id.slice(0, 80)}'`
  const where =
    turn !== undefined ? `turn ${String(turn)}: ` : position === 0 ? '' : `turn in place ${String(position)}: `
  const kept =
    verified.length === 0 ? 'nothing to continue from' : `${number(verified.length)} verified turns to continue from`
  return `${place}${name}: ${where}${rule}: ${evidence}; ${kept}.`
}

function summaryOf({ accepted, rejected, leftOut, rules }: VerifyCounts): string {
  const why = Object.entries(rules).map(([rule, count]) => `${rule} ${number(count)}`)
  const parts = [
    `${number(accepted)} accepted`,
    `${number(rejected)} rejected${why.length > 0 ? ` (${why.join(', ')})` : ''}`,
    ...(leftOut > 0 ? [`${number(leftOut)} unreadable and left out`] : []),
  ]
  return parts.join(', ')
}
