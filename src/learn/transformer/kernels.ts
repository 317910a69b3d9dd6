import {
  add,
  addFloats,
  addInts,
  assemble,
  assembleModule,
  choose,
  divideFloats,
  floats,
  get,
  increase,
  int,
  ints,
  load,
  loadOne,
  maxFloats,
  nearest,
  repeat,
  set,
  shiftInts,
  shiftRight,
  spread,
  store,
  subtractFloats,
  times,
  timesFloats,
  toInts,
  when,
} from './assembler.js'
import type { AssembledFunction, Code } from './assembler.js'

/**
 * Arithmetic on float32 arrays in a memory. Places and strides are counted in floats. The order of additions depends on
 * the sizes alone, so results are equal to the bit on every machine.
 */
export interface Kernels {
  /**
   * `c (+)= a b`, with `a` of `rows × inner` and `b` packed.
   * @param rows a multiple of 4, as is `inner`
   * @param columns a multiple of 8
   * @param panel floats from one panel of `b` to the next
   */
  multiply(
    c: number,
    cStride: number,
    a: number,
    aStride: number,
    b: number,
    panel: number,
    rows: number,
    inner: number,
    columns: number,
    isAdded?: boolean,
  ): void
  /** The same with the transpose of `a`, which is `inner × rows`. */
  multiplyTransposed: Kernels['multiply']
  /** Packs a matrix of `rows × columns` for {@link multiply}: panels of 8 columns, row after row. */
  pack(source: number, stride: number, rows: number, columns: number, target: number, panel: number): void
  /** Packs the transpose of a matrix: `rows × columns` is the size of the transpose. */
  packTransposed: Kernels['pack']
  /** `target += a * b` by elements; lengths are multiples of 4. */
  addProduct(target: number, a: number, b: number, length: number): void
  setProduct(target: number, a: number, b: number, length: number): void
  addTo(target: number, source: number, length: number): void
  /** The square of the positive part. */
  squareRelu(target: number, source: number, length: number): void
  /** The gradient before {@link squareRelu}, in place of that after it. */
  squareReluBack(gradient: number, source: number, length: number): void
  /** Softmax of `scale` times a row. */
  softmax(row: number, length: number, scale: number): void
  /** The gradient before {@link softmax}, in place of that after it. */
  softmaxBack(probabilities: number, gradient: number, length: number, scale: number): void
}

/** Memory that threads share. */
export interface SharedMemory {
  readonly buffer: SharedArrayBuffer
}

/** The part of WebAssembly that is used; Node's types do not declare it. */
const { WebAssembly } = globalThis as unknown as {
  readonly WebAssembly: {
    readonly Memory: new (size: { initial: number; maximum: number; shared: true }) => SharedMemory
    readonly Module: new (bytes: Uint8Array) => object
    readonly Instance: new (module: object, imports: object) => { readonly exports: object }
  }
}

const pageBytes = 65_536

/** Creates a memory of at least a number of floats, all 0. */
export function createMemory(floats: number): SharedMemory {
  const pages = Math.max(1, Math.ceil((4 * floats) / pageBytes))
  return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
}

const i32 = 'i32'
const v128 = 'v128'
const zero = floats(0)

