import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import type { AskFiles } from '#web/files/askFiles.ts'
import type { Upload } from '#web/files/uploadState.ts'
import { reportFailure } from '#web/foundation/failures.ts'
import { useSession } from '#web/foundation/session.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { fetchFileDesk, useFileDesk } from './fileDesk.ts'
import type { Desk } from '../useDesk.ts'
import { noFilesBecause, useGivenFiles } from './useDroppedFiles.ts'

/** What the composer shows of files. */
export type FileSlots = { above: ReactNode; button: ReactNode }

type DraftFiles = {
  slots: FileSlots
  /** Why the question cannot be sent with its files. */
  hindrance: string | null
  /** What the request says of them. */
  forAsk: AskFiles
}

const NONE: readonly Upload[] = []
const NEVER = () => () => undefined

/** The files of the question that is being written. */
export function useDraftFiles({ key, choice }: Pick<Desk, 'key' | 'choice'>): DraftFiles {
  const t = useTranslate()
  const { user } = useSession()
  const closed = choice === null || user === null ? null : noFilesBecause(choice, user.setting)
  const isOpen = choice !== null && user !== null && closed === null
  const { desk } = useFileDesk()
  const uploads = useSyncExternalStore(desk?.useUploads.subscribe ?? NEVER, () => desk?.uploadsIn(key) ?? NONE)
  useEffect(() => {
    // Without it a file that is given fetches it once more, and says so when that fails too.
    if (isOpen) fetchFileDesk().catch(() => undefined)
  }, [isOpen])
  const give = (files: File[]) => {
    if (choice !== null)
      fetchFileDesk()
        .then(desk => desk.attachFiles(key, files, choice.model))
        .catch(reportFailure)
  }
  const offered = useGivenFiles(choice, isOpen ? give : null)
  if (desk === null || choice === null || (!isOpen && uploads.length === 0))
    return { slots: { above: null, button: null }, hindrance: null, forAsk: {} }
  const { askFiles, attachmentsOf, FileButton, FileDesk, filesHindrance } = desk
  return {
    slots: {
      above: <FileDesk uploads={uploads} offered={offered} />,
      button: isOpen ? <FileButton count={uploads.length} model={choice.model} onFiles={give} /> : null,
    },
    hindrance: closed === null ? filesHindrance(uploads, choice.model, t) : t(closed),
    forAsk: askFiles(choice.model, attachmentsOf(uploads)),
  }
}
