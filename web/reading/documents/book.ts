import { Unreadable } from '../unreadable.ts'
import type { Archive } from './archive.ts'
import { writeHtml } from './html.ts'
import { attributeOf, tokensOf } from './markup.ts'
import type { Pages } from './pages.ts'
import { resolved } from './relations.ts'

/** An EPUB: a page for each chapter, in the order in which they are to be read. */
export async function readBook(archive: Archive, pages: Pages): Promise<void> {
  const root = await attributeIn(archive, 'META-INF/container.xml', 'rootfile', 'full-path')
  if (root === undefined || !archive.has(root)) throw new Unreadable('broken')
  const folder = root.slice(0, root.lastIndexOf('/') + 1)
  const files = new Map<string, string>()
  const chapters: string[] = []
  for (const token of tokensOf(await archive.text(root))) {
    if (token.kind !== 'open') continue
    if (token.name === 'item')
      files.set(attributeOf(token, 'id') ?? '', resolved(folder, decoded(attributeOf(token, 'href') ?? '')))
    else if (token.name === 'itemref') chapters.push(attributeOf(token, 'idref') ?? '')
  }
  const paths = chapters.map(id => files.get(id)).filter(path => path !== undefined && archive.has(path))
  if (paths.length === 0) throw new Unreadable('broken')
  await refuseProtected(archive, paths)
  for (const [index, path = ''] of paths.entries()) {
    pages.next()
    writeHtml(await archive.text(path), pages)
    pages.progress({ done: index + 1, total: paths.length })
  }
}

async function attributeIn(archive: Archive, path: string, name: string, attribute: string) {
  for (const token of tokensOf(await archive.text(path)))
    if (token.kind === 'open' && token.name === name) return attributeOf(token, attribute)
  return undefined
}

/** A bought book may be encrypted for one reader. Fonts alone often are, which is nothing to us. */
async function refuseProtected(archive: Archive, paths: readonly (string | undefined)[]): Promise<void> {
  for (const token of tokensOf(await archive.text('META-INF/encryption.xml'))) {
    if (token.kind !== 'open' || token.name !== 'CipherReference') continue
    if (paths.includes(resolved('', decoded(attributeOf(token, 'URI') ?? '')))) throw new Unreadable('encrypted')
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
