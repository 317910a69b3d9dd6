import { meaningOf } from '../models/probe/findings.js'
import type { ProbeReport } from '../models/probe/probe-server.js'
import type { Experiment } from '../run/experiment.js'
import type { ServerLearner } from '../run/learn-servers.js'
import { learnServers } from '../run/learn-servers.js'
import { escapeLine, layOut, number, say } from './_lines.js'

/** The findings about a server, a line each: value, and meaning for a run with evidence. */
export function describeServer({ address, model, findings, served = {}, calls }: ProbeReport): string {
  const rows = findings.map((finding) =>
    [...[finding.name, shown(finding.value)], `${meaningOf(finding).replace(/\.$/, '')} (${finding.evidence})`].map(
      escapeLine,
    ),
  )
  const known = Object.keys(served).filter((name) => name !== 'listed as')
  const identity =
    known.length === 0
      ? 'Another model under this name would not be noticed.'
      : `Another model under this name would be noticed by ${known.join(', ')}.`
  return `${escapeLine(model)} at ${address}, after ${number(calls)} calls\n\n${layOut(rows)}\n\n${identity}`
}

/** Learns of the servers of an experiment, and says what it finds. */
export function learnFor(
  { timeoutSeconds, logprobs }: Experiment,
  options: Pick<Parameters<typeof learnServers>[0], 'folder' | 'recorded' | 'probe' | 'acceptsChange'>,
): ServerLearner {
  return learnServers({
    ...options,
    logprobs: logprobs === true,
    tell: (report) => summariseServer(report).forEach(say),
    warn: say,
    ...(timeoutSeconds !== undefined && { timeoutMs: timeoutSeconds * 1000 }),
  })
}

/** Findings that make the episodes of a run doubtful, by their values. */
const doubtful: Readonly<Record<string, readonly (string | number)[]>> = {
  'model listed': ['no'],
  'chat template': ['invented', 'dated'],
  reasoning: ['empty'],
}

/** A server before a run: its findings in one line, and a notice for each that makes episodes doubtful. */
function summariseServer({ address, model, findings, calls }: ProbeReport): readonly string[] {
  const known = findings.map(({ name, value }) => `${name} ${shown(value)}`).join(', ')
  const notices = findings.flatMap((finding) => {
    const { name, value, evidence } = finding
    return doubtful[name]?.includes(value)
      ? [`NOTICE ${model} at ${address}: ${name} ${shown(value)}: ${meaningOf(finding)} (${evidence})`]
      : []
  })
  const meaning = 'shaketable doctor says what this means'
  return [`${model} at ${address}, after ${number(calls)} calls: ${known}; ${meaning}.`, ...notices].map(escapeLine)
}

function shown(value: string | number): string {
  return typeof value === 'number' ? number(value) : value
}
