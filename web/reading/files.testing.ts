import { strToU8, zipSync } from 'fflate'

/** Files as programs make them, as small as they can be. */

type Entries = Record<string, string>

const zipped = (entries: Entries, name: string, type = ''): File =>
  new File([zipSync(Object.fromEntries(Object.entries(entries).map(([path, text]) => [path, strToU8(text)])))], name, {
    type,
  })

const WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
const RELATIONS = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'
const TYPES = '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>'

const wordStyles = `<w:styles ${WORD}>
  <w:style w:type="paragraph" w:styleId="1"><w:name w:val="heading 1"/></w:style>
  <w:style w:type="paragraph" w:styleId="Own"><w:name w:val="Mine"/><w:basedOn w:val="1"/></w:style></w:styles>`
const wordNumbering = `<w:numbering ${WORD}>
  <w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl></w:abstractNum>
  <w:abstractNum w:abstractNumId="8"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>
  <w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num></w:numbering>`

/** A Word document with this body. */
export function aWordFile(body: string, further: Entries = {}, name = 'report.docx'): File {
  return zipped(
    {
      '[Content_Types].xml': TYPES,
      'word/document.xml': `<?xml version="1.0"?><w:document ${WORD}><w:body>${body}</w:body></w:document>`,
      'word/styles.xml': wordStyles,
      'word/numbering.xml': wordNumbering,
      ...further,
    },
    name,
  )
}

export const paragraph = (text: string, properties = ''): string =>
  `<w:p>${properties === '' ? '' : `<w:pPr>${properties}</w:pPr>`}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`

