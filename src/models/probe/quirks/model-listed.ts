import { nearModel } from '../model-list.js'
import type { Quirk } from '../quirk.js'
import { sentence } from '../quirk.js'
import { bound } from '../said.js'

/** Whether the server has the model in its list. Some answer to any name, with whatever model they have. */
export const modelListed: Quirk = {
  name: 'model listed',
  find({ model, list, words, session }) {
    const { model: answered } = words.first
    const as =
      answered === undefined || answered === model
        ? ''
        : `; replies are signed '${bound(session.target.redact(answered), 100)}'`
    if (list.names === undefined)
      return { value: list.isUnknown ? 'unknown' : 'no list', evidence: `${bound(list.said, 200)}${as}` }
    if (list.names.includes(model)) return { value: 'yes', evidence: `${count(list.names)}${as}` }
    const near = nearModel(model, list.names)
    const known = near === undefined ? list.names.slice(0, 3) : [near]
    return {
      value: 'no',
      evidence: `${count(list.names)}, such as ${known.map((name) => `'${bound(name, 100)}'`).join(', ')}${as}`,
    }
  },
  means: (value) =>
    sentence(
      {
        yes: 'The name is one that the server knows.',
        no: 'The server answers all the same: check that it is the model that you mean.',
        'no list': 'The name cannot be checked; the model answers to it.',
      },
      value,
    ),
}

function count(names: readonly string[]): string {
  return names.length === 1 ? '1 model in its list' : `${String(names.length)} models in its list`
}
