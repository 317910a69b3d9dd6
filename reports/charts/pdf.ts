import { messageOf, ShaketableError } from '../../src/define.js'

/** What is used of a document of pdfkit. */
interface PdfDocument extends AsyncIterable<Uint8Array> {
  registerFont(name: string, source: string): { font(name: string): unknown }
  end(): void
}

/** What is used of pdfkit and svg-to-pdfkit, which have no types of their own. */
interface Packages {
  readonly PDFDocument: new (options: object) => PdfDocument
  readonly drawSvg: (document: PdfDocument, svg: string, x: number, y: number, options: object) => void
}

/** Runs of letters that Helvetica in a PDF lacks: it has those of Latin-1, and a few. */
const missing = /[^\n -~\u00a0-\u00ff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]+/gu

/**
 * An SVG chart in the colours of paper as a PDF of one page, and whether it has letters for which a font must be given;
 * the same chart gives the same bytes. Its type is Helvetica, which every reader has; a name with letters that it lacks
 * is in the font of a file, or has `?` in their place.
 * @param font path of a TrueType or OpenType font
 * @throws ShaketableError `usage` where pdfkit and svg-to-pdfkit are not installed, `bad-input` for a file that is no
 * font
 */
export async function pdfOf(svg: string, title: string, font?: string) {
  const { PDFDocument, drawSvg } = await loadPackages()
  // Helvetica has no sign of minus; an en dash is as wide as a figure.
  const drawing = svg.replace(/<(title|desc|style)\b.*?<\/\1>/gs, '').replaceAll('−', '–')
  const inOtherFont = (letters: string): string =>
    font === undefined ? '?'.repeat([...letters].length) : `<tspan font-family="other">${letters}</tspan>`
  const written = drawing.replace(/>[^<]+</g, (text) => text.replace(missing, inOtherFont))
  const [width, height] = [...drawing.matchAll(/ (?:width|height)="([\d.]+)"/g)].map(([, length]) => Number(length))
  const date = new Date(0)
  const info = { Title: title, Producer: 'shaketable', Creator: 'shaketable', CreationDate: date, ModDate: date }
  const document = new PDFDocument({ size: [width, height], margin: 0, info })
  if (font !== undefined) registerFont(document, font)
  const fontCallback = (family: string, isBold: boolean): string =>
    family === 'other' ? family : isBold ? 'Helvetica-Bold' : 'Helvetica'
  drawSvg(document, written, 0, 0, { assumePt: true, fontCallback, warningCallback: () => undefined })
  document.end()
  const parts: Uint8Array[] = []
  for await (const part of document) parts.push(part)
  return { bytes: Buffer.concat(parts), isIncomplete: font === undefined && written !== drawing }
}

function registerFont(document: PdfDocument, font: string): void {
  try {
    document.registerFont('other', font).font('other')
  } catch (thrown) {
    throw new ShaketableError(
      'bad-input',
      `Expected a font in ${font}: ${messageOf(thrown)}. Give a .ttf or .otf file.`,
      { cause: thrown },
    )
  }
}

async function loadPackages(): Promise<Packages> {
  try {
    const [{ default: PDFDocument }, { default: drawSvg }] = (await Promise.all([
      import('pdfkit' as string),
      import('svg-to-pdfkit' as string),
    ])) as [{ default: Packages['PDFDocument'] }, { default: Packages['drawSvg'] }]
    return { PDFDocument, drawSvg }
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw thrown
    const install = 'Install them: npm install pdfkit svg-to-pdfkit'
    throw new ShaketableError(
      'usage',
      `A chart as PDF needs the packages pdfkit and svg-to-pdfkit, which are not installed. ${install}`,
    )
  }
}
