/** A share of 1 in percent with one decimal: `93.3 %`. */
export function percent(share: number): string {
  return `${fixed(100 * share)} %`
}

/** The same for a sentence, without a decimal where there is no need: `98 %`, `0.4 %`, `more than 99 %`. */
export function about(share: number): string {
  if (share > 0.99 && share < 1) return 'more than 99 %'
  if (share > 0 && share < 0.01) return 'less than 1 %'
  return `${String(Math.round(100 * share))} %`
}

/** A difference of shares in points with its sign: `−93.3`. */
export function points(share: number): string {
  const text = fixed(100 * Math.abs(share))
  if (Number(text) === 0) return text
  return `${share < 0 ? '−' : '+'}${text}`
}

/** An interval of differences: `[−95.0, −91.0]`. */
export function interval({ low, high }: { readonly low: number; readonly high: number }): string {
  return `[${points(low)}, ${points(high)}]`
}

/** A p-value as people write it: `p < 0.001`, `p = 0.021`, `p = 0.31`. */
export function pValue(p: number): string {
  if (p < 0.001) return 'p < 0.001'
  return `p = ${p < 0.1 ? p.toFixed(3) : p.toFixed(2)}`
}

/** Three digits as `0.03` are enough for p; a rate has one decimal. */
function fixed(value: number): string {
  return value.toFixed(1)
}
