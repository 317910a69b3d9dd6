/** A share of 1 in percent with one decimal: `93.3 %`. */
export function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}

/** The same for a sentence, without decimals: `98 %`, `more than 99 %`, `less than 1 %`. */
export function about(share: number): string {
  if (share > 0.99 && share < 1) return 'more than 99 %'
  if (share > 0 && share < 0.01) return 'less than 1 %'
  return `${String(Math.round(100 * share))} %`
}

/** A difference of shares in points with its sign: `−93.3`. */
export function points(share: number): string {
  const text = (100 * Math.abs(share)).toFixed(1)
  if (Number(text) === 0) return text
  return `${share < 0 ? '−' : '+'}${text}`
}

/** The size of a difference of shares in points: `93.3`. */
export function size(share: number): string {
  return points(share).replace(/^[−+]/, '')
}

/** An interval of differences: `[−95.0, −91.0]`. */
export function interval({ low, high }: { readonly low: number; readonly high: number }): string {
  return `[${points(low)}, ${points(high)}]`
}

/** A p-value: `p < 0.001`, `p = 0.021`, `p = 0.31`. */
export function pValue(p: number): string {
  if (p < 0.001) return 'p < 0.001'
  return `p = ${p < 0.1 ? p.toFixed(3) : p.toFixed(2)}`
}

const maxChange = 60

/** `go to → move to`: what stands around the arrow of a summary, if it is one change and short. */
export function shortChange(summary: string): string | undefined {
  const change = /^(?:[^:→]*: )?([^→]+) → ([^→]+)$/.exec(summary)
  if (change === null) return undefined
  const [before, after] = [change[1]!, change[2]!]
  const slot = /^[^{}]+( \{\w+\})$/.exec(before)?.[1]
  const isOne = slot !== undefined && after.endsWith(slot) && after.indexOf('{') === after.length - slot.length + 1
  const text = isOne ? `${before.slice(0, -slot.length)} → ${after.slice(0, -slot.length)}` : `${before} → ${after}`
  return text.length <= maxChange && !text.includes(', ') ? text : undefined
}
