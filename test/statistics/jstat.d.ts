/** The parts of jStat that the tests use as a second reference; it ships no types. */
declare module 'jstat' {
  interface Distribution<Parameters extends number[]> {
    cdf(x: number, ...parameters: Parameters): number
    inv(probability: number, ...parameters: Parameters): number
    pdf(x: number, ...parameters: Parameters): number
  }
  const jStat: {
    gammaln(x: number): number
    betaln(a: number, b: number): number
    ibeta(x: number, a: number, b: number): number
    erf(x: number): number
    spearmancoeff(first: number[], second: number[]): number
    corrcoeff(first: number[], second: number[]): number
    anovafscore(groups: number[][]): number
    readonly normal: Distribution<[mean: number, deviation: number]>
    readonly studentt: Distribution<[df: number]>
    readonly chisquare: Distribution<[df: number]>
    readonly centralF: Distribution<[first: number, second: number]>
    readonly beta: Distribution<[a: number, b: number]>
    readonly binomial: Distribution<[trials: number, share: number]>
    readonly hypgeom: Distribution<[population: number, successes: number, draws: number]>
  }
  export default jStat
}
