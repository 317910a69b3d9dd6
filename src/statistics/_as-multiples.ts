const slack = 1e-10

/**
 * The values as whole multiples of the largest unit that they share, up to rounding errors; undefined where the largest value would be more than `most`
 * units. Euclid's algorithm with remainders that count as 0 below 1e−10 of the largest value, of which the unit is kept a whole part so that
 * errors do not add up. `values` holds no 0.
 */
export function asMultiples(values: readonly number[], most: number): number[] | undefined {
  const largest = values.reduce((size, value) => Math.max(size, Math.abs(value)), 0)
  let unit = largest
  for (const value of values) {
    let rest = Math.abs(value)
    while (rest > slack * largest) [unit, rest] = [rest, Math.abs(unit - rest * Math.round(unit / rest))]
    if (unit * most < largest) return undefined
    unit = largest / Math.round(largest / unit)
  }
  const multiples = values.map((value) => Math.round(value / unit))
  const fits = (multiple: number, place: number): boolean =>
    multiple !== 0 && Math.abs(values[place]! / unit - multiple) < 1e-6
  return multiples.every(fits) ? multiples : undefined
}
