import type { PlainKey } from '#web/i18n/dictionary.ts'

type PlannedPage = { text: PlainKey; commands: readonly string[]; calls: readonly string[] }

/** Pages that are not built yet, by their names: what each will do, and the commands and API calls that do its work today. */
export const PLANNED_PAGES = {
  openaiSettings: {
    text: 'planned.openai_settings',
    commands: [],
    calls: ['GET /api/system/credentials', 'PUT /api/system/credentials'],
  },
} satisfies Record<string, PlannedPage>

export function isPlanned(name: string | undefined): name is keyof typeof PLANNED_PAGES {
  return name !== undefined && name in PLANNED_PAGES
}
