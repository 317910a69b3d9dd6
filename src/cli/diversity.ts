import { measureDiversity, thoughtTables } from '../training/diversity.js'
import { type OptionsOf, makeCommand, whole } from './_flags.js'
import { problemPrinter, version } from './_lines.js'
import { formatFlag, printTables } from './_print-tables.js'

/** Thoughts of each data set, at most; the smallest bounds all. */
const [sample, resamples] = [5000, 200]

const flags = [whole('--seed <n>', 'seed of samples and intervals', 0, 2 ** 31 - 1, 0), formatFlag] as const

/** `shaketable data diversity DATA…`: how diverse the thoughts of training data are. */
export const diversityCommand = () =>
  makeCommand({
    places: [['<data...>', 'files of training data in any known format']],
    flags,
    run(paths: readonly string[], { format, seed }: OptionsOf<typeof flags>) {
      const problems = problemPrinter()
      const measured = measureDiversity([...new Set(paths)], { sample, resamples, seed, problem: problems.print })
      problems.end()
      return printTables(format, { tables: thoughtTables(measured), json: { schema: 1, version, ...measured } })
    },
  })
