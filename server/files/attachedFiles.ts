import type { AskRequest } from '#contract/asking.ts'
import { WebFileId } from '#contract/files.ts'
import type { Database } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { fileStore } from './store.ts'

type WithFiles = Pick<AskRequest, 'openai_web_attachments' | 'openai_web_multimodal_image_parts'>

/** Every file of an ask must be a completed one of the asker's; somebody else's is as unknown as one that does not exist. */
export async function requireOwnFiles(database: Database, user_id: number, request: WithFiles): Promise<void> {
  const file_ids = fileIdsOf(request)
  if (file_ids.length === 0) return
  const areNames = file_ids.every(file_id => WebFileId.safeParse(file_id).success)
  if (!areNames || (await fileStore(database).countCompleted(user_id, file_ids)) < file_ids.length)
    throw new Refusal('resourceNotFound')
}

const POINTER = 'file-service://'

function fileIdsOf({ openai_web_attachments, openai_web_multimodal_image_parts }: WithFiles): string[] {
  const attached = openai_web_attachments?.map(({ id }) => id) ?? []
  const shown =
    openai_web_multimodal_image_parts?.map(({ asset_pointer: pointer }) =>
      pointer.startsWith(POINTER) ? pointer.slice(POINTER.length) : '',
    ) ?? []
  return [...new Set([...attached, ...shown])]
}