/** A block of 4 × 8 results is held in registers; the second operand is read in panels of 8 columns. */
function multiplication(name: string, isTransposed: boolean): AssembledFunction {
  const parameters = Array.from({ length: 10 }, () => i32 as 'i32')
  return assemble(name, parameters, (local, ...given) => {
    const [c, cStride, a, aStride, b, panel, rowBlocks, inner, panels, isAdded] = given as [
      ...[number, number, number, number, number],
      ...[number, number, number, number, number],
    ]
    const [cAt, aAt, bAt, rowCount, steps] = [local(i32), local(i32), local(i32), local(i32), local(i32)]
    const starts = [0, 1, 2, 3].map(() => local(i32))
    const sums = [0, 1, 2, 3].map(() => [local(v128), local(v128)] as const)
    const [left, right, one] = [local(v128), local(v128), local(v128)]
    const unrolled = 4
    const rowOfC = (row: number): Code => add(get(cAt), times(get(cStride), int(row)))
    const step = (index: number): Code => [
      ...set(left, load(get(bAt), 32 * index)),
      ...set(right, load(get(bAt), 32 * index + 16)),
      ...sums.flatMap(([low, high], row) => [
        ...set(one, isTransposed ? loadOne(get(starts[0]!), 4 * row) : loadOne(get(starts[row]!), 4 * index)),
        ...set(low, addFloats(get(low), timesFloats(get(one), get(left)))),
        ...set(high, addFloats(get(high), timesFloats(get(one), get(right)))),
      ]),
      ...(isTransposed ? increase(starts[0]!, get(aStride)) : []),
    ]
    return repeat(panels, [
      ...set(cAt, get(c)),
      ...set(aAt, get(a)),
      ...set(rowCount, get(rowBlocks)),
      ...repeat(rowCount, [
        ...set(starts[0]!, get(aAt)),
        ...(isTransposed
          ? []
          : [1, 2, 3].flatMap((row) => set(starts[row]!, add(get(starts[row - 1]!), get(aStride))))),
        ...set(bAt, get(b)),
        ...set(steps, shiftRight(get(inner), 2)),
        ...when(
          get(isAdded),
          sums.flatMap(([low, high], row) => [...set(low, load(rowOfC(row))), ...set(high, load(rowOfC(row), 16))]),
          sums.flatMap(([low, high]) => [...set(low, zero), ...set(high, zero)]),
        ),
        ...repeat(steps, [
          ...[0, 1, 2, 3].flatMap(step),
          ...(isTransposed ? [] : starts.flatMap((start) => increase(start, int(4 * unrolled)))),
          ...increase(bAt, int(32 * unrolled)),
        ]),
        ...sums.flatMap(([low, high], row) => [...store(rowOfC(row), get(low)), ...store(rowOfC(row), get(high), 16)]),
        ...increase(cAt, times(get(cStride), int(4))),
        ...increase(aAt, isTransposed ? int(16) : times(get(aStride), int(4))),
      ]),
      ...increase(b, get(panel)),
      ...increase(c, int(32)),
    ])
  })
}

const pack = assemble('pack', [i32, i32, i32, i32, i32, i32], (local, ...given) => {
  const [source, stride, rows, panels, target, panel] = given as [number, number, number, number, number, number]
  const [from, to, row] = [local(i32), local(i32), local(i32)]
  return repeat(panels, [
    ...set(from, get(source)),
    ...set(to, get(target)),
    ...set(row, get(rows)),
    ...repeat(row, [
      ...store(get(to), load(get(from))),
      ...store(get(to), load(get(from), 16), 16),
      ...increase(from, get(stride)),
      ...increase(to, int(32)),
    ]),
    ...increase(source, int(32)),
    ...increase(target, get(panel)),
  ])
})

