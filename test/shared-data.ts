import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../shared/data', import.meta.url))

/**
 * The folder of recordings and benchmark data that some tests compare with; undefined where it is absent and those
 * tests are skipped.
 */
export const sharedData: string | undefined = existsSync(folder) ? folder : undefined
