import PostalMime, { type Address } from 'postal-mime'
import { BOUNDS } from '../reading.ts'
import { writeHtml } from './html.ts'
import type { Pages } from './pages.ts'

/** Messages within a message, and parts within a part. */
const MAX_DEPTH = 50

/** A mail: who wrote to whom, when, and what; its attachments by their names. */
export async function readMail(file: Blob, pages: Pages): Promise<void> {
  const mail = await PostalMime.parse(await file.arrayBuffer(), {
    maxNestingDepth: MAX_DEPTH,
    maxRfc822NestingDepth: 3,
  })
  const head = [
    ['From', namesOf(mail.from)],
    ['To', namesOf(...(mail.to ?? []))],
    ['Cc', namesOf(...(mail.cc ?? []))],
    ['Date', mail.date ?? ''],
    ['Subject', mail.subject ?? ''],
    ['Attachments', mail.attachments.map(({ filename }) => filename ?? '').join(', ')],
  ].filter(([, value]) => value !== '')
  pages.next()
  pages.write(head.map(([name, value]) => `${name}: ${value?.replace(/\s+/g, ' ').slice(0, MAX_LINE)}\n`).join(''))
  // The text, where there are both: it is what the author's program made of the other.
  if (mail.text !== undefined && mail.text.trim() !== '')
    pages.write(`\n${mail.text.slice(0, BOUNDS.characters + 1).trim()}\n`)
  else if (mail.html !== undefined) writeHtml([mail.html], pages)
}

const MAX_LINE = 2_000

function namesOf(...addresses: readonly (Address | undefined)[]): string {
  return addresses
    .filter(each => each !== undefined)
    .map(({ name, address }) => (address === undefined ? name : name === '' ? address : `${name} <${address}>`))
    .join(', ')
}
