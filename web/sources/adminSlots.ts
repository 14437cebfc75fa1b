import type { ComponentType } from 'react'
import type { ConversationSync } from '#contract/conversationSync.ts'
import type { UpstreamRead } from '#contract/upstreams.ts'

/** What a source puts into the pages of the admin area. It is loaded before the first of them is shown. */
export type AdminSlots = {
  /** Under the list of accounts, about those of the source. */
  AccountsSection: ComponentType<{ accounts: readonly UpstreamRead[] }> | null
  /** In the drawer of an account of the source. */
  AccountPanel: ComponentType<{ upstream: UpstreamRead }> | null
  /** Under a setting, by its path. */
  settings: Readonly<Record<string, ComponentType>>
  sync: SyncSlot | null
}

/** Compares the conversations of accounts with what is known here. */
export type SyncSlot = {
  /** A hook: undefined while the state is loading. `onEnd` is called when a sync has ended. */
  useSync(onEnd: () => void): Sync | undefined
  /** The progress of the sync, then its result. `onAssign` shows what nobody has yet. */
  Strip: ComponentType<{ sync: Sync; onAssign(): void }>
  /** Whether it is to be started. */
  confirm(): Promise<boolean>
}

export type Sync = ConversationSync & { isDismissed: boolean; dismiss(): void; start(): void; stop(): void }

/** Those of a source that puts nothing there. */
export const NO_ADMIN_SLOTS: AdminSlots = { AccountsSection: null, AccountPanel: null, settings: {}, sync: null }
