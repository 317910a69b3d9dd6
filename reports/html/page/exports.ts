import { blockText, unpack } from './chunks.js'
import { make, makeButton } from './dom.js'
import { addRoving } from './roving.js'
import type { Copies } from '../packed.js'

/** Adds buttons: each table can be copied as LaTeX, Markdown and CSV, each chart saved as SVG and PNG. */
export function addExports(): void {
  for (const figure of document.querySelectorAll<HTMLElement>('figure[data-copy]')) {
    const id = figure.dataset['copy']!
    const button = (title: string, format: keyof Copies): HTMLElement =>
      actionButton(title, `Copy this table as ${title}`, 'copied', async () => copyText((await copiesOf(id))[format]))
    const buttons = [button('LaTeX', 'latex'), button('Markdown', 'markdown'), button('CSV', 'csv')]
    addTools(figure, 'Copy', buttons)
  }
  for (const figure of document.querySelectorAll<HTMLElement>('figure[data-file]')) {
    const drawing = figure.querySelector('svg')
    if (drawing === null) continue
    const name = figure.dataset['file']!
    const buttons = [
      actionButton('SVG', 'Save this chart as SVG', 'saved', () =>
        save(`${name}.svg`, new Blob([standalone(drawing)], { type: 'image/svg+xml' })),
      ),
      actionButton('PNG', 'Save this chart as PNG', 'saved', async () => save(`${name}.png`, await paint(drawing))),
    ]
    addTools(figure, 'Save', buttons)
  }
}

function addTools(figure: HTMLElement, name: string, buttons: readonly HTMLElement[]): void {
  const tools = make('div', { class: 'tools', role: 'toolbar', 'aria-label': name }, name, buttons)
  const heading = figure.querySelector(':scope > h3')
  if (heading === null) figure.querySelector('.filters')?.append(tools)
  else heading.after(tools)
  addRoving(tools)
}

/** A button that says what it did, or that it failed. */
function actionButton(text: string, title: string, done: string, act: () => void | Promise<void>): HTMLElement {
  const said = make('span', { class: 'said', role: 'status' })
  const say = (words: string): void => {
    said.textContent = words
    setTimeout(() => (said.textContent = ''), 2000)
  }
  const run = async (): Promise<void> => {
    try {
      await act()
      say(` ${done}`)
    } catch (thrown) {
      say(` failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`)
    }
  }
  return makeButton([text, said], () => void run(), { title, 'aria-label': title })
}

let unpacked: Promise<Readonly<Record<string, Copies>>> | undefined

/** The copies of a table, unpacked at the first use. */
async function copiesOf(id: string): Promise<Copies> {
  unpacked ??= blockText('copies').then((text) => unpack<Readonly<Record<string, Copies>>>(text))
  const copies = (await unpacked)[id]
  if (copies === undefined) throw new Error('this page has no text of the table; it is in the files beside it.')
  return copies
}

/** Browsers that forbid the clipboard to pages on a disk still copy a selection. */
async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    const area = make('textarea', { class: 'copied', 'aria-hidden': 'true' })
    const { activeElement } = document
    area.value = text
    document.body.append(area)
    area.select()
    const isCopied = document.execCommand('copy')
    area.remove()
    if (activeElement instanceof HTMLElement) activeElement.focus()
    if (!isCopied) throw new Error('the browser does not allow it.')
  }
}

function save(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  make('a', { href: address, download: name }).click()
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** A chart as a file of its own: on white, in the light colours that its elements name. */
function standalone(drawing: SVGSVGElement): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement
  for (const name of ['tabindex', 'class']) copy.removeAttribute(name)
  for (const marked of copy.querySelectorAll('[aria-label]')) {
    const title = document.createElementNS(copy.namespaceURI, 'title')
    title.textContent = marked.getAttribute('aria-label')
    marked.removeAttribute('aria-label')
    marked.prepend(title)
  }
  const { x, y, width, height } = drawing.viewBox.baseVal
  const paper = document.createElementNS(copy.namespaceURI, 'rect')
  for (const [name, value] of Object.entries({ x, y, width, height })) paper.setAttribute(name, String(value))
  paper.setAttribute('fill', '#ffffff')
  copy.querySelector('desc')?.after(paper)
  return new XMLSerializer().serializeToString(copy)
}

/** Pixels for each unit of a chart. */
const pictureScale = 2

async function paint(drawing: SVGSVGElement): Promise<Blob> {
  const { width, height } = drawing.viewBox.baseVal
  const picture = new Image(width * pictureScale, height * pictureScale)
  picture.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standalone(drawing))}`
  await picture.decode()
  const canvas = make('canvas', { width: width * pictureScale, height: height * pictureScale })
  canvas.getContext('2d')!.drawImage(picture, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob === null) reject(new Error('the browser could not draw it.'))
      else resolve(blob)
    }, 'image/png')
  })
}
