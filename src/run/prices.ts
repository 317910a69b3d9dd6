import * as z from 'zod'
import { ShaketableError, messageOf, nearMiss } from '../core/errors.js'
import { readRegular } from '../files/read-text.js'

/** What a million tokens of a model cost, in any currency. */
interface Price {
  readonly prompt: number
  readonly completion: number
}

/** Prices by model. */
export type Prices = ReadonlyMap<string, Price>

const amount = z.number().nonnegative()
const schema = z.record(z.string(), z.strictObject({ prompt: amount, completion: amount }))

/**
 * Reads a file of prices, which has to name every one of these models.
 * @throws ShaketableError `bad-input` with the place in the file, `usage` for a model without a price
 */
export function readPrices(path: string, models: Iterable<string>): Prices {
  let value: unknown
  try {
    value = JSON.parse(readRegular(path).toString('utf8'))
  } catch (thrown) {
    throw new ShaketableError(
      'bad-input',
      `--prices: expected a JSON file of prices, but ${path} cannot be read: ${messageOf(thrown)}. It looks like {"my-model": {"prompt": 0.5, "completion": 1.5}}, for a million tokens.`,
    )
  }
  const read = schema.safeParse(value)
  if (!read.success) {
    const { path: place, message } = read.error.issues[0]!
    throw new ShaketableError(
      'bad-input',
      `--prices: ${path}: at '${place.join('.')}', ${message}. A model's price is {"prompt": 0.5, "completion": 1.5}, for a million tokens.`,
    )
  }
  const prices = new Map(Object.entries(read.data))
  for (const model of models) {
    if (prices.has(model)) continue
    const near = nearMiss(model, prices.keys())
    throw new ShaketableError(
      'usage',
      `--prices: ${path} has no price for the model '${model}'${near === undefined ? '' : `, but one for '${near}'`}. Add it, since a cost that is not known cannot be limited.`,
    )
  }
  return prices
}
