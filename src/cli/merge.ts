import { mergeRuns } from '../run/store/merge-runs.js'
import { count, listFirst } from '../tables/words.js'
import { type OptionsOf, makeCommand, required } from './_flags.js'
import { number, printLines, say } from './_lines.js'
import { exits, stopSignal } from './_signals.js'

/** The flag of `merge`, and of `report` with several runs. */
export const joinFlag = [
  '--accept-changed-model',
  'join runs although their servers served different models under one name; reports then say so',
] as const

const flags = [required('--out <folder>', 'folder of the joined run, which may be there already'), joinFlag] as const

/** `shaketable merge A B … --out C`: joins runs into one run folder. */
export const mergeCommand = () =>
  makeCommand({ places: [['<runs...>', "runs' folders; they are not changed"]], flags, run: merge })

async function merge(folders: readonly string[], { out, acceptChangedModel }: OptionsOf<typeof flags>): Promise<void> {
  const stop = stopSignal()
  const { joined, added, missing } = await mergeRuns(folders, out, {
    acceptsChange: acceptChangedModel,
    stop,
    opened({ folders: runs, notes, accepted }, storeNotes) {
      for (const sentence of [...notes, ...accepted, ...storeNotes]) say(sentence)
      say(`Merging ${count(runs.length, 'run')} into ${out}.`)
    },
  })
  // Known once the trajectories were read.
  for (const remark of joined.remarks) say(remark)
  const { planned } = joined
  const absent = [...missing.values()].reduce((sum, times) => sum + times, 0)
  if (stop.aborted) {
    process.exitCode = exits.interrupted
    return say(`Stopped. ${number(added)} episodes were added to ${out}; run the same command again to go on.`)
  }
  const few = [...missing].map(([label, times]) => `${number(times)} of ${label}`)
  await printLines([
    `${out} has ${absent === 0 ? 'all' : `${number(planned - absent)} of`} ${number(planned)} episodes; ${number(added)} were added now.`,
    absent > 0 && `Missing: ${listFirst(few)}.`,
    absent > 0 && `\`shaketable run\` with the same experiment and --out ${out} plays them.`,
    `\`shaketable report ${out}\` writes its reports.`,
  ])
}
