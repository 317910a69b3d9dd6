/**
 * A stream of whole numbers in [0, below) that four draws of `random` decide: the generator sfc32 (Chris Doty-Humphrey, PractRand), for loops in
 * which the stream that was handed over would take longer than the work.
 */
export function wholeNumbers(random: () => number): (below: number) => number {
  const word = (): number => Math.floor(random() * 2 ** 32) | 0
  let [a, b, c, counter] = [word(), word(), word(), word()]
  const next = (): number => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    c |= 0
    return sum >>> 0
  }
  for (let warm = 0; warm < 12; warm++) next()
  return (below) => Math.floor(next() * 2 ** -32 * below)
}
