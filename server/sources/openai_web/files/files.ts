import type { Configuration } from '#contract/configuration/configuration.ts'
import { uploadsOnDisk } from '#server/files/disk.ts'
import type { UploadLimit } from '#server/files/uploadLimit.ts'
import type { Bus } from '#server/foundation/database/bus.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { findEffectiveSetting } from '#server/policy/effectiveSetting.ts'
import type { FilePorts } from '../../filePorts.ts'
import type { FileAccounts, FileConversations } from './accounts.ts'
import { openDownloads } from './downloads.ts'
import { openSends } from './sends.ts'
import { openUploads } from './uploads.ts'

type Dependencies = {
  open: OpenDatabase
  bus: Bus
  clock: Clock
  configuration(): Configuration
  data_dir: string
  limitUploads: UploadLimit
  web: FileAccounts
  conversations: FileConversations
}

export type WebFiles = ReturnType<typeof openWebFiles>

/** Files that are with web accounts. */
export function openWebFiles(given: Dependencies) {
  const { open, bus, configuration, data_dir, limitUploads } = given
  const sends = openSends(limitUploads, bus)

  async function isAllowed(user_id: number): Promise<boolean> {
    if (configuration().openai_web.disable_uploading) return false
    const setting = await findEffectiveSetting(open.database, configuration(), user_id, 'openai_web')
    return setting?.disable_uploading === false
  }

  async function requireAllowed(user_id: number): Promise<void> {
    if (!(await isAllowed(user_id))) throw new Refusal('uploadingNotAllowed')
  }

  const ports: FilePorts = {
    isAllowed,
    takesHere: () => configuration().openai_web.file_upload_strategy !== 'browser_upload_only',
    stopSending: sends.stop,
  }
  return {
    ports,
    uploads: openUploads({ ...given, disk: uploadsOnDisk(data_dir), requireAllowed, sends }),
    downloads: openDownloads(given),
  }
}
