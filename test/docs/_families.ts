import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { perturbations } from '../../perturbations/index.js'
import type { Perturbation } from '../../src/core/perturbation.js'

const file = fileURLToPath(new URL('../../docs/perturbations.md', import.meta.url))

const cell = (text: string): string => text.replaceAll('|', '\\|')

/** What can be set of a perturbation: its own options, the first value being the default, and what works for others. */
function optionsOf({ options = {}, takesCondition, graded, draws = 1 }: Perturbation): string {
  return [
    ...Object.entries(options).map(([name, values]) => `\`${name}=${values.join('|')}\``),
    ...(takesCondition === undefined ? [] : [`\`of=${takesCondition}\``]),
    ...(graded ? ['intensity'] : []),
    ...(draws === 1 ? [] : [draws === Infinity ? 'draws' : `${String(draws)} draws`]),
  ].join(', ')
}

function promiseOf({ promise, promises = {}, adversarial }: Perturbation): string {
  const others = Object.entries(promises).map(([option, other]) => `${other}: \`${option}\``)
  return [promise, ...others, ...(adversarial === true ? ['adversarial'] : [])].join('; ')
}

function familiesTable(): string {
  const rows = perturbations
    .filter(({ environment }) => environment === undefined)
    .map((one) => `| \`${one.name}\` | ${cell(one.summary)} | ${cell(optionsOf(one))} | ${promiseOf(one)} |`)
  return ['| name | what changes | options, draws | promise |', '| --- | --- | --- | --- |', ...rows].join('\n')
}

function counterpartsList(): string {
  return perturbations
    .filter(({ environment }) => environment !== undefined)
    .map(({ name, summary }) => `- \`${name}\`: ${summary.replace(/^(BabyAI|PDDL games|ScienceWorld|Jericho): /, '')}`)
    .join('\n')
}

/** docs/perturbations.md with the families and counterparts that are registered in place of those that are there. */
export function withRegistered(page: string): string {
  return page
    .replace(/^\| name \|.*\n(?:\|.*\n)+/m, () => `${familiesTable()}\n`)
    .replace(/^- `agentrefine-1`:.*\n(?:- .*\n)*/m, () => `${counterpartsList()}\n`)
}

/** `npx jiti test/docs/_families.ts` writes them into the page. */
if (process.argv[1] !== undefined && join(process.argv[1]) === fileURLToPath(import.meta.url)) {
  writeFileSync(file, withRegistered(readFileSync(file, 'utf8')))
}
