import type { Aggregate } from '../../src/results/aggregate.js'
import type { CsvSource } from '../../src/tables/csv.js'
import {
  describeCondition,
  describeData,
  describePrompt,
  listSeeds,
  listSettings,
} from '../../src/results/summary/identity.js'

const fields = [
  'plan',
  'condition',
  'agent_settings',
  'data',
  'panel',
  'prompt',
  'server',
  'model_settings',
  'seeds',
  'max_steps',
  'max_reply_tokens',
  'first_date',
  'last_date',
  'temperatures',
  'environment_version',
  'calls',
  'prompt_tokens',
  'reply_tokens',
  'cost',
  'shaketable',
]

/** Columns of a CSV file that identify the experiment of a line; empty for published rows. */
export function experimentColumns({
  plan,
  version,
  experiment,
  notices,
}: Pick<Aggregate, 'plan' | 'version' | 'experiment' | 'notices'>): CsvSource {
  const { seeds, maxSteps, maxReplyTokens, dates, cost, temperatures } = experiment
  return {
    fields,
    notices,
    valuesOfRun: [plan, ...fields.slice(1).map(() => '')],
    valuesOf(row, name, label) {
      if (row.published !== undefined) return fields.map(() => '')
      const environment = experiment.environments.find((one) => one.name === name)
      const model = experiment.models.find((one) => one.name === row.model)
      const condition = experiment.conditions.find((one) => one.label === label)
      const agent = experiment.agents.find((one) => one.name === row.agent)
      return [
        plan,
        condition === undefined ? '' : describeCondition(condition, name || undefined),
        listSettings(agent?.settings ?? {}).join(', '),
        environment === undefined ? '' : describeData(environment),
        environment?.panel ?? '',
        environment === undefined ? '' : describePrompt(environment),
        model?.server ?? '',
        listSettings(model?.settings ?? {}).join(', '),
        listSeeds(seeds),
        maxSteps,
        maxReplyTokens,
        dates?.first ?? '',
        dates?.last ?? '',
        temperatures.join(', '),
        environment?.version ?? '',
        cost?.calls ?? '',
        cost?.promptTokens ?? '',
        cost?.completionTokens ?? '',
        cost?.money ?? '',
        version,
      ]
    },
  }
}
