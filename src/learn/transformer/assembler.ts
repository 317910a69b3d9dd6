/** WebAssembly instructions as bytes. An expression leaves one value on the stack, a statement none. */
export type Code = readonly number[]

/** Types of values: a 32-bit integer, a float, four floats. */
export const types = { i32: 0x7f, f32: 0x7d, v128: 0x7b } as const
type Type = keyof typeof types

function unsigned(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest > 127; rest >>>= 7) bytes.push((rest & 127) | 128)
  return [...bytes, rest]
}

function signed(value: number): number[] {
  const bytes: number[] = []
  let rest = value
  for (; rest < -64 || rest > 63; rest >>= 7) bytes.push((rest & 127) | 128)
  return [...bytes, rest & 127]
}

const simd = (operation: number): number[] => [0xfd, ...unsigned(operation)]
const floatBytes = (value: number): Uint8Array => new Uint8Array(new Float32Array(4).fill(value).buffer)
const intBytes = (value: number): Uint8Array => new Uint8Array(new Int32Array(4).fill(value).buffer)

export const get = (local: number): Code => [0x20, ...unsigned(local)]
export const set = (local: number, value: Code): Code => [...value, 0x21, ...unsigned(local)]
export const int = (value: number): Code => [0x41, ...signed(value)]
export const add = (a: Code, b: Code): Code => [...a, ...b, 0x6a]
export const times = (a: Code, b: Code): Code => [...a, ...b, 0x6c]
export const shiftRight = (a: Code, bits: number): Code => [...a, ...int(bits), 0x76]
export const increase = (local: number, by: Code): Code => set(local, add(get(local), by))

/** Four floats: all of one value, from a float, at an address, one at an address repeated. Offsets are in bytes. */
export const floats = (value: number): Code => [...simd(12), ...floatBytes(value)]
export const ints = (value: number): Code => [...simd(12), ...intBytes(value)]
export const spread = (value: Code): Code => [...value, ...simd(0x13)]
export const load = (address: Code, offset = 0): Code => [...address, ...simd(0), 0, ...unsigned(offset)]
export const loadOne = (address: Code, offset = 0): Code => [...address, ...simd(9), 2, ...unsigned(offset)]
export const store = (address: Code, value: Code, offset = 0): Code => [
  ...address,
  ...value,
  ...simd(11),
  0,
  ...unsigned(offset),
]

const binary =
  (operation: number) =>
  (a: Code, b: Code): Code => [...a, ...b, ...simd(operation)]
export const addFloats = binary(0xe4)
export const subtractFloats = binary(0xe5)
export const timesFloats = binary(0xe6)
export const divideFloats = binary(0xe7)
export const maxFloats = binary(0xe9)
export const addInts = binary(0xae)
export const nearest = (value: Code): Code => [...value, ...simd(0x6a)]
export const toInts = (value: Code): Code => [...value, ...simd(0xf8)]
export const shiftInts = (value: Code, bits: number): Code => [...value, ...int(bits), ...simd(0xab)]
/** Four of the eight floats of two vectors. */
export const choose = (a: Code, b: Code, lanes: readonly number[]): Code => [
  ...a,
  ...b,
  ...simd(13),
  ...lanes.flatMap((lane) => [4 * lane, 4 * lane + 1, 4 * lane + 2, 4 * lane + 3]),
]

/** Repeats a statement while a counter, which is at least 1 at the start, is not 0. */
export const repeat = (counter: number, body: Code): Code => [
  0x03,
  0x40,
  ...body,
  ...get(counter),
  ...int(1),
  0x6b,
  0x22,
  ...unsigned(counter),
  0x0d,
  0,
  0x0b,
]
export const when = (condition: Code, yes: Code, no: Code): Code => [
  ...condition,
  0x04,
  0x40,
  ...yes,
  0x05,
  ...no,
  0x0b,
]

/** A function of a module. */
export interface AssembledFunction {
  readonly name: string
  readonly parameters: readonly Type[]
  readonly code: Code
}

/**
 * Assembles a function without a result.
 * @param build gets a function that adds a local variable, and the parameters
 */
export function assemble(
  name: string,
  parameters: readonly Type[],
  build: (local: (type: Type) => number, ...parameters: number[]) => Code,
): AssembledFunction {
  const locals: Type[] = []
  const local = (type: Type): number => parameters.length + locals.push(type) - 1
  const body = build(local, ...parameters.keys())
  const declared = locals.flatMap((type) => [1, types[type]])
  return { name, parameters, code: [...unsigned(locals.length), ...declared, ...body, 0x0b] }
}

/** The bytes of a module that imports a shared memory as `env.memory` and exports functions. */
export function assembleModule(functions: readonly AssembledFunction[]): Uint8Array<ArrayBuffer> {
  const text = (value: string): number[] => [...unsigned(value.length), ...Buffer.from(value)]
  const section = (id: number, content: Code): number[] => [id, ...unsigned(content.length), ...content]
  const list = (items: readonly Code[]): number[] => [...unsigned(items.length), ...items.flat()]
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, list(functions.map(({ parameters }) => [0x60, ...list(parameters.map((one) => [types[one]])), 0]))),
    ...section(2, list([[...text('env'), ...text('memory'), 2, 3, ...unsigned(1), ...unsigned(65_536)]])),
    ...section(3, list(functions.map((_, at) => unsigned(at)))),
    ...section(7, list(functions.map(({ name }, at) => [...text(name), 0, ...unsigned(at)]))),
    ...section(10, list(functions.map(({ code }) => [...unsigned(code.length), ...code]))),
  ])
}
