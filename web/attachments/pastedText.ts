import { reportFailure } from '#web/foundation/failures.ts'
import type { QuestionDraft } from '#web/sources/source.ts'
import type { DraftAttachment } from './attachment.ts'
import { removeFrom } from './drafts.ts'
import { cancel, fileOf } from './work.ts'

/** A text that became a file becomes part of the question again, behind what is there. */
export async function putTextBack(attachment: DraftAttachment, draft: QuestionDraft): Promise<void> {
  try {
    const text = await (await fileOf(attachment)).text()
    draft.write(draft.text === '' ? text : `${draft.text}\n${text}`)
    cancel(attachment.id)
    removeFrom(draft.conversation, attachment.id)
    document.querySelector<HTMLElement>('[data-composer]')?.focus()
  } catch (error) {
    reportFailure(error)
  }
}
