import type { AskRequest } from '#contract/asking.ts'
import type { Configuration } from '#contract/configuration.ts'
import { WebFileId } from '#contract/files.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Database, OpenDatabase } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { type Disk, uploadsOnDisk } from './disk.ts'
import { filesAtWeb, type WebFiles } from './filesAtWeb.ts'
import { localFiles } from './localFiles.ts'
import { fileStore } from './store.ts'
import { uploadRules } from './uploadRules.ts'

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  configuration(): Configuration
  /** The files are in its folder `uploads`. */
  data_dir: string
  /** null = no web service is connected. */
  web: WebFiles | null
}

export type Files = ReturnType<typeof openFiles>

/** The files people upload (the specification, section 5). */
export function openFiles({ open, clock, configuration, data_dir, web }: Dependencies) {
  const disk = uploadsOnDisk(data_dir)
  const uploading = uploadRules({ database: open.database, configuration })
  const start_time = clock.now()
  return {
    local: localFiles({ open, clock, disk, configuration, uploading }),
    atWeb: filesAtWeb({ open, clock, disk, configuration, uploading, web }),
    /** The bytes of somebody whose account is removed, which takes the rows with it. */
    removeAllOf: disk.removeAllOf,
    /** Files of these people that were sent to the web service, with their bytes here. Bytes without a row are removed by the next sweep. */
    async removeAtWeb(web_file_ids: readonly string[], uploader_ids: readonly number[]): Promise<void> {
      for (const { storage_path } of await fileStore(open.database).removeAtWeb(web_file_ids, uploader_ids))
        if (storage_path !== null) await disk.remove(storage_path)
    },
    /** Returns how many files it removed. */
    sweep: () => sweepUploads({ open, clock, disk, start_time }),
  }
}

/** Milliseconds; no upload takes so long. */
const CERTAINLY_OVER = 86_400_000
/** Milliseconds without a byte after which an upload has ended: an upload waits for at most half a minute. */
const STALLED = 120_000

/** `start_time`: of this process. */
type Sweep = Pick<Dependencies, 'open' | 'clock'> & { disk: Disk; start_time: number }

/**
 * Removes unfinished files, and whole files without a row, which a crash has left. Returns how many. With the embedded database there is one
 * process, so that uploads from before its start have ended. Those of removed users have no rows either.
 */
async function sweepUploads({ open, clock, disk, start_time }: Sweep): Promise<number> {
  const store = fileStore(open.database)
  const stalled = clock.now() - STALLED
  const isOver = open.engine === 'sqlite' ? Math.max(stalled, start_time) : stalled
  let removed = 0
  for (const uploader_id of await disk.uploaders()) {
    for (const path of await disk.olderThan(uploader_id, isOver, 'unfinished')) {
      await disk.remove(path)
      removed += 1
    }
    const old = await disk.olderThan(uploader_id, clock.now() - CERTAINLY_OVER, 'whole')
    if (old.length === 0) continue
    const known = new Set(await store.storedPathsOf(uploader_id))
    for (const path of old.filter(path => !known.has(path))) {
      await disk.remove(path)
      removed += 1
    }
  }
  return removed
}

type WithFiles = Pick<AskRequest, 'openai_web_attachments' | 'openai_web_multimodal_image_parts'>

/**
 * Every file of an ask must be a completed one of its user; another user's is not found, like one that does not exist. Gives the upstream that
 * has them: null where there are none, or nobody knows.
 */
export async function requireOwnFiles(database: Database, user_id: number, request: WithFiles): Promise<number | null> {
  const file_ids = fileIdsOf(request)
  if (file_ids.length === 0) return null
  const areNames = file_ids.every(file_id => WebFileId.safeParse(file_id).success)
  const holders = areNames ? await fileStore(database).holdersOfCompleted(user_id, file_ids) : []
  if (holders.length < file_ids.length) throw new Refusal('resourceNotFound')
  const [holder = null, ...others] = new Set(holders)
  if (others.length > 0) throw new Refusal('fileOfOtherAccount')
  return holder
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
