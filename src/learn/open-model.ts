import type { Model } from '../core/model.js'
import { learnedFormat } from './learned-model.js'
import { openerOf, openModelFile } from './model-file.js'
import { transformerFormat } from './transformer/transformer-file.js'

const formats = [openerOf(learnedFormat), openerOf(transformerFormat)]

/**
 * Opens a trained model of any kind. The hash of its file is one of its settings.
 * @throws ShaketableError `bad-input` for a file that is missing, too long, damaged, of another version, or not a model
 */
export function openModel(path: string, name = `learned:${path}`): Model {
  return openModelFile(path, name, formats)
}
