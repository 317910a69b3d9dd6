import { Command } from 'commander'
import { ShaketableError, unknownName } from '../core/errors.js'
import { exportHousehold } from '../environments/household/export.js'
import type { Split } from '../environments/household/scenes/tasks.js'
import { splits } from '../environments/household/scenes/tasks.js'
import type { Generation } from '../environments/household/text/domain.js'
import { generations } from '../environments/household/text/domain.js'
import { choice } from './_flags.js'
import { interruptible } from './_signals.js'
import { escapeControls, print } from './_lines.js'

interface Options {
  readonly out: string
  readonly generation: Generation
  readonly split: Split
  readonly seed: string
  readonly force?: boolean
}

/** `shaketable export household --out DIR`: the household's own tasks as files that ALFWorld loads. */
export function exportCommand(): Command {
  return new Command('export')
    .description('Writes generated tasks as files of the original benchmark.')
    .argument('<environment>', 'household')
    .requiredOption('--out <folder>', 'a new or empty folder; games go to its json_2.1.1')
    .option(...choice('--generation <which>', 'wording of the games', generations, 'old'))
    .option(...choice('--split <name>', 'which tasks', Object.keys(splits) as Split[], 'valid-unseen'))
    .option('--seed <text>', 'seed of the scenes and tasks', '1')
    .option('--force', 'write into a folder that is not empty, replacing an earlier export of the split')
    .action(run)
}

async function run(environment: string, options: Options): Promise<void> {
  if (environment !== 'household') {
    throw new ShaketableError('usage', unknownName('environment to export', environment, ['household']))
  }
  const { out: folder, generation, split, seed, force = false } = options
  const exported = await interruptible((signal) => exportHousehold({ folder, generation, split, seed, force, signal }))
  if (exported === undefined) return
  const { path, games, bytes } = exported
  const megabytes = (bytes / 1e6).toFixed(1)
  await print(
    `Wrote ${games} games (${split}, ${generation} generation, seed ${seed}; ${megabytes} MB) to ${escapeControls(path)}\n` +
      `Each is a game.tw-pddl with a traj_data.json beside it. ALFWorld finds them with ALFWORLD_DATA set to ${escapeControls(folder)}`,
  )
}
