import { attachmentsOf, type Message } from '#contract/messages.ts'
import { pagesIn } from '#contract/pages.ts'
import { toast } from '#web/foundation/toasts.ts'
import type { Translate } from '#web/i18n/dictionary.ts'
import { translate as t } from '#web/i18n/useTranslate.ts'
import type { AskFields, DraftFilesModule, DraftFilesState, FilesRefusal, QuestionDraft } from '#web/sources/source.ts'
import { AttachChoices } from './AttachChoices.tsx'
import { type DraftAttachment, forRequest, isReadyToGo, isUnderWay, sentAttachment } from './attachment.ts'
import { AttachmentList } from './AttachmentList.tsx'
import { CannotTake, untakenBy } from './CannotTake.tsx'
import {
  addTo,
  attachmentsIn,
  changeIn,
  type DraftLines,
  keepDraftsIn,
  newId,
  openDraft,
  refreshFacts,
  settle,
  useDrafts,
} from './drafts.ts'
import { isKept, planOf } from './plan.ts'
import { type Plan, shortCount } from './weights.ts'
import { startWaiting } from './work.ts'

/** What holds the attachments of questions to any source that has none of its own. */
export function openAttachments(lines: DraftLines): DraftFilesModule {
  keepDraftsIn(lines)
  return {
    subscribe: useDrafts.subscribe,
    open: openDraft,
    filesOf: attachmentsIn,
    attach,
    attachText: ({ conversation, bounds }, text) => {
      const file = new File([text], t('attachments.pastedName'), { type: 'text/plain' })
      add(conversation, [{ ...newAttachment(file), pasted: text.length }], bounds)
    },
    acceptOf: () => undefined,
    stateOf,
    List: AttachmentList,
    Head: CannotTake,
    Choices: AttachChoices,
    settle: (from, to, { attachments }) =>
      settle(
        from,
        to,
        (attachments ?? []).map(({ file_id }) => file_id),
      ),
    refuse,
    putBack,
  }
}

function attach({ conversation, bounds }: QuestionDraft, files: readonly File[]): void {
  add(conversation, files.map(newAttachment), bounds)
}

function add(conversation: string, files: readonly DraftAttachment[], bounds: QuestionDraft['bounds']): void {
  openDraft(conversation)
  const present = attachmentsIn(conversation)
  const others = files.filter(({ file }, at) => {
    const isSame = (other: DraftAttachment) => other.file !== null && file !== null && isSameFile(other.file, file)
    return !present.some(isSame) && files.findIndex(isSame) === at
  })
  const added = others.slice(0, Math.max(0, bounds.max_attachments - present.length))
  const beyond = others.length - added.length
  if (beyond > 0)
    toast.refusal(
      t('attachments.tooMany'),
      t('attachments.tooManyText', { most: bounds.max_attachments, count: beyond }),
    )
  addTo(conversation, added)
  startWaiting(bounds)
}

/** Before it is read: the server knows the same content by its hash, whatever it is called. */
const isSameFile = (one: File, other: File): boolean =>
  one === other ||
  (one.name === other.name && one.size === other.size && one.lastModified === other.lastModified && one.size > 0)

function newAttachment(file: File): DraftAttachment {
  return {
    id: newId(),
    name: file.name,
    size: file.size,
    mime_type: file.type,
    file,
    pasted: null,
    state: { phase: 'waiting' },
    file_id: null,
    content: null,
    as: null,
    pages: null,
    remedy: null,
  }
}

function stateOf(draft: QuestionDraft, translate: Translate): DraftFilesState {
  const attachments = attachmentsIn(draft.conversation)
  if (attachments.length === 0) return { disabledReason: null, hint: null, fields: {} }
  const plan = planOf(draft)
  return {
    disabledReason: disabledReasonOf(draft, plan, translate),
    hint: hintOf(plan, translate),
    fields: {
      attachments: plan.attachments
        .filter(({ attachment }) => isReadyToGo(attachment))
        .map(({ attachment, form }) => forRequest(attachment, form)),
    },
  }
}

function disabledReasonOf(draft: QuestionDraft, plan: Plan, translate: Translate): string | null {
  const all = plan.attachments.map(({ attachment }) => attachment)
  const of = (...phases: string[]) => all.filter(({ state }) => phases.includes(state.phase)).length
  const read = of('waiting', 'reading', 'drawing')
  if (read > 0) return translate('attachments.stillReading', { count: read })
  const underWay = all.filter(({ state }) => isUnderWay(state)).length
  if (underWay > 0) return translate('attachments.stillUploading', { count: underWay })
  if (of('needsPassword') > 0) return translate('attachments.givePassword')
  if (of('failed', 'refused') > 0) return translate('attachments.someFailed')
  if (of('gone') > 0) return translate('attachments.someGone')
  if (untakenBy(draft, plan) !== null) return translate('attachments.notTaken')
  return plan.isOpen ? translate('attachments.chooseWay') : null
}

/** What was chosen where it was too long, once more beside the button. */
function hintOf({ attachments }: Plan, translate: Translate): string | null {
  const one = attachments.find(({ tooLong }) => tooLong?.chosen === true)
  if (one === undefined) return null
  const tokens = shortCount(one.tokens ?? 0)
  const { remedy, content } = one.attachment
  if (remedy?.kind !== 'pages') return translate('attachments.hintText', { tokens })
  const count = content?.kind === 'document' ? pagesIn(remedy.pages, content.page_count ?? 1).length : 0
  const isFirst = remedy.pages === (count === 1 ? '1' : `1-${count}`)
  return isFirst
    ? translate('attachments.hintFirst', { count, tokens })
    : translate('attachments.hintPages', { pages: remedy.pages, tokens })
}

/** The server says when it is asked which of them are gone. Else the refusal names one, or it is about all of them. */
function refuse(conversation: string, { attachments }: AskFields, reason: FilesRefusal): void {
  if (attachments == null) return
  const ids = attachmentsIn(conversation).flatMap(({ file_id }) => file_id ?? [])
  void refreshFacts(conversation, ids).then(() => {
    const present = attachmentsIn(conversation)
    if (present.some(({ state }) => state.phase !== 'ready')) return
    const named = present.filter(({ name }) => name === reason.values?.['name'])
    changeIn(conversation, attachment =>
      named.length === 0 || named.includes(attachment)
        ? { ...attachment, state: { phase: 'failed', reason } }
        : attachment,
    )
  })
}

function putBack(conversation: string, question: Message): void {
  openDraft(conversation)
  const present = attachmentsIn(conversation)
  const back = attachmentsOf(question)
    .filter(isKept)
    .filter(({ id }) => !present.some(({ file_id }) => file_id === id))
    .map(sent => sentAttachment(newId(), sent))
  if (back.length === 0) return
  addTo(conversation, back)
  void refreshFacts(
    conversation,
    back.flatMap(({ file_id }) => file_id ?? []),
  )
}
