import type { Configuration } from '#contract/configuration/configuration.ts'
import { WebFileId, isPictureType, readTypeOf } from '#contract/files.ts'
import type { AdmittedAsk, RequestedAsk } from '#server/asks/ask.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Database, OpenDatabase } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Sources, SourceTraits } from '#server/sources/source.ts'
import { userStore } from '#server/users/store.ts'
import { type Disk, uploadsOnDisk } from './disk.ts'
import { attachmentLoading, picturesOf } from './attached.ts'
import { openKeptContent } from './keptContent.ts'
import { openKeptFiles } from './keptFiles.ts'
import { openKeptPages } from './keptPages.ts'
import { fileListStore, keptFileStore } from './keptStore.ts'
import { type MayReadOf, openLocalFiles } from './localFiles.ts'
import { type ForgetText, openOwnFiles } from './ownFiles.ts'
import { type FileStore, fileStore } from './store.ts'
import { unnamedFileStore } from './unnamedStore.ts'
import type { UploadLimit } from './uploadLimit.ts'

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  configuration(): Configuration
  /** The files are in its folder `uploads`. */
  data_dir: string
  sources: Pick<Sources, 'all'>
  limitUploads: UploadLimit
  mayReadOf: MayReadOf
  /** Titles of conversations by id, without those that are gone. */
  titlesOf(conversation_ids: readonly string[]): Promise<ReadonlyMap<string, string | null>>
  forgetText: ForgetText
}

export type Files = ReturnType<typeof openFiles>

/** The files people upload (the specification, section 5). */
export function openFiles(given: Dependencies) {
  const { open, clock, data_dir } = given
  const disk = uploadsOnDisk(data_dir)
  const kept = openKeptFiles({ ...given, disk })
  const start_time = clock.now()
  return {
    local: openLocalFiles({ ...given, disk }),
    own: openOwnFiles({ ...given, disk }),
    kept,
    pages: openKeptPages({ ...given, disk, files: kept }),
    content: openKeptContent({ ...given, disk }),
    /** The bytes of somebody whose account is removed, which takes the rows with it. */
    removeAllOf: disk.removeAllOf,
    /** What went with questions of a person, as it is sent. */
    loadAttached: attachmentLoading(open.database, disk),
    picturesOf: picturesOf(open.database),
    keepPicture: kept.keepOfAnswer,
    /**
     * Removes files of these people that no message names any more, by their ids here or at their upstreams, with all
     * that is kept of them. Gives how many. Bytes without a row are removed by the next sweep.
     */
    async removeUnnamed(ids: readonly string[], uploader_ids: readonly number[]): Promise<number> {
      const { removed, paths } = await open.transaction(trx => unnamedFileStore(trx).remove(ids, uploader_ids))
      for (const path of paths) await disk.remove(path)
      return removed
    },

    /** The files of these people that went with a question of this conversation last. */
    lastUsedIn: (conversation_id: string, uploader_ids: readonly number[]) =>
      unnamedFileStore(open.database).lastUsedIn(conversation_id, uploader_ids),
    /** What will have expired at a time. */
    async expiringBy(time: number): Promise<{ count: number; bytes: number }> {
      const { retention_days } = given.configuration().files
      if (retention_days === null) return { count: 0, bytes: 0 }
      return unnamedFileStore(open.database).sumOfUsedBefore(time - retention_days * DAY)
    },
    /** Returns how many files it removed. */
    sweep: () => sweepUploads({ ...given, disk, start_time }),
  }
}

/** Milliseconds; no upload takes so long. */
const CERTAINLY_OVER = 86_400_000
/** Milliseconds without a byte after which an upload has ended: an upload waits for at most half a minute. */
const STALLED = 120_000

/** `start_time`: of this process. */
type Sweep = Pick<Dependencies, 'open' | 'clock' | 'configuration' | 'forgetText'> & { disk: Disk; start_time: number }

/**
 * Removes unfinished files, and whole files without a row, which a crash has left. Returns how many. With the embedded
 * database there is one process, so that uploads from before its start have ended. Those of removed users have no rows
 * either.
 */
