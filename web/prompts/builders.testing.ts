import type { Prompt } from '#contract/prompts.ts'

export const aPrompt = (fields: Partial<Prompt> = {}): Prompt => ({
  id: 1,
  name: '写一封客气的信',
  short_name: '信',
  text: '给[收信人]写一封信，说[事情]，语气客气但坚决。',
  blanks: {},
  is_shared: false,
  is_active: true,
  update_time: '2026-11-02T08:00:00Z',
  ...fields,
})
