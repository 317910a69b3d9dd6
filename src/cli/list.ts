import { Argument, Command } from 'commander'
import colors from 'picocolors'
import { baselines } from '../../baselines/index.js'
import { agents } from '../agents/index.js'
import { environmentKinds } from '../environments/index.js'
import { dataFilters, perturbations } from '../../perturbations/index.js'
import { reports } from '../../reports/index.js'
import { print } from './_lines.js'

interface Listed {
  readonly name: string
  readonly summary: string
  readonly source: string
}

const lists: Readonly<Record<string, () => readonly Listed[]>> = {
  environments: () => environmentKinds,
  perturbations: () => [...perturbations, ...dataFilters.map(asListed)],
  models: () => baselines,
  agents: () => agents,
  reports: () => reports,
}

/** A data filter stands beside the lenses, with a word on what it is used with. */
function asListed({ name, summary, source }: Listed): Listed {
  return { name: `${name} (data filter)`, summary: `${summary}; used with filter-ind`, source }
}

/** `shaketable list`: what there is to choose from, each with a line about it and where it comes from. */
export function listCommand(): Command {
  return new Command('list')
    .description('Lists what an experiment can be made of, each with a line about it and where it comes from.')
    .addArgument(new Argument('[what]', 'one list instead of all').choices(Object.keys(lists)))
    .action(async (what: string | undefined) => {
      const wanted = what === undefined ? Object.keys(lists) : [what]
      await print(wanted.map((name) => describe(name, lists[name]!())).join('\n'))
    })
}

function describe(title: string, list: readonly Listed[]): string {
  const lines = list.map(
    ({ name, summary, source }) => `  ${colors.bold(name)}\n    ${summary}\n    ${colors.dim(`from ${source}`)}`,
  )
  return `${title}\n${lines.join('\n')}\n`
}