/** Transposes blocks of 4 × 4; the rows of the transpose are a multiple of 4. */
const packTransposed = assemble('packTransposed', [i32, i32, i32, i32, i32, i32], (local, ...given) => {
  const [source, stride, rows, panels, target, panel] = given as [number, number, number, number, number, number]
  const [half, halfFrom, halfTo] = [local(i32), local(i32), local(i32)]
  const [from, to, row] = [local(i32), local(i32), local(i32)]
  const [a, b, c, d] = [local(v128), local(v128), local(v128), local(v128)]
  const [e, f, g, h] = [local(v128), local(v128), local(v128), local(v128)]
  return repeat(panels, [
    ...set(half, int(2)),
    ...set(halfFrom, get(source)),
    ...set(halfTo, get(target)),
    ...repeat(half, [
      ...set(from, get(halfFrom)),
      ...set(to, get(halfTo)),
      ...set(row, shiftRight(get(rows), 2)),
      ...repeat(row, [
        ...[a, b, c, d].flatMap((one, at) => set(one, load(add(get(from), times(get(stride), int(at)))))),
        ...set(e, choose(get(a), get(b), [0, 4, 1, 5])),
        ...set(f, choose(get(a), get(b), [2, 6, 3, 7])),
        ...set(g, choose(get(c), get(d), [0, 4, 1, 5])),
        ...set(h, choose(get(c), get(d), [2, 6, 3, 7])),
        ...store(get(to), choose(get(e), get(g), [0, 1, 4, 5])),
        ...store(get(to), choose(get(e), get(g), [2, 3, 6, 7]), 32),
        ...store(get(to), choose(get(f), get(h), [0, 1, 4, 5]), 64),
        ...store(get(to), choose(get(f), get(h), [2, 3, 6, 7]), 96),
        ...increase(from, int(16)),
        ...increase(to, int(128)),
      ]),
      ...increase(halfFrom, times(get(stride), int(4))),
      ...increase(halfTo, int(16)),
    ]),
    ...increase(source, times(get(stride), int(8))),
    ...increase(target, get(panel)),
  ])
})

/** A function that sets each four floats of its first argument from those of its arguments. */
const byElements = (name: string, count: number, value: (...at: Code[]) => Code): AssembledFunction =>
  assemble(
    name,
    Array.from({ length: count + 1 }, () => i32),
    (_, ...given) => {
      const places = given.slice(0, count)
      return repeat(given[count]!, [
        ...store(get(places[0]!), value(...places.map((place) => load(get(place))))),
        ...places.flatMap((place) => increase(place, int(16))),
      ])
    },
  )

const positive = (value: Code): Code => maxFloats(value, zero)

/** Combines the four floats of a local, each of which then holds the result. */
const combine = (local: number, operation: (a: Code, b: Code) => Code): Code =>
  [
    [2, 3, 0, 1],
    [1, 0, 3, 2],
  ].flatMap((lanes) => set(local, operation(get(local), choose(get(local), get(local), lanes))))

/** e to the power of a value in a local: a power of 2 times a polynomial of the rest. */
const exponential = (value: number, whole: number, rest: number): Code => [
  ...set(value, maxFloats(get(value), floats(-80))),
  ...set(whole, nearest(timesFloats(get(value), floats(1 / Math.LN2)))),
  ...set(rest, subtractFloats(get(value), timesFloats(get(whole), floats(Math.LN2)))),
  ...set(value, floats(1 / 720)),
  ...[1 / 120, 1 / 24, 1 / 6, 1 / 2, 1, 1].flatMap((factor) =>
    set(value, addFloats(timesFloats(get(value), get(rest)), floats(factor))),
  ),
  ...set(value, timesFloats(get(value), shiftInts(addInts(toInts(get(whole)), ints(127)), 23))),
]

const softmax = assemble('softmax', [i32, i32, 'f32'], (local, ...given) => {
  const [row, length, scale] = given as [number, number, number]
  const [at, count] = [local(i32), local(i32)]
  const [value, whole, rest, scales, most, sum] = [0, 1, 2, 3, 4, 5].map(() => local(v128)) as [
    ...[number, number, number],
    ...[number, number, number],
  ]
  const each = (body: Code): Code => [
    ...set(at, get(row)),
    ...set(count, get(length)),
    ...repeat(count, [...body, ...increase(at, int(16))]),
  ]
  return [
    ...set(scales, spread(get(scale))),
    ...set(most, floats(-3e38)),
    ...each(set(most, maxFloats(get(most), load(get(at))))),
    ...combine(most, maxFloats),
    ...set(sum, zero),
    ...each([
      ...set(value, timesFloats(subtractFloats(load(get(at)), get(most)), get(scales))),
      ...exponential(value, whole, rest),
      ...store(get(at), get(value)),
      ...set(sum, addFloats(get(sum), get(value))),
    ]),
    ...combine(sum, addFloats),
    ...set(sum, divideFloats(floats(1), get(sum))),
    ...each(store(get(at), timesFloats(load(get(at)), get(sum)))),
  ]
})

