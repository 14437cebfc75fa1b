import type { Attachment, Message } from '#contract/messages.ts'
import { acceptOf, askFiles, sentAttachments } from '#web/files/askFiles.ts'
import { UploadList } from '#web/files/UploadList.tsx'
import { attachFiles, putBackUploads, refuseUploads, settleUploads, uploadsIn, useUploads } from '#web/files/uploads.ts'
import { readyAttachments, uploadsDisabledReason } from '#web/files/uploadState.ts'
import type { DraftFilesModule, QuestionDraft } from '#web/sources/source.ts'

const modelOf = ({ models, model }: QuestionDraft) => models.find(({ code }) => code === model) ?? null

/** The files of questions to a web account: they are uploaded there, and each model reads what it reads. */
export const draftUploads: DraftFilesModule = {
  subscribe: useUploads.subscribe,
  open: () => undefined,
  filesOf: uploadsIn,
  attach: (draft, files) => attachFiles(draft.conversation, files, modelOf(draft)),
  attachText: null,
  acceptOf: draft => acceptOf(modelOf(draft)),
  stateOf(draft, t) {
    const uploads = uploadsIn(draft.conversation)
    const model = modelOf(draft)
    return {
      disabledReason: uploadsDisabledReason(uploads, model, t),
      hint: null,
      fields: askFiles(model, readyAttachments(uploads)),
    }
  },
  List: ({ draft, isDraggedOver }) => (
    <UploadList uploads={uploadsIn(draft.conversation)} isDraggedOver={isDraggedOver} />
  ),
  Head: null,
  Choices: null,
  settle: (from, to, sent) => settleUploads(from, to, sentAttachments(sent)),
  refuse: (conversation, refused, { message }) => refuseUploads(conversation, sentAttachments(refused), message),
  putBack: (conversation, question) => putBackUploads(conversation, attachmentsOf(question)),
}

const attachmentsOf = ({ metadata }: Message): Attachment[] =>
  metadata?.source === 'openai_web' ? (metadata.attachments ?? []) : []