async function sweepUploads({ open, clock, configuration, disk, start_time, forgetText }: Sweep): Promise<number> {
  const store = fileStore(open.database)
  const stalled = clock.now() - STALLED
  const isOver = open.engine === 'sqlite' ? Math.max(stalled, start_time) : stalled
  let removed = await removeUnused(store, disk, clock.now() - CERTAINLY_OVER)
  removed += await removeExpired({ open, clock, disk, forgetText }, configuration().files.retention_days)
  for (const uploader_id of await disk.uploaders()) {
    for (const path of await disk.olderThan(uploader_id, isOver, 'unfinished')) {
      await disk.remove(path)
      removed += 1
    }
    const old = await disk.olderThan(uploader_id, clock.now() - CERTAINLY_OVER, 'whole')
    if (old.length === 0) continue
    const known = new Set(await fileListStore(open.database).storedPathsOf(uploader_id))
    for (const path of old.filter(path => !known.has(path))) {
      await disk.remove(path)
      removed += 1
    }
  }
  return removed
}

/** Milliseconds. */
const DAY = 86_400_000

/** Of what went with no question for so long its name stays, which conversations show. Returns how many they were. */
async function removeExpired(
  { open, clock, disk, forgetText }: Pick<Sweep, 'open' | 'clock' | 'disk' | 'forgetText'>,
  retention_days: number | null,
): Promise<number> {
  if (retention_days === null) return 0
  const time = clock.now() - retention_days * DAY
  for (let removed = 0; ; removed++) {
    const [row] = await keptFileStore(open.database).usedBefore(time, 1)
    if (row === undefined) return removed
    const paths = await open.transaction(async trx => {
      await userStore(trx).lock(row.uploader_id, open.engine)
      const present = await fileStore(trx).find(row.file_id) // a question may have used it meanwhile
      if (present === undefined || (present.used_time ?? time) >= time) return []
      await forgetText(trx, present)
      return keptFileStore(trx).removeBytes(present, 'expired', clock.now())
    })
    for (const path of paths) await disk.remove(path)
  }
}

/** Files of one query. */
const BATCH = 200

/**
 * What was begun or completed within a day and went with no question; there is no call that removes what an upstream
 * has. Pictures of its pages are then bytes without a row.
 */
async function removeUnused(store: FileStore, disk: Disk, time: number): Promise<number> {
  for (let removed = 0; ;) {
    const ids = await store.unusedBefore(time, BATCH)
    if (ids.length === 0) return removed
    for (const { storage_path, thumbnail_path } of await store.removeUnused(ids)) {
      for (const path of [storage_path, thumbnail_path]) if (path !== null) await disk.remove(path)
      removed += 1
    }
  }
}

type WithFiles = Pick<RequestedAsk, 'caller' | 'attachments'>

/**
 * Every file of an ask must be a completed one of its user, and of a type that the model reads; another user's is not
 * found, like one that does not exist. Gives the upstream that has them, null where there are none; refuses where
 * several have them.
 *
 * `seesPictures`: the model looks at pictures, and then reads only some other types of files.
 */
export async function requireOwnFiles(
  database: Database,
  ask: WithFiles,
  seesPictures: boolean,
): Promise<number | null> {
  const file_ids = fileIdsOf(ask)
  if (file_ids.length === 0) return null
  if (!file_ids.every(file_id => WebFileId.safeParse(file_id).success)) throw new Refusal('resourceNotFound')
  const files = await fileStore(database).completedOf(ask.caller.user_id, file_ids)
  if (files.length < file_ids.length) throw new Refusal('resourceNotFound')
  const shown = new Set(ask.attachments.filter(({ as }) => as === 'picture').map(({ file_id }) => file_id))
  for (const { original_filename: name, content_type, web_file_id } of files) {
    const isPicture = isPictureType(content_type)
    const isRead = isPicture || (!shown.has(web_file_id ?? '') && readTypeOf(name) !== undefined)
    if (seesPictures && !isRead) throw new Refusal('fileTypeNotRead', { name })
  }
  const [upstream_id = null, ...others] = new Set(files.map(({ upstream_id }) => upstream_id))
  if (others.length > 0) throw new Refusal('fileOfOtherAccount')
  return upstream_id
}

/** Notes that the files of an ask were used, in the transaction that admits it: from now on they stay. */
export async function markFilesUsed(
  trx: Database,
  ask: WithFiles & Pick<AdmittedAsk, 'conversation_id' | 'create_time'>,
  filesAre: SourceTraits['filesAre'],
): Promise<void> {
  const file_ids = fileIdsOf(ask)
  if (file_ids.length === 0) return
  const { caller, conversation_id, create_time: used_time } = ask
  const use = { used_time, conversation_id }
  if (filesAre === 'here') await keptFileStore(trx).used(caller.user_id, file_ids, use)
  else await fileStore(trx).used(caller.user_id, file_ids, use)
}

const fileIdsOf = ({ attachments }: WithFiles): string[] => [...new Set(attachments.map(({ file_id }) => file_id))]