const softmaxBack = assemble('softmaxBack', [i32, i32, i32, 'f32'], (local, ...given) => {
  const [probabilities, gradient, length, scale] = given as [number, number, number, number]
  const [at, other, count, sum, scales] = [local(i32), local(i32), local(i32), local(v128), local(v128)]
  const each = (body: Code): Code => [
    ...set(at, get(probabilities)),
    ...set(other, get(gradient)),
    ...set(count, get(length)),
    ...repeat(count, [...body, ...increase(at, int(16)), ...increase(other, int(16))]),
  ]
  return [
    ...set(scales, spread(get(scale))),
    ...set(sum, zero),
    ...each(set(sum, addFloats(get(sum), timesFloats(load(get(at)), load(get(other)))))),
    ...combine(sum, addFloats),
    ...each(
      store(
        get(other),
        timesFloats(timesFloats(load(get(at)), subtractFloats(load(get(other)), get(sum))), get(scales)),
      ),
    ),
  ]
})

const functions = [
  multiplication('multiply', false),
  multiplication('multiplyTransposed', true),
  pack,
  packTransposed,
  byElements('addProduct', 3, (target, a, b) => addFloats(target!, timesFloats(a!, b!))),
  byElements('setProduct', 3, (_, a, b) => timesFloats(a!, b!)),
  byElements('addTo', 2, (target, source) => addFloats(target!, source!)),
  byElements('squareRelu', 2, (_, source) => timesFloats(positive(source!), positive(source!))),
  byElements('squareReluBack', 2, (gradient, source) =>
    timesFloats(gradient!, addFloats(positive(source!), positive(source!))),
  ),
  softmax,
  softmaxBack,
]

let compiled: object | undefined

/** The kernels on a memory, which is shared. They are WebAssembly with 128-bit vectors, without relaxed operations. */
export function createKernels(memory: SharedMemory): Kernels {
  compiled ??= new WebAssembly.Module(assembleModule(functions))
  const { exports } = new WebAssembly.Instance(compiled, { env: { memory } })
  const raw = exports as unknown as Readonly<Record<keyof Kernels, (...numbers: number[]) => void>>
  const product =
    (kernel: (...numbers: number[]) => void): Kernels['multiply'] =>
    (c, cStride, a, aStride, b, panel, rows, inner, columns, isAdded = false) =>
      kernel(
        ...[4 * c, 4 * cStride, 4 * a, 4 * aStride, 4 * b, 4 * panel],
        ...[rows / 4, inner, columns / 8, isAdded ? 1 : 0],
      )
  return {
    multiply: product(raw.multiply),
    multiplyTransposed: product(raw.multiplyTransposed),
    pack: (source, stride, rows, columns, target, panel) =>
      raw.pack(4 * source, 4 * stride, rows, columns / 8, 4 * target, 4 * panel),
    packTransposed: (source, stride, rows, columns, target, panel) =>
      raw.packTransposed(4 * source, 4 * stride, rows, columns / 8, 4 * target, 4 * panel),
    addProduct: (target, a, b, length) => raw.addProduct(4 * target, 4 * a, 4 * b, length / 4),
    setProduct: (target, a, b, length) => raw.setProduct(4 * target, 4 * a, 4 * b, length / 4),
    addTo: (target, source, length) => raw.addTo(4 * target, 4 * source, length / 4),
    squareRelu: (target, source, length) => raw.squareRelu(4 * target, 4 * source, length / 4),
    squareReluBack: (gradient, source, length) => raw.squareReluBack(4 * gradient, 4 * source, length / 4),
    softmax: (row, length, scale) => raw.softmax(4 * row, length / 4, scale),
    softmaxBack: (probabilities, gradient, length, scale) =>
      raw.softmaxBack(4 * probabilities, 4 * gradient, length / 4, scale),
  }
}
