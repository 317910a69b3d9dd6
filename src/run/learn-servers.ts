import { existsSync } from 'node:fs'
import { ShaketableError } from '../core/errors.js'
import type { ServedDifference, ServedIdentity } from './plan.js'
import type { ProbeOptions, ProbeReport } from '../models/probe/probe-server.js'
import { compareServed, describeDifferences, withFingerprint } from '../models/probe/identity.js'
import { identifyServed, probeServer } from '../models/probe/probe-server.js'
import type { ServerTraits } from '../models/traits.js'
import { plainTraits } from '../models/traits.js'
import type { KnownServer } from './servers.js'
import { readServers, writeServers } from './servers.js'
import { readPlan } from './store/plan-file.js'
import { filesOf } from './store/run-folder.js'

/** A served model, with its name in the run. */
type Served = ProbeOptions & { readonly name: string }

/** Probes the servers of a run, and checks whether they still serve the same models. */
export interface ServerLearner {
  /** @throws ShaketableError `model` for a server that does not answer, `usage` for one that cannot be used as given */
  traitsOf(served: Served): Promise<ServerTraits>
  /** Maximum number of tokens per reply in the run, if it has begun. */
  readonly replyLimit?: number
  /** Whether a probed model reasons before it answers. */
  reasons(model: string): boolean
  /** Number of requests of this session's probes. */
  requests(): number
  /** Reports to be stored with the run; empty if none is new. */
  learned(): readonly KnownServer[]
  /**
   * Compares the models of a resumed run with those at its start. The run folder must be open.
   * @throws ShaketableError `usage` for another model under the same name, unless that is accepted
   */
  compare(): Promise<void>
  /**
   * Checks the fingerprint of a reply. The run folder must be open.
   * @returns why the run cannot go on, if a self-hosted server has another fingerprint
   */
  checkFingerprint(model: string, fingerprint: string): string | undefined
  /**
   * Asks a server again for the identity of its model, which may be another one after the server was gone. The run
   * folder must be open.
   * @returns why the run cannot go on, if it is another one
   */
  checkIdentity(model: string): Promise<string | undefined>
}

/** Options of {@link learnServers}. */
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
  /** Limit of one call. */
  readonly timeoutMs?: number
  /** Called with the report of each probed server. */
  readonly tell: (report: ProbeReport) => void
  /** Called before each long wait, and for each change of a model. */
  readonly warn?: (message: string) => void
  readonly signal?: AbortSignal
}

/** A learner that asks no server: it has what an earlier probe found. */
export function recallServers(reports: readonly KnownServer[]): Pick<ServerLearner, 'traitsOf' | 'reasons'> {
  const reportOf = (model: string): KnownServer | undefined => reports.find((report) => report.model === model)
  return {
    traitsOf: ({ name }) => Promise.resolve(reportOf(name)?.traits ?? plainTraits),
    reasons: (model) =>
      (reportOf(model)?.findings ?? []).some(
        ({ name, value }) => name === 'reasoning' && !['none', 'unknown', 'empty'].includes(String(value)),
      ),
  }
}

/** The most changes that are noted: a hosted API may answer from many deployments. */
export const maxChanges = 20

/**
 * Each model is probed once, before its first episode. A resumed run keeps the traits that its models began with,
 * whatever their servers do now, so that their episodes stay comparable and keep their keys; it only checks whether a
 * model is still the same.
 */
