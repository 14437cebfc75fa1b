import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { Relayed } from '#server/foundation/http/relayed.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Clock } from '#server/foundation/clock.ts'
import { atWeb } from './filesAtWeb.ts'
import type { Reader } from './localFiles.ts'
import { fileStore } from './store.ts'
import type { FileAccount, FileConversations, WebFiles } from './webAccounts.ts'

type Dependencies = { open: OpenDatabase; clock: Clock; web: WebFiles; conversations: FileConversations }

type Found = { account: FileAccount; name: string | null }

/** Milliseconds and entries: looking through somebody's messages is slow, and a conversation with pictures asks for each of them. */
const KEPT = { for: 300_000, entries: 2_000 }

/** Downloads from the web service, each by the account that holds the file. */
export function webDownloads({ open, clock, web, conversations }: Dependencies) {
  const store = fileStore(open.database)
  const kept = new Map<string, { until: number; account: FileAccount }>()

  /** A picture that a model has made was uploaded by nobody: whoever owns a conversation that shows it may see it. */
  async function accountNaming(user_id: number | null, web_file_id: string): Promise<FileAccount | null> {
    const key = `${user_id} ${web_file_id}`
    const known = kept.get(key)
    if (known !== undefined && known.until > clock.monotonic()) return known.account
    kept.delete(key)
    const account = await conversations.accountNaming(user_id, web_file_id)
    if (account === null) return null
    const [oldest] = kept.keys()
    if (oldest !== undefined && kept.size >= KEPT.entries) kept.delete(oldest)
    kept.set(key, { until: clock.monotonic() + KEPT.for, account })
    return account
  }

  /** One that is nobody's business is not found, like one that does not exist. */
  async function requireReadable({ id, is_superuser }: Reader, web_file_id: string): Promise<Found> {
    const row = await store.findAtWeb(web_file_id)
    const uploaded = row === undefined ? null : atWeb(row)
    const name = row?.original_filename ?? null
    if (uploaded !== null && (row?.uploader_id === id || is_superuser)) return { account: uploaded.account, name }
    const account = await accountNaming(is_superuser ? null : id, web_file_id)
    if (account === null) throw new Refusal('resourceNotFound')
    return { account: uploaded?.account ?? account, name }
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
