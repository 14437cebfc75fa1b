import { readContent, readDownloadUrl } from '#contract/files.ts'
import { addressOf, call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { safeLink } from './markdown/blocks/safeUrl.ts'

/** Where the portal gives out a file of the upstream (contract/files.ts). */
export const fileAddress = (id: string): string => addressOf(readContent, { params: { id } })

/**
 * Opens a file that was sent with a question. It is requested first, so that a refusal is shown here and not in a new
 * tab.
 */
export async function openAttachment(id: string): Promise<void> {
  await openFound(async () => {
    await call(readDownloadUrl, { params: { id } })
    return fileAddress(id)
  })
}

/** Opens a file in a new tab, once it is known where it is. */
export async function openFound(find: () => Promise<string>): Promise<void> {
  try {
    const address = await find()
    const href = ownAddress(address) ?? outsideAddress(address)
    if (href !== null) follow(href)
  } catch (error) {
    reportFailure(error)
  }
}

/** Where the portal itself sends files. */
const OWN_FILE = /^\/api\/(?:files\/(?:local\/download\/[\w-]+|[\w-]+\/content)|conv\/[\w-]+\/interpreter\/file)$/

function ownAddress(address: string): string | null {
  const url = URL.parse(address, window.location.origin)
  return url !== null && url.origin === window.location.origin && OWN_FILE.test(url.pathname) ? url.href : null
}

function outsideAddress(address: string): string | null {
  const link = safeLink(address)
  return link?.kind === 'outside' ? link.href : null
}

/** Clicks a link to open a new tab, because browsers block windows that open after waiting. */
function follow(href: string): void {
  const link = document.createElement('a')
  Object.assign(link, { href, target: '_blank', rel: 'noopener noreferrer', referrerPolicy: 'no-referrer' })
  link.click()
}
