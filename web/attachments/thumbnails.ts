import { readThumbnail } from '#contract/ownFiles.ts'
import { addressOf } from '#web/foundation/call.ts'
import { useSession } from '#web/foundation/session.ts'
import type { DraftAttachment } from './attachment.ts'

/** Addresses of small pictures that this page has made, by attachment. */
const addresses = new Map<string, string>()

export function keepThumbnail(id: string, thumbnail: Blob): void {
  dropThumbnail(id)
  addresses.set(id, URL.createObjectURL(thumbnail))
}

export function dropThumbnail(id: string): void {
  const address = addresses.get(id)
  if (address === undefined) return
  URL.revokeObjectURL(address)
  addresses.delete(id)
}

/** Of this page, else the server’s; null while there is none. */
export function thumbnailOf({ id, file_id }: DraftAttachment): string | null {
  return addresses.get(id) ?? (file_id === null ? null : addressOf(readThumbnail, { params: { id: file_id } }))
}

useSession.subscribe(({ user }) => {
  if (user === null) for (const id of [...addresses.keys()]) dropThumbnail(id)
})
