import { useEffect } from 'react'
import { pagesIn } from '#contract/pages.ts'
import type { QuestionDraft } from '#web/sources/source.ts'
import type { Plan, Planned } from './weights.ts'
import { drawPages, stopDrawing } from './work.ts'

/** Has those pages drawn that go with the question as pictures, once it is known which. */
export function useDrawnPages({ bounds }: QuestionDraft, plan: Plan): void {
  const { max_picture_side } = bounds
  useEffect(() => {
    for (const planned of plan.attachments) {
      const wanted = wantedPages(planned)
      if (wanted.length > 0) void drawPages(planned.attachment.id, wanted, max_picture_side)
      else stopDrawing(planned.attachment.id)
    }
  }, [plan, max_picture_side])
}

/** None while nobody has chosen what is left out of what is too long. */
export function wantedPages({ attachment: { content }, form, tooLong }: Planned): number[] {
  if (content?.kind !== 'document' || form.as !== 'picture' || tooLong?.chosen === false) return []
  return pagesIn(form.pages, content.page_count ?? 1)
}