export function learnServers(options: LearnOptions): ServerLearner {
  const {
    folder,
    probe,
    acceptsChange = false,
    logprobs = false,
    timeoutMs,
    tell,
    warn = () => undefined,
    signal,
  } = options
  const files = filesOf(folder ?? '')
  const begun = folder !== undefined && existsSync(files.plan)
  const stored = begun ? readServers(files.servers) : []
  const reports: KnownServer[] = [...(begun ? stored : (options.recorded ?? []))]
  const plan = begun ? readPlan(files.plan)?.plan : undefined
  const hasBegun = (name: string): boolean =>
    begun && (plan?.models.some((model) => model.name === name && !model.unprobed) ?? true)
  let isMore = !begun
  let requests = 0
  const asking = { ...(timeoutMs !== undefined && { timeoutMs }), warn, ...(signal && { signal }) }
  const resumed: Served[] = []
  const asked = new Map<string, Served>()
  const reportOf = (model: string): KnownServer | undefined => reports.find((report) => report.model === model)
  const fingerprints = new Map<string, Set<string>>()

  const keep = (known: KnownServer, served: ServedIdentity): void => {
    reports[reports.findIndex(({ model }) => model === known.model)] = { ...known, served }
    if (folder !== undefined) writeServers(files.servers, reports)
  }
  /** @returns the report with a change added, up to the limit */
  const note = (known: KnownServer, differences: readonly ServedDifference[], accepted: boolean): KnownServer => {
    const { changes = [] } = known
    if (differences.length === 0 || changes.length >= maxChanges) return known
    return { ...known, changes: [...changes, { accepted, differences }] }
  }
  /** @returns why the run cannot go on, if the server now has another model */
  const compareNow = async (one: Served): Promise<string | undefined> => {
    const known = reportOf(one.name)
    if (known === undefined) return undefined
    const is = await identifyServed({ ...one, ...asking })
    if (is === undefined) {
      const hadList = known.served?.['listed as'] !== undefined
      if (hadList) warn(`${known.address} does not say whether it still serves the same model.`)
      return undefined
    }
    const { decisive, volatile } = compareServed(known.served ?? {}, is)
    if (decisive.length > 0 && !acceptsChange) return sayChanged(known, decisive)
    if (decisive.length > 0) warn(sayAccepted(known, decisive))
    else if (volatile.length > 0) warn(sayDeployed(known, volatile))
    // The next fingerprint is that of the new model.
    const { system_fingerprint: before, ...was } = known.served ?? {}
    const merged = {
      ...was,
      ...(before !== undefined && decisive.length === 0 && { system_fingerprint: before }),
      ...is,
    }
    if (!sameIdentity(known.served, merged)) keep(note(note(known, decisive, true), volatile, false), merged)
    return undefined
  }
  return {
    async traitsOf(served) {
      asked.set(served.name, served)
      if (hasBegun(served.name)) resumed.push(served)
      if (hasBegun(served.name) || !probe) return recallServers(reports).traitsOf(served)
      const report = await probeServer({ ...served, ...asking, logprobs })
      const known = reports.findIndex(({ model }) => model === report.model)
      reports.splice(known === -1 ? reports.length : known, 1, report)
      isMore = true
      requests += report.calls
      tell(report)
      return report.traits
    },
    ...(plan && { replyLimit: plan.maxTokens }),
    reasons: (model) => recallServers(reports).reasons(model),
    requests: () => requests,
    learned: () => (isMore ? reports : []),
    async compare() {
      for (const one of resumed) {
        const why = await compareNow(one)
        if (why !== undefined) throw new ShaketableError('usage', why)
      }
    },
    checkIdentity: async (model) => {
      const one = asked.get(model)
      return one && compareNow(one)
    },
    checkFingerprint(model, given) {
      const known = reportOf(model)
      const is = withFingerprint({}, given)
      const fingerprint = String(is['system_fingerprint'])
      const seen = fingerprints.get(model) ?? new Set()
      if (seen.has(fingerprint)) return undefined
      const was = known?.served ?? (seen.size > 0 ? { system_fingerprint: [...seen][0]! } : {})
      const { decisive, volatile } = compareServed(was, is)
      if (known !== undefined && decisive.length > 0 && !acceptsChange) return sayChanged(known, decisive)
      fingerprints.set(model, seen.add(fingerprint))
      if (known === undefined || seen.size > maxChanges) return undefined
      if (decisive.length > 0) warn(sayAccepted(known, decisive))
      else if (volatile.length > 0) warn(sayDeployed(known, volatile))
      else if (was['system_fingerprint'] !== undefined) return undefined
      keep(note(note(known, decisive, true), volatile, false), { ...known.served, ...is })
      return undefined
    },
  }
}

function sameIdentity(one: ServedIdentity | undefined, other: ServedIdentity): boolean {
  return one !== undefined && Object.keys(other).every((name) => one[name] === other[name])
}

function sayChanged({ address, model }: KnownServer, differences: readonly ServedDifference[]): string {
  return `${address} serves another model under the name '${model}' than when this run was begun: ${describeDifferences(differences)}. Serve the model that it was begun with, give --out another folder, or give --accept-changed-model to go on with both in one run, which its reports then say.`
}

function sayAccepted({ address, model }: KnownServer, differences: readonly ServedDifference[]): string {
  return `${address} serves another model under the name '${model}' than when this run was begun, which is accepted and noted: ${describeDifferences(differences)}.`
}

function sayDeployed({ address, model }: KnownServer, differences: readonly ServedDifference[]): string {
  return `${address}: ${describeDifferences(differences)} for '${model}'. Hosted models are deployed anew from time to time; it is noted, and the run goes on.`
}
