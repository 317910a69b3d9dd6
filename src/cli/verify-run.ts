import { Command } from 'commander'
import type { Finding, Verified } from '../run/store/verify-run.js'
import { repairRun, verifyRun } from '../run/store/verify-run.js'
import { count } from '../tables/words.js'
import { escapeLine, number, print, printJson } from './_lines.js'

interface VerifyRunFlags {
  readonly repair?: true
  readonly json?: true
}

const exitWrong = 1
/** The most findings that are printed; --json has more. */
const maxPrinted = 50
const maxListed = 10_000

/** `shaketable verify-run RUN`: checks the files of a run. */
export function verifyRunCommand(): Command {
  return new Command('verify-run')
    .description(
      'Checks the files of a run: checksums, and whether each row fits the trajectory of its episode. Exit code 0: sound, 1: something is wrong. Nothing is changed without --repair.',
    )
    .argument('<run>', "a run's folder")
    .option('--repair', 'move what is damaged to damaged.jsonl, so that shaketable run plays those episodes again')
    .option('--json', 'print the result as one JSON document')
    .action(async (folder: string, { repair, json }: VerifyRunFlags) => {
      const before = verifyRun(folder)
      const done = repair && before.episodes && before.findings.length > 0 ? repairRun(folder, before.unfit) : []
      const after = done.length > 0 ? verifyRun(folder) : before
      if (after.findings.length > 0) process.exitCode = exitWrong
      if (json) await printJson(JSON.stringify(jsonOf(folder, before, done, after), undefined, 2))
      else await print(describe(folder, before, done, after))
    })
}

function jsonOf(folder: string, before: Verified, done: readonly string[], { findings, remarks, episodes }: Verified) {
  return {
    folder,
    state: findings.length === 0 ? 'sound' : 'damaged',
    findings: before.findings.slice(0, maxListed),
    found: before.findings.length,
    repaired: done,
    remarks,
    ...(episodes && { episodes: { ...episodes, missing: Object.fromEntries(episodes.missing) } }),
  }
}

function describe(folder: string, before: Verified, done: readonly string[], after: Verified): string {
  const { findings } = before
  const lines = [
    findings.length === 0 ? `${folder} is sound.` : `${folder} has ${count(findings.length, 'problem')}:`,
    ...findings.slice(0, maxPrinted).map((finding) => `  ${nameFinding(finding)}`),
    ...(findings.length > maxPrinted ? [`  … and ${number(findings.length - maxPrinted)} more; see --json`] : []),
    ...after.remarks.map((remark) => `Note: ${remark}`),
    ...done,
  ]
  if (after.episodes) {
    const { planned, ended, errors, missing } = after.episodes
    lines.push(
      `${number(ended)} of ${count(planned, 'planned episode')} have ended${errors > 0 ? `; ${number(errors)} more ended in an error` : ''}.`,
    )
    if (missing.size > 0) {
      lines.push(`Missing: ${[...missing].map(([label, times]) => `${number(times)} of ${label}`).join(', ')}.`)
    }
  }
  if (done.length > 0) {
    lines.push(
      after.findings.length === 0
        ? 'The run is sound now. `shaketable run` with the same experiment plays the missing episodes.'
        : `${count(after.findings.length, 'problem')} remain; \`shaketable run\` with the same experiment writes those files anew.`,
    )
  } else if (findings.length > 0) {
    lines.push(
      after.episodes
        ? '--repair moves what is damaged to damaged.jsonl; `shaketable run` with the same experiment then plays those episodes again.'
        : 'Run the same experiment again, which writes plan.json anew, or restore it from a copy; then verify the run again.',
    )
  }
  return lines.map(escapeLine).join('\n')
}

function nameFinding({ file, line, problem, episode }: Finding): string {
  const place = line === undefined ? file : `${file}:${String(line)}`
  return `${place}: ${problem}${episode === undefined ? '' : ` (${episode})`}`
}
