import type { Configuration } from '#contract/configuration/configuration.ts'
import { uploadsOnDisk } from '#server/files/disk.ts'
import type { MayReadOf, Reader } from '#server/files/localFiles.ts'
import { type FileRow, fileStore } from '#server/files/store.ts'
import type { UploadLimit } from '#server/files/uploadLimit.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Bus } from '#server/foundation/database/bus.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Relayed } from '#server/foundation/http/relayed.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { findEffectiveSetting } from '#server/policy/effectiveSetting.ts'
import type { FilePorts } from '../../ports.ts'
import type { FileAccounts, FileConversations, FileAccount } from './accounts.ts'
import { openSends } from './sends.ts'
import { openUploads, atWeb } from './uploads.ts'

type Dependencies = {
  open: OpenDatabase
  bus: Bus
  clock: Clock
  configuration(): Configuration
  data_dir: string
  limitUploads: UploadLimit
  mayReadOf: MayReadOf
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

  const downloads = openDownloads(given)
  const ports: FilePorts = {
    isAllowed,
    takesHere: () => configuration().openai_web.file_upload_strategy !== 'browser_upload_only',
    stopSending: sends.stop,
    content: downloads.content,
  }
  return {
    ports,
    uploads: openUploads({ ...given, disk: uploadsOnDisk(data_dir), requireAllowed, sends }),
    downloads,
  }
}

type ReadableFile = { account: FileAccount; name: string | null }

/**
 * Milliseconds and entries: looking through somebody's messages is slow, and a conversation with pictures asks for each
 * of them.
 */
const CACHE = { for: 300_000, entries: 2_000 }

/** Downloads from the web service, each by the account that holds the file. */
function openDownloads({ open, clock, web, conversations, mayReadOf }: Dependencies) {
  const store = fileStore(open.database)
  const kept = new Map<string, { until: number; conversation_id: string }>()

  /**
   * A conversation that names the file; of this person, or of anybody when `user_id` is null. The caller checks whose
   * it is now.
   */
  async function conversationNaming(user_id: number | null, web_file_id: string): Promise<string | null> {
    const key = keyOf(user_id, web_file_id)
    const known = kept.get(key)
    if (known !== undefined && known.until > clock.monotonic()) return known.conversation_id
    kept.delete(key)
    const conversation_id = await conversations.naming(user_id, web_file_id)
    if (conversation_id === null) return null
    const [oldest] = kept.keys()
    if (oldest !== undefined && kept.size >= CACHE.entries) kept.delete(oldest)
    kept.set(key, { until: clock.monotonic() + CACHE.for, conversation_id })
    return conversation_id
  }

  /** A picture that a model has made was uploaded by nobody: whoever owns a conversation that shows it may see it. */
  async function accountNaming(user_id: number | null, web_file_id: string): Promise<FileAccount | null> {
    const conversation_id = await conversationNaming(user_id, web_file_id)
    if (conversation_id === null) return null
    const account = await conversations.accountOf(user_id, conversation_id).catch(nullIfNotFound)
    if (account === null) kept.delete(keyOf(user_id, web_file_id))
    return account
  }

  /** A file that the reader may not see is not found, like one that does not exist. */
  async function requireReadable(reader: Reader, web_file_id: string): Promise<ReadableFile> {
    const { id, is_superuser } = reader
    const row = await store.findAtUpstream(web_file_id)
    if (is_superuser) await requireOpen(reader, row, web_file_id)
    const uploaded = row === undefined ? null : atWeb(row)
    const name = row?.original_filename ?? null
    if (uploaded !== null && (row?.uploader_id === id || is_superuser)) return { account: uploaded.account, name }
    const account = await accountNaming(is_superuser ? null : id, web_file_id)
    if (account === null) throw new Refusal('resourceNotFound')
    // A conversation of one account may name a file of another. The account that is asked shows only what it has
    // itself.
    return uploaded?.account.upstream_id === account.upstream_id
      ? { account: uploaded.account, name }
      : { account, name: null }
  }

  /** What stands in a conversation of one's own is not asked about. */
  async function requireOpen(reader: Reader, row: FileRow | undefined, web_file_id: string): Promise<void> {
    if (row?.uploader_id === reader.id || (await conversationNaming(reader.id, web_file_id)) !== null) return
    const conversation_id = row?.conversation_id ?? (await conversationNaming(null, web_file_id))
    if (row !== undefined || conversation_id !== null)
      await mayReadOf(reader, { owner_id: row?.uploader_id ?? null, conversation_id })
  }

  return {
    async downloadUrl(reader: Reader, web_file_id: string): Promise<string> {
      return web.downloadUrl((await requireReadable(reader, web_file_id)).account, web_file_id)
    },

    async content(reader: Reader, web_file_id: string): Promise<Relayed> {
      const { account, name } = await requireReadable(reader, web_file_id)
      return { ...(await web.open(account, await web.downloadUrl(account, web_file_id))), name }
    },
  }
}

const keyOf = (user_id: number | null, web_file_id: string): string => `${user_id} ${web_file_id}`

function nullIfNotFound(error: unknown): null {
  if (error instanceof Refusal && error.key === 'conversationNotFound') return null
  throw error
}
