/** Opens a text in base64 and gzip: JSON of a shape that the caller knows, as page and data are made together. */
export async function unpack<Shape>(text: string): Promise<Shape> {
  const binary = atob(text)
  const bytes = new Uint8Array(binary.length)
  for (let index = 0; index < binary.length; index++) bytes[index] = binary.charCodeAt(index)
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))
  return JSON.parse(await new Response(stream).text()) as Shape
}

/** The text of a data block of the page; it waits for those that stand after the script. */
export async function blockText(id: string): Promise<string> {
  if (document.getElementById(id) === null) await pageIsRead()
  const text = document.getElementById(id)?.textContent
  if (text === null || text === undefined) {
    throw new Error(`Expected the block ${id} in this page, which may have been cut short. Make the report again.`)
  }
  return text.slice(1, -1)
}

function pageIsRead(): Promise<void> {
  if (document.readyState !== 'loading') return Promise.resolve()
  return new Promise((resolve) => {
    document.addEventListener('DOMContentLoaded', () => resolve(), { once: true })
  })
}
