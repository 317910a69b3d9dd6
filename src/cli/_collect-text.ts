import { createRequire } from 'node:module'
import { mistakeKinds, mistakeWeights } from '../collect/mistake.js'
import type { CollectCounts } from '../collect/tally.js'
import type { Written } from '../data/formats/create-row-writer.js'
import type { CollectFlags, CollectPlan } from './_collect-plan.js'
import { pickEnvironmentFlags } from './_environment-flags.js'
import { harmlessLine } from './_harmless.js'
import { number, percent } from './_lines.js'

/** What came of collecting. */
export interface CollectedFile {
  readonly counts: CollectCounts
  readonly written: Written
  readonly environments: readonly { readonly name: string; readonly version: string; readonly tasks: number }[]
}

/** What was collected how, so that it can be collected again and a paper can say it. */
export function collectManifest(
  options: CollectFlags,
  plan: CollectPlan,
  { counts, written, environments }: CollectedFile,
): string {
  const { version } = createRequire(import.meta.url)('shaketable/package.json') as { version: string }
  const { policy, agent, seed, errors, temperature, stepLimit, count } = plan
  const manifest = {
    schema: 1,
    shaketable: version,
    environments,
    options: pickEnvironmentFlags(options),
    policy: policy.name,
    policySettings: policy.settings,
    agent: agent.name,
    agentSettings: agent.settings,
    format: options.format,
    ...(count !== undefined && { count }),
    seed,
    temperature,
    stepLimit,
    withErrors: errors,
    ...(errors > 0 && { mistakeWeights }),
    varyWording: options.varyWording ?? false,
    failures: options.failures ?? false,
    counts,
    written,
  }
  return `${JSON.stringify(manifest, null, 2)}\n`
}

/** What a person reads of it. */
export function describeCollected(
  { counts, written }: CollectedFile,
  { count = 0 }: CollectPlan,
  out: string,
  manifest: string | undefined,
): string {
  const { played, succeeded, repeated, turns, masked, mistaken, mistakes } = counts
  const made = mistakeKinds.reduce((sum, kind) => sum + mistakes[kind], 0)
  return [
    `${number(written.records)} trajectories of ${number(played)} episodes, of which ${number(succeeded)} succeeded (${percent(succeeded / played)})`,
    ...(written.records >= count
      ? []
      : [`  fewer than the ${number(count)} that were asked for: the policy succeeds too seldom, so it was given up`]),
    ...(repeated === 0 ? [] : [`  ${number(repeated)} of them say what an earlier one says`]),
    `turns of the policy: ${number(turns)}, of which ${number(masked)} are not learned from (${percent(masked / turns)})`,
    ...(made === 0
      ? []
      : [
          `mistakes: ${number(made)} in ${number(mistaken)} trajectories: ${mistakeKinds.map((kind) => `${kind} ${number(mistakes[kind])}`).join(', ')}`,
        ]),
    `Wrote ${harmlessLine(out)} (${number(written.bytes)} bytes)${manifest === undefined ? '' : ` and ${harmlessLine(manifest)}`}`,
  ].join('\n')
}
