import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { create } from 'zustand'
import { attachmentsOf, type Message } from '#contract/messages.ts'
import { type AskFiles, sentAttachments } from '#web/files/askFiles.ts'
import type { Upload } from '#web/files/uploadState.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { fetchModule } from '#web/foundation/fetchModule.ts'
import { useSession } from '#web/foundation/session.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import type { Selection } from '#web/conversations/choices.ts'
import { noFilesBecause, useDroppedFiles } from './useDroppedFiles.ts'

/** The code of uploads, which is loaded only for users who may upload. */
type UploadsModule = typeof import('#web/files/UploadList.tsx')

export const useUploadsModule = create<{ loaded: UploadsModule | null }>(() => ({ loaded: null }))

let loading: Promise<UploadsModule> | null = null

/** Loads the code once. After a failure the next call tries again. */
async function loadUploads(): Promise<UploadsModule> {
  loading ??= fetchModule(() => import('#web/files/UploadList.tsx'))
  try {
    const loaded = await loading
    useUploadsModule.setState({ loaded })
    return loaded
  } catch (error) {
    loading = null
    throw error
  }
}

/** The server has accepted the question: its files leave the draft, and others move to the conversation's new id. */
export function settleFiles(from: string, to: string, files: AskFiles): void {
  useUploadsModule.getState().loaded?.settleUploads(from, to, sentAttachments(files))
}

/** The server has refused the question for its files: each says why, and can be uploaded again. */
export function refuseFiles(conversation: string, files: AskFiles, message: string): void {
  useUploadsModule.getState().loaded?.refuseUploads(conversation, sentAttachments(files), message)
}

/** Puts the files of a withdrawn question back into the draft. */
export function putBackFiles(conversation: string, question: Message): void {
  const attachments = attachmentsOf(question)
  if (attachments.length > 0)
    loadUploads()
      .then(uploads => uploads.putBackUploads(conversation, attachments))
      .catch(reportFailure)
}

/** The parts of the composer that show files. */
export type FileSlots = { above: ReactNode; button: ReactNode }

type DraftFiles = {
  slots: FileSlots
  /** Why the question cannot be sent with its files. */
  disabledReason: string | null
  /** The fields of the request. */
  forAsk: AskFiles
}

const NONE: readonly Upload[] = []
const NEVER = () => () => undefined

/** The files of the question that is being written. */
export function useDraftFiles(conversation: string, choice: Selection | null): DraftFiles {
  const t = useTranslate()
  const { user } = useSession()
  const closed = choice === null || user === null ? null : noFilesBecause(choice, user.setting)
  const isOpen = choice !== null && user !== null && closed === null
  const { loaded } = useUploadsModule()
  const readUploads = () => loaded?.uploadsIn(conversation) ?? NONE
  const uploads = useSyncExternalStore(loaded?.useUploads.subscribe ?? NEVER, readUploads, readUploads)
  useEffect(() => {
    // A failure is not reported here: adding a file loads the code again, and reports.
    if (isOpen) loadUploads().catch(() => undefined)
  }, [isOpen])
  const add = (files: File[]) => {
    if (choice !== null)
      loadUploads()
        .then(module => module.attachFiles(conversation, files, choice.model))
        .catch(reportFailure)
  }
  const isDraggedOver = useDroppedFiles(choice, isOpen ? add : null)
  if (loaded === null || choice === null || (!isOpen && uploads.length === 0))
    return { slots: { above: null, button: null }, disabledReason: null, forAsk: {} }
  const { askFiles, FileButton, readyAttachments, UploadList, uploadsDisabledReason } = loaded
  return {
    slots: {
      above: <UploadList uploads={uploads} isDraggedOver={isDraggedOver} />,
      button: isOpen ? <FileButton count={uploads.length} model={choice.model} onFiles={add} /> : null,
    },
    disabledReason: closed === null ? uploadsDisabledReason(uploads, choice.model, t) : t(closed),
    forAsk: askFiles(choice.model, readyAttachments(uploads)),
  }
}
