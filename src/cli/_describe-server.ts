import { meaningOf } from '../models/probe/findings.js'
import type { ProbeReport } from '../models/probe/probe-server.js'
import type { Experiment } from '../run/experiment.js'
import { type ServerLearner, learnServers } from '../run/learn-servers.js'
import { escapeLine, layOut, number, say } from './_lines.js'

const shown = (value: string | number): string => (typeof value === 'number' ? number(value) : value)

/** The findings about a server, a line each: value, and meaning for a run with evidence. */
export function describeServer({ address, model, findings, served = {}, calls }: ProbeReport): string {
  const rows = findings.map((finding) => {
    const { name, value, evidence } = finding
    return [name, shown(value), `${meaningOf(finding).replace(/\.$/, '')} (${evidence})`].map(escapeLine)
  })
  const known = Object.keys(served).filter((name) => name !== 'listed as')
  const identity =
    known.length === 0
      ? 'Another model under this name would not be noticed.'
      : `Another model under this name would be noticed by ${known.join(', ')}.`
  return `${escapeLine(model)} at ${address}, after ${number(calls)} calls\n\n${layOut(rows)}\n\n${identity}`
}

/** Findings that make the episodes of a run doubtful, by their values. */
const doubtful: Readonly<Record<string, readonly (string | number)[]>> = {
  'model listed': ['no'],
  'chat template': ['invented', 'dated'],
  reasoning: ['empty'],
}

/** Learns of the servers of an experiment, and says what it finds: a line, and a notice for each doubt. */
export function learnFor(
  { timeoutSeconds, logprobs }: Experiment,
  options: Pick<Parameters<typeof learnServers>[0], 'folder' | 'recorded' | 'probe' | 'acceptsChange'>,
): ServerLearner {
  return learnServers({
    ...options,
    logprobs: logprobs === true,
    tell({ address, model, findings, calls }) {
      const known = findings.map(({ name, value }) => `${name} ${shown(value)}`).join(', ')
      const meaning = 'shaketable doctor says what this means'
      say(escapeLine(`${model} at ${address}, after ${number(calls)} calls: ${known}; ${meaning}.`))
      for (const finding of findings.filter(({ name, value }) => doubtful[name]?.includes(value))) {
        const { name, value, evidence } = finding
        say(escapeLine(`NOTICE ${model} at ${address}: ${name} ${shown(value)}: ${meaningOf(finding)} (${evidence})`))
      }
    },
    warn: say,
    ...(timeoutSeconds !== undefined && { timeoutMs: timeoutSeconds * 1000 }),
  })
}
