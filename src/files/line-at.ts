import { closeSync, openSync, readSync } from 'node:fs'

/** A file of which single lines are read by their places. */
export interface PlacedLines {
  /** The line that begins so many bytes from the start of the file, without its line end. */
  lineAt(offset: number): string
  close(): void
}

const blockBytes = 1 << 16
const mostBlocks = 256

/** Opens a file to read lines by their places; the blocks that were read last are kept, as lines that are wanted together mostly are neighbours. */
export function openLines(path: string): PlacedLines {
  const file = openSync(path, 'r')
  const blocks = new Map<number, Buffer>()
  const blockAt = (index: number): Buffer => {
    const known = blocks.get(index)
    if (known !== undefined) return known
    const block = Buffer.allocUnsafe(blockBytes)
    const read = readSync(file, block, 0, blockBytes, index * blockBytes)
    if (blocks.size >= mostBlocks) blocks.delete(blocks.keys().next().value!)
    const kept = block.subarray(0, read)
    blocks.set(index, kept)
    return kept
  }
  return {
    lineAt(offset) {
      const parts: Buffer[] = []
      let index = Math.floor(offset / blockBytes)
      for (let start = offset % blockBytes; ; start = 0) {
        const block = blockAt(index++)
        const end = block.indexOf(10, start)
        if (end !== -1 && parts.length === 0) return block.toString('utf8', start, end)
        parts.push(block.subarray(start, end === -1 ? undefined : end))
        if (end !== -1 || block.length < blockBytes) return Buffer.concat(parts).toString('utf8')
      }
    },
    close: () => closeSync(file),
  }
}
