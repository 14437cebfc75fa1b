import type { Readable } from 'node:stream'
import type { Configuration } from '#contract/configuration/configuration.ts'
import type { UseCase } from '#contract/files.ts'
import { queueStore } from '#server/asks/queueStore.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { ProviderEndpoint } from '#server/providers/endpoint.ts'
import { requirePort } from '#server/providers/provider.ts'
import type { Providers } from '#server/providers/providers.ts'
import { mayUseTeam, requireTeam } from '../conversations/team.ts'
import { chooseUpstream } from '#server/upstreams/choose.ts'
import { inTeam } from '#server/upstreams/endpoints.ts'
import { type Candidate, IDLE } from '#server/upstreams/upstream.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import { fileStore } from '#server/files/store.ts'

/**
 * The account that a file is with: `source_id` is its team account, in whose name the file was sent; null: its personal
 * one.
 */
export type FileAccount = { upstream_id: number; source_id: string | null }

/** What conversations know of files. */
export type FileConversations = {
  /**
   * The account of a conversation of this person, of anybody with null; null where it has none yet. Refuses any other
   * conversation.
   */
  accountOf(user_id: number | null, conversation_id: string): Promise<FileAccount | null>
  /** The id of a conversation of this person, of anybody with null, of which a message names the file. */
  naming(user_id: number | null, web_file_id: string): Promise<string | null>
}

type NewFile = { file_name: string; file_size: number; use_case: UseCase }
type Content = { content: Readable; size: number; content_type: string }

/** The files of the shared web accounts. Each call throws the refusal of its upstream. */
export type FileAccounts = {
  /** The account that a new file goes to. Refuses where there is none, or its team is not for this person. */
  choose(user_id: number, conversation_id: string | null): Promise<FileAccount>
  /** Announces a file; returns its id at the web service and where to upload it. */
  begin(account: FileAccount, file: NewFile): Promise<{ file_id: string; upload_url: string }>
  /** Uploads it, unless the signal ends that. */
  put(account: FileAccount, upload_url: string, file: Content, signal: AbortSignal): Promise<void>
  /** Confirms the upload; only once. */
  complete(account: FileAccount, file_id: string): Promise<{ download_url: string }>
  /** A short-lived URL. */
  downloadUrl(account: FileAccount, file_id: string): Promise<string>
  /** What is at such a URL. */
  open(account: FileAccount, address: string): Promise<{ content: Readable; size: number | null }>
}

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  configuration(): Configuration
  upstreams: Pick<Upstreams, 'find' | 'inUse' | 'reach'>
  providers: Providers
  conversations: FileConversations
}

/** Milliseconds for the whole content of a file. */
const MAX_SENDING = 3_600_000
/** Milliseconds for which files of somebody go to the same account, so that one question can have them all. */
const TOGETHER = 3_600_000

export function openFileAccounts({
  open,
  clock,
  configuration,
  upstreams,
  providers,
  conversations,
}: Dependencies): FileAccounts {
  const provider = providers.openai_web

  function reach({ upstream_id, source_id }: FileAccount): ProviderEndpoint {
    if (!configuration().openai_web.enabled) throw new Refusal('chatTypeNotEnabled')
    return inTeam(upstreams.reach({ id: upstream_id }), source_id)
  }

  const isOfTeam = (user_id: number) => mayUseTeam(open.database, configuration(), user_id)

  /** Whoever may use the team begins conversations in it, where the account has one. */
  const teamOf = async (user_id: number, upstream_id: number): Promise<string | null> =>
    (await isOfTeam(user_id)) ? (upstreams.find(upstream_id)?.team_account_id ?? null) : null

  async function candidates(): Promise<Candidate[]> {
    const loads = await queueStore(open.database).loads()
    return upstreams.inUse('openai_web').map(upstream => ({ upstream, load: loads.get(upstream.id) ?? IDLE }))
  }

  const ofNobody = new AbortController().signal // a file that has been begun is completed, whoever leaves meanwhile

  return {
    async choose(user_id, conversation_id) {
      if (!configuration().openai_web.enabled) throw new Refusal('chatTypeNotEnabled')
      const there = conversation_id === null ? null : await conversations.accountOf(user_id, conversation_id)
      if (there !== null) {
        requireTeam(there.source_id, await isOfTeam(user_id))
        return there
      }
      const among = await candidates()
      const together = await fileStore(open.database).latestUnused(user_id, clock.now() - TOGETHER)
      const isUsable = among.some(
        ({ upstream }) => upstream.id === together?.upstream_id && upstream.paused_since === null,
      )
      const upstream_id = isUsable ? together?.upstream_id : chooseUpstream(among, clock.now())?.id
      if (upstream_id == null) throw new Refusal('upstreamNotAvailable')
      return { upstream_id, source_id: await teamOf(user_id, upstream_id) }
    },
    begin: (account, file) => requirePort(provider, 'beginFile')(reach(account), file, ofNobody),
    put: (account, upload_url, file, signal) =>
      requirePort(provider, 'sendFile')(reach(account), { upload_url, ...file, total_timeout_ms: MAX_SENDING }, signal),
    complete: (account, file_id) => requirePort(provider, 'completeFile')(reach(account), file_id, ofNobody),
    downloadUrl: (account, file_id) => requirePort(provider, 'fileUrl')(reach(account), file_id, ofNobody),
    open: (account, address) => requirePort(provider, 'openFile')(reach(account), address, ofNobody),
  }
}
