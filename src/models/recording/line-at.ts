import { closeSync, readSync } from 'node:fs'
import { readChecked } from '../../files/checksum.js'
import { openRegular } from '../../files/read-text.js'
import { whileReading } from '../../files/write-error.js'

/** A file from which single lines are read by offset. */
export interface PlacedLines {
  /**
   * The line at an offset in bytes, without its line end and checksum; undefined if it is damaged.
   * @throws ShaketableError `store` if the file cannot be read
   */
  lineAt(offset: number): string | undefined
  close(): void
}

const blockBytes = 1 << 16
const usualMaxBlocks = 256

/**
 * Opens a file to read lines by offset. Recent blocks are cached, since consecutive reads are mostly neighbours.
 * @param maxBlocks number of blocks of 64 KiB in the cache
 */
export function openLines(path: string, maxBlocks = usualMaxBlocks): PlacedLines {
  const file = whileReading(path, () => openRegular(path))
  const blocks = new Map<number, Buffer>()
  const blockAt = (index: number): Buffer => {
    const known = blocks.get(index)
    if (known !== undefined) return known
    const block = Buffer.allocUnsafe(blockBytes)
    const read = whileReading(path, () => readSync(file, block, 0, blockBytes, index * blockBytes))
    // The last block of a file that is being written grows.
    if (read < blockBytes) return block.subarray(0, read)
    if (blocks.size >= maxBlocks) blocks.delete(blocks.keys().next().value!)
    blocks.set(index, block)
    return block
  }
  return {
    lineAt(offset) {
      const parts: Buffer[] = []
      let index = Math.floor(offset / blockBytes)
      for (let start = offset % blockBytes; ; start = 0) {
        const block = blockAt(index++)
        const end = block.indexOf(10, start)
        if (end !== -1 && parts.length === 0) return soundText(block, start, end)
        parts.push(block.subarray(start, end === -1 ? undefined : end))
        if (end === -1 && block.length === blockBytes) continue
        const line = Buffer.concat(parts)
        return soundText(line, 0, line.length)
      }
    },
    close: () => closeSync(file),
  }
}

function soundText(bytes: Buffer, start: number, end: number): string | undefined {
  const { text, state } = readChecked(bytes.toString('utf8', start, end))
  return state === 'damaged' ? undefined : text
}
