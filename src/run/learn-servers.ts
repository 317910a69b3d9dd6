import { usageError } from '../core/errors.js'
import type { ServedChange, ServedDifference, ServedIdentity } from './plan.js'
import { type ProbeOptions, type ProbeReport, identifyServed, probeServer } from '../models/probe/probe-server.js'
import { compareServed, describeDifferences, withFingerprint } from '../models/probe/identity.js'
import { type ServerTraits, plainTraits } from '../models/traits.js'
import { type KnownServer, readServers, writeServers } from './servers.js'
import { readPlan } from './store/plan-file.js'
import { filesOf } from './store/run-folder.js'

/** A served model, with its name in the run. */
type Served = ProbeOptions & { readonly name: string }

/** Probes the servers of a run, and checks whether they still serve the same models. */
export type ServerLearner = ReturnType<typeof learnServers>

interface LearnOptions {
  /** Folder of the run; absent if it is not stored. */
  readonly folder?: string
  /** What was learned of the servers of a run that is replayed. */
  readonly recorded?: readonly KnownServer[] | undefined
  /** Whether servers are probed; otherwise the plainest traits are assumed. */
  readonly probe: boolean
  /** Whether another model under the same name is noted instead of refused. */
  readonly acceptsChange?: boolean
  /** Whether the probe includes log-probabilities of a given text. */
  readonly logprobs?: boolean
  readonly timeoutMs?: number
  readonly tell: (report: ProbeReport) => void
  /** Called before each long wait, and for each change of a model. */
  readonly warn?: (message: string) => void
}

/** A learner that asks no server: it has what an earlier probe found. */
export function recallServers(reports: readonly KnownServer[]) {
  const reportOf = (name: string): KnownServer | undefined => reports.find(({ model }) => model === name)
  return {
    traitsOf: ({ name }: Served): Promise<ServerTraits> => Promise.resolve(reportOf(name)?.traits ?? plainTraits),
    reasons: (model: string): boolean => doesReason(reportOf(model)),
  }
}

function doesReason(report: KnownServer | undefined): boolean {
  const finding = report?.findings.find(({ name }) => name === 'reasoning')
  return finding !== undefined && !['none', 'unknown', 'empty'].includes(String(finding.value))
}

/** The most changes that are noted: a hosted API may answer from many deployments. */
export const maxChanges = 20

/**
 * Each model is probed once, before its first episode. A resumed run keeps the traits that its models began with,
 * whatever their servers do now, so that their episodes stay comparable and keep their keys; it only checks whether a
 * model is still the same.
 */
