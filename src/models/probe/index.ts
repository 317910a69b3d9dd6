export type { Finding, ProbeOptions, ProbeReport } from './probe-server.js'
export { compareServed, sayDifferences, withFingerprint } from './identity.js'
export { identifyServed, meaningOf, probeServer } from './probe-server.js'
