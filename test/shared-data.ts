import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../shared/data', import.meta.url))

/**
 * The folder of recordings and benchmark data that some tests compare with; undefined if it is absent, in which case
 * those tests are skipped.
 */
export const sharedData: string | undefined = existsSync(folder) ? folder : undefined
