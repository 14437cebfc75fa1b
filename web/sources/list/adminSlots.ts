import type { Source } from '#contract/models.ts'
import { type AdminSlots, NO_ADMIN_SLOTS, type Sync, type SyncSlot } from '../adminSlots.ts'
import { pageSources } from './list.ts'

const loaded = new Map<Source, AdminSlots>()

/** Loads what the sources put into the admin area, once. */
export async function loadAdminSlots(): Promise<void> {
  await Promise.all(
    pageSources().map(async ({ name, loadAdminSlots: load }) => {
      if (load !== null && !loaded.has(name)) loaded.set(name, await load())
    }),
  )
}

export function adminSlots(source: Source): AdminSlots {
  return loaded.get(source) ?? NO_ADMIN_SLOTS
}

/** The sources with what they put there. */
export const everyAdminSlots = (): [Source, AdminSlots][] => [...loaded]

const NO_SYNC: SyncSlot = { useSync: () => undefined, Strip: () => null, confirm: () => Promise.resolve(false) }

/** The sync of the source whose accounts keep conversations. */
export function syncSlot(): SyncSlot {
  return [...loaded.values()].find(({ sync }) => sync !== null)?.sync ?? NO_SYNC
}

/** The state of that sync. */
export function useSync(onEnd: () => void): Sync | undefined {
  return syncSlot().useSync(onEnd)
}
