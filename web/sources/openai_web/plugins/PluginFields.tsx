import type { AskFields } from '#web/sources/source.ts'
import { PluginPicker } from './PluginPicker.tsx'

const NONE: string[] = []

/** The plugins of a new conversation. */
export function PluginFields({ fields, onChange }: { fields: AskFields; onChange(fields: AskFields): void }) {
  return (
    <PluginPicker
      chosen={fields.openai_web_plugin_ids ?? NONE}
      onChoose={ids => onChange(ids.length > 0 ? { openai_web_plugin_ids: ids } : {})}
    />
  )
}
