import type { AdminSlots } from '#web/sources/adminSlots.ts'
import { ArkoseTest } from './ArkoseTest.tsx'
import { AccountsPanel } from './check/AccountsPanel.tsx'
import { PluginStore } from './store/PluginStore.tsx'
import { confirmSync, SyncStrip, useSync } from './sync/SyncStrip.tsx'

export const slots: AdminSlots = {
  AccountsSection: PluginStore,
  AccountPanel: AccountsPanel,
  settings: { 'openai_web.arkose_endpoint_base': ArkoseTest },
  sync: { useSync, Strip: SyncStrip, confirm: confirmSync },
}
