import { mergeRuns } from '../run/store/merge-runs.js'
import { count, listFirst } from '../tables/words.js'
import type { OptionsOf } from './_flags.js'
import { makeCommand, required } from './_flags.js'
import { number, print, printDocument, say, textOf } from './_lines.js'
import { exits, stopSignal } from './_signals.js'

/** The flag of `merge`, and of `report` with several runs. */
export const joinFlag = [
  '--accept-changed-model',
  'join runs although their servers served different models under one name; reports then say so',
] as const

const flags = [
  required('--out <folder>', 'folder of the joined run, which may be there already'),
  joinFlag,
  ['--json', 'print the result as one JSON document'],
] as const

/** `shaketable merge A B … --out C`: joins runs into one run folder. */
export const mergeCommand = () =>
  makeCommand(
    'merge',
    'Joins runs with compatible plans, such as the shards of one experiment, into one run folder with every episode once. The same command continues a merge that was stopped, and adds what the runs have stored since.',
    { places: [['<runs...>', "runs' folders; they are not changed"]], flags, run: merge },
  )

async function merge(
  folders: readonly string[],
  { out, acceptChangedModel, json }: OptionsOf<typeof flags>,
): Promise<void> {
  const stop = stopSignal()
  const { joined, added, missing } = await mergeRuns(folders, out, {
    acceptsChange: acceptChangedModel,
    stop,
    opened({ sources, notes: found, remarks, accepted }, storeNotes) {
      for (const sentence of [...found, ...remarks, ...accepted, ...storeNotes]) say(sentence)
      say(`Merging ${count(sources.length, 'run')} into ${out}.`)
    },
  })
  const { planned, sources, plan, notes, remarks, accepted } = joined
  const absent = [...missing.values()].reduce((sum, times) => sum + times, 0)
  if (stop.aborted) process.exitCode = exits.interrupted
  if (json) {
    return printDocument({
      folder: out,
      state: stop.aborted ? 'interrupted' : absent > 0 ? 'incomplete' : 'complete',
      runs: sources.map(({ files: { folder } }) => folder),
      episodes: { planned, added, missing: absent },
      missing: Object.fromEntries(missing),
      notes: [...notes, ...remarks, ...accepted],
    })
  }
  if (stop.aborted)
    return say(`Stopped. ${number(added)} episodes were added to ${out}; run the same command again to go on.`)
  const few = plan.conditions.flatMap(({ label }) =>
    missing.has(label) ? [`${number(missing.get(label)!)} of ${label}`] : [],
  )
  const lines = [
    `${out} has ${absent === 0 ? 'all' : `${number(planned - absent)} of`} ${number(planned)} episodes; ${number(added)} were added now.`,
    absent > 0 && `Missing: ${listFirst(few)}.`,
    absent > 0 && `\`shaketable run\` with the same experiment and --out ${out} plays them.`,
    `\`shaketable report ${out}\` writes its reports.`,
  ]
  await print(textOf(lines))
}
