import { type Readable, finished } from 'node:stream'
import { Busboy } from '@fastify/busboy'
import { invalid } from '../refusal.ts'

/** A file while it is sent. Nothing of it is kept in memory: whoever reads it decides where it goes, and may stop at any time. */
export type ArrivingFile = {
  /** As the sender calls it: anything. */
  filename: string
  content: AsyncIterable<Buffer>
}

/** What may stand in a form; the head of its part in bytes. */
const LIMITS = { parts: 1, fields: 0, headerSize: 8 * 1024 }

/**
 * The one part of a multipart form, which must be a file of the field `file`. Refuses any other form, at the latest when the
 * content ends: a second part, or an end without its delimiter. Fails as `body` fails, and never destroys it: whoever gave it unpipes it.
 */
export async function fileOfForm(body: Readable, type: string | undefined): Promise<ArrivingFile> {
  if (type === undefined) throw noFile()
  const form = new Busboy({ headers: { 'content-type': type }, limits: LIMITS, preservePath: true, isPartAFile })
  const { promise: whole, resolve, reject } = Promise.withResolvers<void>()
  form.on('fieldsLimit', () => reject(noFile()))
  form.on('partsLimit', () => reject(invalid(['body'], 'More than one file', 'form_invalid')))
  form.on('error', () => reject(invalid(['body'], 'Not a whole form', 'form_invalid')))
  form.on('finish', resolve)
  finished(body, error => {
    if (error) reject(error)
  })
  const file = new Promise<ArrivingFile>(found =>
    form.on('file', (_field, content, filename) => {
      whole.catch((cause: Error) => content.destroy(cause))
      content.on('error', () => {}) // nobody may be reading when it breaks off
      found({ filename, content: contentOf(content, whole) })
    }),
  )
  body.pipe(form)
  return Promise.race([
    file,
    whole.then(() => {
      throw noFile()
    }),
  ])
}

const noFile = () => invalid(['body', 'file'], 'No file', 'missing')

/** Browsers leave a file out by giving it no name. */
const isPartAFile = (field?: string, _type?: string, filename = ''): boolean => field === 'file' && filename !== ''

async function* contentOf(content: AsyncIterable<Buffer>, whole: Promise<void>): AsyncGenerator<Buffer> {
  try {
    yield* content
  } catch {
    // It fails only together with the form, which knows why.
  }
  await whole
}
