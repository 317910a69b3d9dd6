import { Command } from 'commander'
import type { Plan } from '../run/plan.js'
import { mergeRuns } from '../run/store/merge-runs.js'
import { count, listFirst } from '../tables/words.js'
import { escapeLine, number, print, printJson, say } from './_lines.js'
import { onStop } from './_signals.js'

/** How runs are joined: options of `merge`, and of `report` with several runs. */
export interface JoinFlags {
  readonly acceptChangedModel?: true
}

interface MergeFlags extends JoinFlags {
  readonly out: string
  readonly json?: true
}

const exitInterrupted = 130

/** Adds the options of {@link JoinFlags} to a command. */
export function addJoinFlags(command: Command): Command {
  return command.option(
    '--accept-changed-model',
    'join runs although their servers served different models under one name; reports then say so',
  )
}

/** The options of joining, as the functions that join take them. */
export function joinOptionsOf({ acceptChangedModel }: JoinFlags) {
  return { acceptsChange: acceptChangedModel }
}

/** `shaketable merge A B … --out C`: joins runs into one run folder. */
export function mergeCommand(): Command {
  const command = new Command('merge')
    .description(
      'Joins runs with compatible plans, such as the shards of one experiment, into one run folder with every episode once. The same command continues a merge that was stopped, and adds what the runs have stored since.',
    )
    .argument('<runs...>', "runs' folders; they are not changed")
    .requiredOption('--out <folder>', 'folder of the joined run, which may be there already')
  return addJoinFlags(command).option('--json', 'print the result as one JSON document').action(merge)
}

async function merge(folders: readonly string[], flags: MergeFlags): Promise<void> {
  const { out } = flags
  const stopping = new AbortController()
  onStop(() => stopping.abort())
  const { joined, added, missing } = await mergeRuns(folders, out, {
    ...joinOptionsOf(flags),
    stop: stopping.signal,
    opened({ sources, notes: found, remarks, accepted }, storeNotes) {
      for (const sentence of [...found, ...remarks, ...accepted, ...storeNotes]) say(sentence)
      say(`Merging ${count(sources.length, 'run')} into ${out}.`)
    },
  })
  const { planned, sources, plan } = joined
  const absent = [...missing.values()].reduce((sum, times) => sum + times, 0)
  const isInterrupted = stopping.signal.aborted
  if (isInterrupted) process.exitCode = exitInterrupted
  if (flags.json) {
    const document = {
      folder: out,
      state: isInterrupted ? 'interrupted' : absent > 0 ? 'incomplete' : 'complete',
      runs: sources.map(({ files: { folder } }) => folder),
      episodes: { planned, added, missing: absent },
      missing: Object.fromEntries(missing),
      notes: [...joined.notes, ...joined.remarks, ...joined.accepted],
    }
    await printJson(JSON.stringify(document, undefined, 2))
  } else if (isInterrupted) {
    say(`Stopped. ${number(added)} episodes were added to ${out}; run the same command again to go on.`)
  } else await print(describe(out, planned, added, missing, absent, plan))
}

function describe(
  out: string,
  planned: number,
  added: number,
  missing: ReadonlyMap<string, number>,
  absent: number,
  { columns }: Plan,
): string {
  const few = columns.flatMap(({ label }) => {
    const times = missing.get(label)
    return times === undefined ? [] : [`${number(times)} of ${label}`]
  })
  const lines = [
    `${out} has ${absent === 0 ? 'all' : `${number(planned - absent)} of`} ${number(planned)} episodes; ${number(added)} were added now.`,
    absent > 0 && `Missing: ${listFirst(few)}.`,
    absent > 0 && `\`shaketable run\` with the same experiment and --out ${out} plays them.`,
    `\`shaketable report ${out}\` writes its reports.`,
  ]
  return lines
    .filter((line) => line !== false)
    .map(escapeLine)
    .join('\n')
}
