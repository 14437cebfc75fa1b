import { type ReactNode, useEffect, useMemo, useState } from 'react'
import { create } from 'zustand'
import type { UserSetting } from '#contract/limits.ts'
import type { Message } from '#contract/messages.ts'
import type { ModelChoice, Source } from '#contract/models.ts'
import { FileButton } from '#web/files/FileButton.tsx'
import { reportFailure } from '#web/foundation/failures.ts'
import { fetchModule } from '#web/foundation/failures.ts'
import { useModel, usePortal } from '#web/foundation/portal.ts'
import { useSession } from '#web/foundation/session.ts'
import type { PlainKey } from '#web/i18n/dictionary.ts'
import { loadTexts, useTranslate } from '#web/i18n/useTranslate.ts'
import { pageSource } from '#web/sources/list/list.ts'
import type { AskFields, DraftFilesModule, FilesRefusal, QuestionDraft } from '#web/sources/source.ts'
import { filesKey } from './drafts.ts'
import { type Draft, ownDrafts } from './useDraft.ts'
import { useDroppedFiles } from './useDroppedFiles.ts'

/** What holds the files of drafts, by the source that it is of; `version` changes with whatever changes in one. */
const useModules = create<{ loaded: ReadonlyMap<Source, DraftFilesModule>; version: number }>(() => ({
  loaded: new Map(),
  version: 0,
}))

const loading = new Map<Source, Promise<DraftFilesModule>>()

/** Loads it once. After a failure the next call tries again. */
function loadModule(source: Source): Promise<DraftFilesModule> {
  const before = loading.get(source)
  if (before !== undefined) return before
  const own = pageSource(source).files?.loadDrafts ?? loadAttachments
  const load = fetchModule(() => Promise.all([own(), loadTexts('attachments')])).then(([loaded]) => {
    loaded.subscribe(() => useModules.setState(({ version }) => ({ version: version + 1 })))
    useModules.setState(now => ({ loaded: new Map([...now.loaded, [source, loaded]]) }))
    return loaded
  })
  loading.set(source, load)
  load.catch(() => loading.delete(source))
  return load
}

/** Where a source has no way of its own. */
async function loadAttachments(): Promise<DraftFilesModule> {
  const { openAttachments } = await import('#web/attachments/draftFiles.tsx')
  return openAttachments({
    read: conversation => ownDrafts().read(filesKey(conversation)),
    keep: (conversation, lines) => ownDrafts().keep(filesKey(conversation), lines),
  })
}

const modules = (): DraftFilesModule[] => [...useModules.getState().loaded.values()]

/** The server has accepted the question: its files leave the draft, and others move to the conversation's new id. */
export function settleFiles(from: string, to: string, sent: AskFields): void {
  for (const module of modules()) module.settle(from, to, sent)
}

/** The server has refused the question for its files: each says why, and can be tried again. */
export function refuseFiles(conversation: string, refused: AskFields, reason: FilesRefusal): void {
  for (const module of modules()) module.refuse(conversation, refused, reason)
}

/** Puts the files of a withdrawn question back into the draft. */
export function putBackFiles(conversation: string, question: Message): void {
  if ((question.metadata?.attachments ?? []).length > 0)
    loadModule(question.source)
      .then(module => module.putBack(conversation, question))
      .catch(reportFailure)
}

export type DraftFiles = {
  /** The parts of the composer that show files: joined to it, above its text, beside its model. */
  head: ReactNode
  above: ReactNode
  button: ReactNode
  /** Opens the files that were used before; null where none can go with the question. */
  openEarlier: (() => void) | null
  /** The question with its files; null while it can have none. */
  question: QuestionDraft | null
  /** Why the question cannot be sent with its files. */
  disabledReason: string | null
  /** What will be sent of them, where that is not plain. */
  hint: string | null
  /** The fields of the request. */
  fields: AskFields
}

const NO_FILES: DraftFiles = {
  head: null,
  above: null,
  button: null,
  openEarlier: null,
  question: null,
  disabledReason: null,
  hint: null,
  fields: {},
}

type Choice = Pick<QuestionDraft, 'source' | 'model' | 'models' | 'choose'>

