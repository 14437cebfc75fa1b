import { useState } from 'react'
import { PLUGIN_MODEL, type Source } from '#contract/models.ts'
import type { Portal } from '#contract/status.ts'
import type { UserSetting } from '#contract/limits.ts'
import { lastSelection } from '#web/foundation/stored.ts'
import { bestSelection } from './choices.ts'

export type NewConversationForm = { source: Source | null; model: string | null; plugin_ids: string[]; title: string }

export function mayHavePlugins({ source, model }: Pick<NewConversationForm, 'source' | 'model'>): boolean {
  return source === 'openai_web' && model === PLUGIN_MODEL
}

/** The specification, section 2: the last selection comes back; another source clears the model, another model the plugins. */
export function useNewConversationForm(portal: Portal, setting: UserSetting) {
  const [form, setForm] = useState<NewConversationForm>(() => ({
    source: null,
    model: null,
    ...bestSelection(portal, setting, lastSelection(), new Date()),
    plugin_ids: [],
    title: '',
  }))
  return {
    form,
    chooseSource: (source: Source) =>
      setForm(now => (now.source === source ? now : { ...now, source, model: null, plugin_ids: [] })),
    chooseModel: (model: string) => setForm(now => (now.model === model ? now : { ...now, model, plugin_ids: [] })),
    choosePlugins: (plugin_ids: string[]) => setForm(now => ({ ...now, plugin_ids })),
    nameIt: (title: string) => setForm(now => ({ ...now, title })),
  }
}
