import type { AttachedAs } from '#contract/asking.ts'
import type { Configuration } from '#contract/configuration/configuration.ts'
import { type ModelCapabilities, type Source, UNKNOWN_CAPABILITIES } from '#contract/models.ts'
import type { RefusalKey } from '#contract/refusals.ts'
import type { Bus } from '#server/foundation/database/bus.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import type { SearchQueue } from '#server/foundation/search/searchQueue.ts'
import type { Finding } from '#server/foundation/finding.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { Job } from '#server/foundation/jobs/job.ts'
import type { Jobs } from '#server/foundation/jobs/jobs.ts'
import type { Log } from '#server/foundation/logging.ts'
import type { Outbound } from '#server/foundation/outbound/outbound.ts'
import type { SecretBox } from '#server/foundation/secrets.ts'
import type { ProviderEndpoint } from '#server/providers/endpoint.ts'
import type { Provider } from '#server/providers/provider.ts'
import type { Providers } from '#server/providers/providers.ts'
import type { Upstreams } from '#server/upstreams/upstreams.ts'
import type { User } from '#server/users/user.ts'
import type { AskPorts, FilePorts, ConversationPorts, ConversationRow } from './ports.ts'

/**
 * What holds for a source whatever is stored. Whoever wants to know asks for a trait, and never compares the names of
 * sources.
 */
export type SourceTraits = {
  code: Source
  /**
   * Its upstreams keep conversations under ids of their own: one goes on where it began, and what is stored here is a
   * copy.
   */
  keepsConversations: boolean
  /** What of a person's own may go with a question. */
  attachments: readonly AttachedAs[]
  /** Whether files go with a question by their ids here, or by those that an upstream gave them. */
  filesAre: 'here' | 'upstream'
  /** Whether the settings allow that. */
  takesUploads(configuration: Configuration): boolean
  /** The plan of its accounts, where some models need a paid one; null: none is needed. */
  plan(configuration: Configuration): 'paid' | 'free' | null
  /** Whether its questions go with a token that only the person's browser can fetch. */
  needsBrowserToken(configuration: Configuration): boolean
  /** What a model is taken to take and can where neither an upstream nor an administrator says. */
  presumed(model: string): ModelCapabilities
}

/** What a source may add. Each part is optional; whoever uses one does without where there is none. */
export type SourceParts = {
  asks?: AskPorts
  conversations?: ConversationPorts
  files?: FilePorts
  /** Answers the calls that this source alone has. */
  routes?(http: Http<User>): void
  jobs?: readonly Job[]
  /** When jobs run. */
  begin?(): Promise<void>
  /** Further origins for the policy of the page: what it may connect to and what it may show in a frame. */
  origins?(): { connect: readonly string[]; frame: readonly string[] }
  close?(): void
}

/** A source as everybody above meets it: what it is, and what it adds. */
export type SourceObject = SourceTraits & SourceParts

export type SourceDependencies = {
  open: OpenDatabase
  bus: Bus
  clock: Clock
  log: Log
  jobs: Jobs
  searchQueue: SearchQueue
  secretBox: SecretBox
  outbound: Outbound
  /** Counts an upload of this person while it lasts, and refuses one too many. */
  limitUploads<T>(user_id: number, upload: () => Promise<T>): Promise<T>
  /** Refuses superusers what is somebody else's of whom no conversation is open to them. */
  mayReadOf(
    reader: { id: number; is_superuser: boolean },
    file: { owner_id: number | null; conversation_id: string | null },
  ): Promise<void>
  configuration(): Configuration
  upstreams: Upstreams
  providers: Providers
}

/** An account as the doctor finds it; of the settings where they have its address. */
export type CheckedAccount = { label: string; isOfSettings: boolean; endpoint: ProviderEndpoint }

/** A line of the list of sources (server/sources/list/list.ts). */
export type SourceDefinition = SourceTraits & {
  provider(outbound: Outbound): Provider
  /** What the doctor says of one of its accounts; asks nothing that costs. */
  checkAccount?(outbound: Outbound, account: CheckedAccount, now: number): Promise<Finding>
  open?(given: SourceDependencies): SourceParts
}

/** Of a source that this program does not have: what was stored of it can be read, and nothing is asked. */
const plain = (code: Source): SourceObject => ({
  code,
  keepsConversations: false,
  attachments: [],
  filesAre: 'here',
  takesUploads: () => false,
  plan: () => null,
  needsBrowserToken: () => false,
  presumed: () => UNKNOWN_CAPABILITIES,
})

type Closing = Pick<ConversationRow, 'source' | 'source_id'>

export type Sources = ReturnType<typeof openSources>

export function openSources(list: readonly SourceDefinition[], given: SourceDependencies) {
  const all = list.map((source): SourceObject => ({ ...source, ...source.open?.(given) }))
  const byCode = new Map(all.map(source => [source.code, source]))
  const ports = all.flatMap(({ conversations }) => conversations ?? [])
  const of = (code: Source): SourceObject => byCode.get(code) ?? plain(code)
  return {
    all: all as readonly SourceObject[],
    of,

    // What follows is about conversations of any source: see `ConversationPorts`.
    async closedTo(user_id: number | null, rows: readonly Closing[]): Promise<(row: Closing) => RefusalKey | null> {
      const reasons = new Map<string, ((row: Closing) => RefusalKey | null) | undefined>()
      for (const [source, own] of Map.groupBy(rows, row => row.source))
        // of the two that are stored
        reasons.set(source, await of(source as Source).conversations?.closedTo(user_id, own))
      return row => reasons.get(row.source)?.(row) ?? null
    },
    async noteChange(...change: Parameters<ConversationPorts['noteChange']>): Promise<void> {
      for (const each of ports) await each.noteChange(...change)
    },
    sendChanges(): void {
      for (const each of ports) each.sendChanges()
    },
  }
}