/** The files of the question that is being written. */
export function useDraftFiles(draft: Draft, choice: Choice | null, messages: readonly Message[]): DraftFiles {
  const t = useTranslate()
  const question = useQuestion(draft, choice, messages)
  const closed = useClosed(choice)
  const open = question !== null && closed === null ? question : null
  const { current, others } = useLoaded(draft.conversation, open?.source ?? null)
  const [choices, setChoices] = useState<'phone' | 'earlier' | null>(null)
  const adding = open === null ? null : addingTo(open)
  const isDraggedOver = useDroppedFiles(closed === undefined ? null : closed, adding)
  if (question === null || (adding === null && others.length === 0)) return NO_FILES
  const show = (of: 'phone' | 'earlier') => void adding?.load().then(() => setChoices(of), reportFailure)
  const Choices = current?.Choices ?? null
  const mayChoose = adding !== null && !adding.hasOwnWay
  const state = current?.stateOf(question, t)
  return {
    head: current?.Head != null && <current.Head draft={question} />,
    above: [...(current === null ? [] : [current]), ...others].map((module, at) => (
      <module.List key={at} draft={question} isDraggedOver={isDraggedOver && module === current} />
    )),
    button: adding && (
      <>
        <FileButton
          count={adding.hasOwnWay ? (current?.filesOf(draft.conversation).length ?? 0) : 0}
          accept={current?.acceptOf(question)}
          onFiles={adding.onFiles}
          onNear={adding.onNear}
          onSheet={mayChoose ? () => show('phone') : null}
        />
        {choices !== null && Choices !== null && (
          <Choices draft={question} of={choices} onFiles={adding.onFiles} onClose={() => setChoices(null)} />
        )}
      </>
    ),
    openEarlier: mayChoose ? () => show('earlier') : null,
    question: open,
    disabledReason:
      closed != null ? t(closed) : others.length > 0 ? t('files.ofOtherSource') : (state?.disabledReason ?? null),
    hint: state?.hint ?? null,
    fields: state?.fields ?? {},
  }
}

function useQuestion(draft: Draft, choice: Choice | null, messages: readonly Message[]): QuestionDraft | null {
  const bounds = usePortal()?.files
  return useMemo(
    () => (choice === null || bounds === undefined ? null : { ...draft, ...choice, messages, bounds }),
    [draft, choice, messages, bounds],
  )
}

const NO_CHOICE = { source: 'openai_api', model: null } as const

/** Why no files can be added; undefined while nobody knows. */
function useClosed(choice: Choice | null): PlainKey | null | undefined {
  const { user } = useSession()
  const model = useModel(choice ?? NO_CHOICE)
  return choice === null || user === null ? undefined : noFilesBecause(choice.source, model, user.setting)
}

type Loaded = { current: DraftFilesModule | null; others: DraftFilesModule[] }

/** What holds the files for this source; and what else has files in this draft, of a source that it had before. */
function useLoaded(conversation: string, source: Source | null): Loaded {
  const { loaded } = useModules()
  const current = source === null ? null : (loaded.get(source) ?? null)
  const hasKept = ownDrafts().read(filesKey(conversation)) !== ''
  useEffect(() => {
    // A failure is not reported here: adding a file loads it again, and reports.
    if (source !== null && hasKept) loadModule(source).catch(() => undefined)
  }, [source, hasKept])
  useEffect(() => current?.open(conversation), [current, conversation])
  const others = [...loaded.values()].filter(module => module !== current && module.filesOf(conversation).length > 0)
  return { current, others }
}

function addingTo(question: QuestionDraft) {
  const files = pageSource(question.source).files
  const load = () => loadModule(question.source)
  const attachText = (text: string) => void load().then(module => module.attachText?.(question, text), reportFailure)
  return {
    load,
    /** Whether its source has a way of its own, with nothing but the system’s dialog. */
    hasOwnWay: files?.loadDrafts != null,
    onFiles: (chosen: File[]) => void load().then(module => module.attach(question, chosen), reportFailure),
    onText: files?.loadDrafts == null ? attachText : null,
    onNear: () => void load().catch(() => undefined),
  }
}

/** Why no files can be added with this model; null when they can. */
export function noFilesBecause(source: Source, model: ModelChoice | null, setting: UserSetting) {
  const { files } = pageSource(source)
  return files === null ? 'composer.noFilesWithApi' : files.disabledReason(model, setting)
}
