import { readInterpreterDownload } from '#contract/conversations.ts'
import { readDownloadUrl } from '#contract/files.ts'
import { call } from '#web/foundation/call.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { safeImage, safeLink } from './markdown/safeUrl.ts'

/** The upstream’s id of a file; null when the text does not point to one. */
export function fileIdOf(pointer: string): string | null {
  return /^(?:(?:file-service|sediment):\/\/)?(file-[A-Za-z0-9]{1,64})$/.exec(pointer)?.[1] ?? null
}

/** Opens a file that the code interpreter has written. */
export async function openSandboxFile(
  conversation_id: string,
  message_id: string,
  sandbox_path: string,
): Promise<void> {
  await open(() =>
    call(readInterpreterDownload, { params: { id: conversation_id }, query: { message_id, sandbox_path } }),
  )
}

/** Opens a file that was sent with a question. */
export async function openAttachment(id: string): Promise<void> {
  await open(() => call(readDownloadUrl, { params: { id } }))
}

async function open(addressOf: () => Promise<string>): Promise<void> {
  try {
    const address = await addressOf()
    const link = safeLink(address)
    const own = safeImage(address)
    const href = link?.kind === 'outside' ? link.href : own?.kind === 'own' ? own.src : null
    if (href !== null) follow(href)
  } catch (error) {
    reportFailure(error)
  }
}

/** As a pressed link, in a new tab: browsers block a window that opens after waiting. */
function follow(href: string): void {
  const link = document.createElement('a')
  Object.assign(link, { href, target: '_blank', rel: 'noopener noreferrer', referrerPolicy: 'no-referrer' })
  link.click()
}