export function learnServers(options: LearnOptions) {
  const { folder, probe, acceptsChange = false, logprobs = false, timeoutMs, tell, warn = () => undefined } = options
  const files = filesOf(folder ?? '')
  const plan = folder === undefined ? undefined : readPlan(files.plan)?.plan
  const known = plan ? readServers(files.servers) : (options.recorded ?? [])
  const reports = new Map(known.map((report) => [report.model, report]))
  const hasBegun = (name: string): boolean =>
    plan?.models.some((model) => model.name === name && !model.unprobed) === true
  let isMore = plan === undefined
  let requests = 0
  const asking = { ...(timeoutMs !== undefined && { timeoutMs }), warn }
  const asked = new Map<string, Served>()
  const fingerprints = new Map<string, Set<string>>()

  /** Compares an identity with the known one, and keeps what changed. @returns why the run cannot go on, if so */
  const judge = (report: KnownServer, is: ServedIdentity): string | undefined => {
    const { decisive, volatile } = compareServed(report.served ?? {}, is)
    const isOther = decisive.length > 0
    if (isOther && !acceptsChange)
      return `${describeOther(report, decisive)} Serve the model that it was begun with, give --out another folder, or give --accept-changed-model to go on with both in one run, which its reports then say.`
    if (isOther) warn(`${describeOther(report, decisive)} This is accepted and noted.`)
    else if (volatile.length > 0)
      warn(
        `${report.address}: ${describeDifferences(volatile)} for '${report.model}'. It is noted, and the run goes on.`,
      )
    // The next fingerprint is that of another model.
    const kept = Object.entries(report.served ?? {}).filter(([name]) => !isOther || name !== 'system_fingerprint')
    const served: ServedIdentity = { ...Object.fromEntries(kept), ...is }
    if (report.served !== undefined && Object.keys(served).every((name) => report.served![name] === served[name]))
      return
    const changes = [...(report.changes ?? []), ...changesOf({ decisive, volatile })].slice(0, maxChanges)
    reports.set(report.model, { ...report, ...(changes.length > 0 && { changes }), served })
    if (folder !== undefined) writeServers(files.servers, [...reports.values()])
    return undefined
  }
  /** @returns why the run cannot go on, if the server now has another model */
  const compareNow = async (served: Served): Promise<string | undefined> => {
    const report = reports.get(served.name)
    if (report === undefined) return undefined
    const is = await identifyServed({ ...served, ...asking })
    if (is !== undefined) return judge(report, is)
    if (report.served?.['listed as'] !== undefined)
      warn(`${report.address} does not say whether it still serves the same model.`)
    return undefined
  }
  return {
    /**
     * @throws ShaketableError `model` for a server that does not answer, `usage` for one that cannot be used as given
     */
    async traitsOf(served: Served): Promise<ServerTraits> {
      asked.set(served.name, served)
      if (hasBegun(served.name) || !probe) return reports.get(served.name)?.traits ?? plainTraits
      const report = await probeServer({ ...served, ...asking, logprobs })
      reports.set(report.model, report)
      isMore = true
      requests += report.calls
      tell(report)
      return report.traits
    },
    /** Whether a probed model reasons before it answers. */
    reasons: (model: string): boolean => doesReason(reports.get(model)),
    /** Number of requests of this session's probes. */
    requests: () => requests,
    /** Reports to be stored with the run; empty if none is new. */
    learned: (): readonly KnownServer[] => (isMore ? [...reports.values()] : []),
    /**
     * Compares the models of a resumed run, whose folder is open, with those at its start.
     * @throws ShaketableError `usage` for another model under the same name, unless that is accepted
     */
    async compare(): Promise<void> {
      for (const served of asked.values()) {
        const why = hasBegun(served.name) ? await compareNow(served) : undefined
        if (why !== undefined) throw usageError(why)
      }
    },
    /**
     * Asks a server that was gone for the identity of its model. @returns why the run cannot go on, if it is another
     */
    async checkIdentity(model: string): Promise<string | undefined> {
      const served = asked.get(model)
      return served && compareNow(served)
    },
    /** Checks the fingerprint of a reply. @returns why the run cannot go on, if a self-hosted server has another one */
    checkFingerprint(model: string, given: string): string | undefined {
      const report = reports.get(model)
      const is = withFingerprint({}, given)
      const fingerprint = String(is['system_fingerprint'])
      const seen = fingerprints.get(model) ?? new Set()
      if (report === undefined || seen.has(fingerprint) || seen.size > maxChanges) return undefined
      const why = judge(report, is)
      if (why === undefined) fingerprints.set(model, seen.add(fingerprint))
      return why
    },
  }
}

/** The changes of a served model that a comparison found. */
export function changesOf({ decisive, volatile }: ReturnType<typeof compareServed>): readonly ServedChange[] {
  return [
    ...(decisive.length > 0 ? [{ accepted: true, differences: decisive }] : []),
    ...(volatile.length > 0 ? [{ accepted: false, differences: volatile }] : []),
  ]
}

/** What a server serves now in place of the model that a run was begun with. */
function describeOther({ address, model }: KnownServer, differences: readonly ServedDifference[]): string {
  return `${address} serves another model under the name '${model}' than when this run was begun: ${describeDifferences(differences)}.`
}
