import { create } from 'zustand'
import type { AskRequest } from '#contract/asking.ts'
import type { Message } from '#contract/messages.ts'
import { attachmentsOfQuestion } from '#web/files/attachmentsOfQuestion.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { fetchModule } from '#web/foundation/fetchModule.ts'

/** All that has to do with files; it is fetched only for whoever may upload some. */
type FileDesk = typeof import('#web/files/UploadList.tsx')

export const useFileDesk = create<{ desk: FileDesk | null }>(() => ({ desk: null }))

let coming: Promise<FileDesk> | null = null

/** Fetches it once; what failed is tried anew at the next call. */
export async function fetchFileDesk(): Promise<FileDesk> {
  coming ??= fetchModule(() => import('#web/files/UploadList.tsx'))
  try {
    const desk = await coming
    useFileDesk.setState({ desk })
    return desk
  } catch (error) {
    coming = null
    throw error
  }
}

/** The question was taken: its files are no longer a draft, and others go along to where the conversation is now. */
export function settleFiles(
  from: string,
  to: string,
  { openai_web_attachments }: Pick<AskRequest, 'openai_web_attachments'>,
): void {
  useFileDesk.getState().desk?.settleUploads(from, to, openai_web_attachments ?? [])
}

/** Puts the files of a question that was taken back to where it was written. */
export function putBackFiles(conversation: string, question: Message): void {
  const attachments = attachmentsOfQuestion(question)
  if (attachments.length > 0)
    fetchFileDesk()
      .then(desk => desk.putBackUploads(conversation, attachments))
      .catch(reportFailure)
}
