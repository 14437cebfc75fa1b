import { create } from 'zustand'
import { useSession } from '#web/foundation/session.ts'
import { type DraftAttachment, storedAttachment } from './attachment.ts'
import { linesOf, type StoredLine, storedIn } from './draftLines.ts'
import { type FilesAsked, readFacts } from '#web/messages/attached/fileFacts.ts'

/** The attachments of drafts, by conversation. */
type Drafts = { readonly [conversation: string]: readonly DraftAttachment[] }

export const useDrafts = create<Drafts>(() => ({}))

const NONE: readonly DraftAttachment[] = []

/** Where drafts are kept over a reload, as lines of text. */
export type DraftLines = { read(conversation: string): string; keep(conversation: string, lines: string): void }

let kept: DraftLines = { read: () => '', keep: () => undefined }
let lastId = 0

export function newId(): string {
  lastId += 1
  return `attachment-${lastId}`
}

export function keepDraftsIn(lines: DraftLines): void {
  kept = lines
}

export const attachmentsIn = (conversation: string): readonly DraftAttachment[] =>
  useDrafts.getState()[conversation] ?? NONE

/** Brings back what an earlier page has kept of the draft; once. */
export function openDraft(conversation: string): void {
  if (useDrafts.getState()[conversation] !== undefined) return
  const lines = storedIn(kept.read(conversation))
  useDrafts.setState({ [conversation]: lines.map(fromLine) })
  void refreshFacts(
    conversation,
    lines.map(({ file_id }) => file_id),
  )
}

const fromLine = (line: StoredLine): DraftAttachment => ({
  ...line,
  id: newId(),
  file: null,
  state: { phase: 'ready' },
  remedy: null,
})

/** What the server says of these files now: some may be gone. */
export async function refreshFacts(conversation: string, ids: readonly string[]): Promise<void> {
  let asked: FilesAsked
  try {
    asked = await readFacts(ids)
  } catch {
    // The ask itself says what is wrong with a file.
    return
  }
  changeIn(conversation, attachment => {
    if (attachment.state.phase !== 'ready' || attachment.file_id === null || !ids.includes(attachment.file_id))
      return attachment
    const file = asked.get(attachment.file_id)
    // One that the server does not know at all was removed with everything of it.
    if (file === undefined) return { ...attachment, state: { phase: 'gone', reason: 'expired' } }
    const { id, as, pages, pasted } = attachment
    return { ...storedAttachment(id, file, { as: as ?? undefined, pages }), pasted, as }
  })
}

export function addTo(conversation: string, added: readonly DraftAttachment[]): void {
  setIn(conversation, [...attachmentsIn(conversation), ...added])
}

export function setIn(conversation: string, attachments: readonly DraftAttachment[]): void {
  useDrafts.setState({ [conversation]: attachments })
  kept.keep(conversation, linesOf(attachments))
}

export function removeFrom(conversation: string, id: string): void {
  setIn(
    conversation,
    attachmentsIn(conversation).filter(attachment => attachment.id !== id),
  )
}

/** Changes one attachment, wherever it is. */
export function change(id: string, next: (attachment: DraftAttachment) => DraftAttachment): void {
  for (const conversation of Object.keys(useDrafts.getState()))
    if (attachmentsIn(conversation).some(attachment => attachment.id === id))
      changeIn(conversation, attachment => (attachment.id === id ? next(attachment) : attachment))
}

export function changeIn(conversation: string, next: (attachment: DraftAttachment) => DraftAttachment): void {
  const before = attachmentsIn(conversation)
  const after = before.map(next)
  if (after.every((attachment, at) => attachment === before[at])) return
  useDrafts.setState({ [conversation]: after })
  const lines = linesOf(after)
  if (lines !== linesOf(before)) kept.keep(conversation, lines)
}

export const findAttachment = (id: string): DraftAttachment | undefined =>
  Object.values(useDrafts.getState())
    .flat()
    .find(attachment => attachment.id === id)

/** The conversation whose draft has it. */
export const draftOf = (id: string): string | undefined =>
  Object.entries(useDrafts.getState()).find(([, all]) => all.some(attachment => attachment.id === id))?.[0]

/** The server has accepted a question with these files; those added since move to the conversation’s new id. */
export function settle(from: string, to: string, sent: readonly string[]): void {
  const left = attachmentsIn(from).filter(({ file_id }) => file_id === null || !sent.includes(file_id))
  if (from === to) {
    setIn(from, left)
    return
  }
  const there = attachmentsIn(to)
  setIn(from, NONE)
  if (left.length > 0 || there.length > 0) setIn(to, [...there, ...left])
}

// After signing out, another user may sign in on this page.
useSession.subscribe(({ user }) => {
  if (user === null) useDrafts.setState({}, true)
})