/** A workbook: sheets by their names, and what is in their rows. */
export function aWorkbook(sheets: Record<string, string>, strings: readonly string[] = [], name = 'costs.xlsx'): File {
  const names = Object.keys(sheets)
  const list = names.map((sheet, at) => `<sheet name="${sheet}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`).join('')
  const relations = names.map(
    (_, at) => `<Relationship Id="rId${at + 1}" Type="x/worksheet" Target="worksheets/s${at}.xml"/>`,
  )
  return zipped(
    {
      '[Content_Types].xml': TYPES,
      'xl/workbook.xml': `<workbook><sheets>${list}</sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships ${RELATIONS}>${relations.join('')}</Relationships>`,
      'xl/styles.xml':
        '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy&quot;年&quot;m&quot;月&quot;d&quot;日&quot;"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="9"/><xf numFmtId="164"/></cellXfs></styleSheet>',
      'xl/sharedStrings.xml': `<sst>${strings.map(text => `<si><t>${text}</t></si>`).join('')}</sst>`,
      ...Object.fromEntries(
        Object.values(sheets).map((rows, at) => [
          `xl/worksheets/s${at}.xml`,
          `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
        ]),
      ),
    },
    name,
  )
}

/** A presentation: the shapes of each slide, and what its speaker says. */
export function aPresentation(slides: readonly { shapes: string; notes?: string }[], name = 'talk.pptx'): File {
  const files: Entries = { '[Content_Types].xml': TYPES }
  const ids = slides.map((_, at) => `<p:sldId id="${256 + at}" r:id="rId${at + 1}"/>`).join('')
  files['ppt/presentation.xml'] = `<p:presentation><p:sldIdLst>${ids}</p:sldIdLst></p:presentation>`
  // The files are numbered the other way round: their order is that of the list.
  const fileOf = (at: number) => `slide${slides.length - at}.xml`
  files['ppt/_rels/presentation.xml.rels'] = `<Relationships ${RELATIONS}>${slides
    .map((_, at) => `<Relationship Id="rId${at + 1}" Type="x/slide" Target="slides/${fileOf(at)}"/>`)
    .join('')}</Relationships>`
  for (const [at, { shapes, notes }] of slides.entries()) {
    files[`ppt/slides/${fileOf(at)}`] = `<p:sld><p:cSld><p:spTree>${shapes}</p:spTree></p:cSld></p:sld>`
    if (notes === undefined) continue
    files[`ppt/slides/_rels/${fileOf(at)}.rels`] =
      `<Relationships ${RELATIONS}><Relationship Id="rId1" Type="x/notesSlide" Target="../notesSlides/n${at}.xml"/></Relationships>`
    files[`ppt/notesSlides/n${at}.xml`] = `<p:notes>${shape('body', notes)}${shape('sldNum', String(at))}</p:notes>`
  }
  return zipped(files, name)
}

export const shape = (role: string, ...texts: readonly string[]): string =>
  `<p:sp><p:nvSpPr><p:nvPr><p:ph type="${role}"/></p:nvPr></p:nvSpPr><p:txBody>${texts
    .map(text => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`)
    .join('')}</p:txBody></p:sp>`

/** A text, a sheet or a presentation of LibreOffice. */
export function anOpenDocument(
  kind: 'text' | 'spreadsheet' | 'presentation',
  body: string,
  further: Entries = {},
): File {
  return zipped(
    {
      mimetype: `application/vnd.oasis.opendocument.${kind}`,
      'META-INF/manifest.xml': '<manifest:manifest/>',
      'content.xml': `<office:document-content><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
      ...further,
    },
    `file.${{ text: 'odt', spreadsheet: 'ods', presentation: 'odp' }[kind]}`,
  )
}

/** A book: its chapters in the order of reading. */
export function aBook(chapters: readonly string[], further: Entries = {}): File {
  const items = chapters.map((_, at) => `<item id="c${at}" href="text/chapter%20${at}.xhtml"/>`).join('')
  const order = chapters.map((_, at) => `<itemref idref="c${at}"/>`).join('')
  return zipped(
    {
      mimetype: 'application/epub+zip',
      'META-INF/container.xml': '<container><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>',
      'OEBPS/book.opf': `<package><manifest>${items}</manifest><spine>${order}</spine></package>`,
      ...Object.fromEntries(
        chapters.map((body, at) => [
          `OEBPS/text/chapter ${at}.xhtml`,
          `<?xml version="1.0"?><html><head><title>Chapter</title></head><body>${body}</body></html>`,
        ]),
      ),
      ...further,
    },
    'novel.epub',
  )
}

/** A zip whose one entry unpacks to so many bytes of nothing. */
export function aBomb(bytes: number): File {
  const entry = new Uint8Array(bytes).fill(0x20)
  entry.set(strToU8(`<w:document ${WORD}><w:body>${paragraph('the text before')}<w:p>`))
  return new File([zipSync({ 'word/document.xml': entry }, { level: 1 })], 'bomb.docx')
}

/** The objects of a PDF, numbered from 1. */
function pdfOf(objects: readonly string[], trailer = ''): Uint8Array<ArrayBuffer> {
  let text = '%PDF-1.7\n'
  const offsets = objects.map((object, at) => {
    const offset = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const start = text.length
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`
  text += offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer}>>\nstartxref\n${start}\n%%EOF`
  return Uint8Array.from(text, character => character.charCodeAt(0))
}

/** Text at a position of a page, from the left and from the bottom, in points. */
export type PlacedText = { x: number; y: number; text: string; size?: number }

/** A PDF with text on its pages, which are those of A4. */
export function aPdf(pages: readonly (readonly PlacedText[])[], name = 'paper.pdf'): File {
  const contents = pages.map(texts =>
    texts
      .map(({ x, y, text, size = 11 }) => `BT /F1 ${size} Tf ${x} ${y} Td (${text.replace(/[()\\]/g, '\\$&')}) Tj ET`)
      .join('\n'),
  )
  return new File(
    [pdfWith(contents, '/Font << /F1 3 0 R >>', ['<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'])],
    name,
  )
}

/** A PDF by the contents of its pages; further objects begin with number 3. */
export function pdfWith(
  contents: readonly string[],
  resources: string,
  objects: readonly string[],
): Uint8Array<ArrayBuffer> {
  const first = 3 + objects.length
  const kids = contents.map((_, at) => `${first + 2 * at} 0 R`).join(' ')
  return pdfOf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${contents.length} /MediaBox [0 0 595 842] /Resources << ${resources} >> >>`,
    ...objects,
    ...contents.flatMap((content, at) => [
      `<< /Type /Page /Parent 2 0 R /Contents ${first + 2 * at + 1} 0 R >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ]),
  ])
}

/** Lines of a paragraph, below each other. */
export function linesOfText(texts: readonly string[], { x = 72, y = 770, step = 14, size = 11 } = {}): PlacedText[] {
  return texts.map((text, at) => ({ x, y: y - at * step, text, size }))
}

/** So many pages of prose, as a paper has them. */
export function aLongPdf(pages: number): File {
  const words = 'the shared account answers one question after another and nobody waits longer than the others'.split(
    ' ',
  )
  const lineAt = (line: number) =>
    Array.from({ length: 14 }, (_, at) => words[(line * 7 + at * 3) % words.length] ?? '').join(' ')
  return aPdf(
    Array.from({ length: pages }, (_, page) => [
      { x: 72, y: 790, text: `Chapter ${page + 1}`, size: 18 },
      ...linesOfText(Array.from({ length: 48 }, (_, line) => lineAt(page * 48 + line))),
    ]),
  )
}

/** A PDF whose text is encrypted with the password `secret` (40 bits of RC4, which every reader knows). */
export function aProtectedPdf(): File {
  const owner = 'e5a8d2687bd9d0cff946b7ac55f51081dcf0d116554c4bfcb0a5e446f69ea48a'
  const user = '683ea29a373521cf4710969cbe31e8c5e516199a5130285a60e256fa0fdf33a0'
  const content = '84f2a65e14d406412d4807cf6954873f3defa3e0b2f25fa4fa1817ba226b41de0ceaaf26f3ef9b4f6862f45b23b739bd0e05'
  const stream = content.replace(/../g, byte => String.fromCharCode(Number.parseInt(byte, 16)))
  const bytes = pdfOf(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [4 0 R] /Count 1 /MediaBox [0 0 595 842] >>',
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      '<< /Type /Page /Parent 2 0 R /Contents 5 0 R /Resources << /Font << /F1 3 0 R >> >> >>',
      `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
      `<< /Filter /Standard /V 1 /R 2 /O <${owner}> /U <${user}> /P -4 >>`,
    ],
    '/Encrypt 6 0 R /ID [<30313233343536373839616263646566> <30313233343536373839616263646566>] ',
  )
  return new File([bytes], 'secret.pdf')
}

/** A PDF with Chinese text whose letters and table of characters are not in it, as many programs wrote them. */
export function aChinesePdf(): File {
  const fonts = [
    '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /GBK-EUC-H /DescendantFonts [4 0 R] >>',
    '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 2 >> /DW 1000 /FontDescriptor 5 0 R >>',
    '<< /Type /FontDescriptor /FontName /STSong-Light /Flags 4 /FontBBox [0 -200 1000 900] /ItalicAngle 0 /Ascent 880 /Descent -120 /StemV 80 >>',
  ]
  // The letters of "公平使用" in GBK.
  return new File(
    [pdfWith(['BT /F1 12 Tf 72 700 Td <B9ABC6BDCAB9D3C3> Tj ET'], '/Font << /F1 3 0 R >>', fonts)],
    'chinese.pdf',
  )
}

/** A scan: a page that is nothing but this picture, red to the left. */
export function aScan(jpeg: Uint8Array, width: number, height: number): File {
  const stream = Array.from(jpeg, byte => String.fromCharCode(byte)).join('')
  const head = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceRGB`
  const object = `<< ${head} /BitsPerComponent 8 /Filter /DCTDecode /Length ${stream.length} >>\nstream\n${stream}\nendstream`
  return new File([pdfWith(['q 595 0 0 842 0 0 cm /I Do Q'], '/XObject << /I 3 0 R >>', [object])], 'scan.pdf')
}

/** PDFs that go round in circles: a font whose letter is written in itself, a form in a form, a tree of pages. */
export function circularPdfs(): File[] {
  const helvetica = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'
  const font =
    '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /CharProcs << /a 4 0 R >> /Encoding << /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [1] /Resources << /Font << /F1 3 0 R >> >> >>'
  const letter = '<< /Length 28 >>\nstream\n1 0 d0 BT /F1 1 Tf (a) Tj ET\nendstream'
  const form =
    '<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 3 0 R >> >> /Length 5 >>\nstream\n/X Do\nendstream'
  const text = 'BT /F1 12 Tf 10 10 Td (aaa) Tj ET'
  const ring = Array.from(pdfWith([text], '/Font << /F1 3 0 R >>', [helvetica]), byte => String.fromCharCode(byte))
    .join('')
    .replace('/Kids [4 0 R]', '/Kids [2 0 R]')
  return [
    pdfWith([text], '/Font << /F1 3 0 R >>', [font, letter]),
    pdfWith([`/X Do ${text}`], '/XObject << /X 3 0 R >> /Font << /F1 4 0 R >>', [form, helvetica]),
    Uint8Array.from(ring, character => character.charCodeAt(0)),
  ].map((bytes, at) => new File([bytes], `circle ${at}.pdf`))
}

/** Numbers that look like chance, and are the same in each run. */
export function chance(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** The same file with some bytes changed, doubled, moved or cut off. */
export function mutated(bytes: Uint8Array, random: () => number): Uint8Array<ArrayBuffer> {
  let changed = Array.from(bytes)
  const position = () => Math.floor(random() * changed.length)
  for (let times = 1 + Math.floor(random() * 8); times > 0; times--) {
    const [from, kind] = [position(), random()]
    if (kind < 0.6) changed[from] = Math.floor(random() * 256)
    else if (kind < 0.75) changed.splice(from, Math.floor(random() * 20))
    else if (kind < 0.9) changed.splice(from, 0, ...changed.slice(position(), position() + 30))
    else if (kind < 0.95) changed = changed.slice(0, from + 1)
    else changed.fill(kind < 0.97 ? 0 : 255, from, from + 8)
  }
  return Uint8Array.from(changed)
}
