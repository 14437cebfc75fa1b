import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { NEW_CONVERSATION } from '#contract/conversations.ts'
import { Opened } from '#web/conversations/opened.ts'
import { Sidebar } from '#web/conversations/Sidebar.tsx'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { useHeaderSlot } from '#web/kit/headerSlot.ts'
import { Announcer } from './Announcer.tsx'
import { openConversation } from './asks.ts'
import { ConversationHeader } from './ConversationHeader.tsx'
import { DeskView } from './DeskView.tsx'
import styles from './screen.module.css'
import { TidyList } from './limit/tidyList.ts'
import { useFreshFigures } from './limit/useFreshFigures.ts'
import { unsavedRecord, useUnsaved } from './unsaved.ts'
import { useArriving } from './useAsk.ts'
import { type Desk, useDesk } from './useDesk.ts'
import { useRowStates } from './useRowStates.ts'
import { useScreenShortcuts } from './useScreenShortcuts.ts'
import { useWide } from './useWide.ts'

/** In the same chunk, for the route. */
export { takeFirstAnswers } from './firstAnswers.ts'

const SidebarDrawer = lazy(() => import('./SidebarDrawer.tsx').then(module => ({ default: module.SidebarDrawer })))
const NewConversation = lazy(() => import('./NewConversation.tsx').then(module => ({ default: module.NewConversation })))

/** List, thread and composer. Which conversation is open stands in the address. */
export function ConversationScreen() {
  const navigate = useNavigate()
  const { id: addressed = null } = useSearch({ from: '/conversation' })
  const show = useCallback((id: string | null) => void navigate({ to: '/conversation', search: id === null ? {} : { id }, replace: true }), [navigate])
  const id = useArriving(addressed, show)
  const desk = useDesk(id)
  const wide = useWide()
  const [listOpen, setListOpen] = useState(false)
  const [creating, setCreating] = useState(false)
  const openList = useCallback(() => setListOpen(true), [])
  const closeList = useCallback(() => setListOpen(false), [])
  useEffect(() => openConversation(id), [id])
  useFreshFigures()
  useScreenHeader(desk, wide ? null : openList)
  const searchInput = useRef<HTMLInputElement>(null)
  useScreenShortcuts({
    open: desk.key, searchInput, onList: openList, onNew: () => setCreating(true), onShow: next => void navigate({ to: '/conversation', search: { id: next } }),
  })
  const sidebar = <ListOfConversations open={desk.key} searchInput={searchInput} onNew={() => { closeList(); setCreating(true) }} />
  return (
    <div className={wide ? styles.screen : `${styles.screen} ${styles.narrow}`}>
      {wide
        ? sidebar
        : <Suspense><SidebarDrawer opened={listOpen} onClose={closeList}><Opened value={closeList}>{sidebar}</Opened></SidebarDrawer></Suspense>}
      <TidyList value={wide ? focusFirstRow : openList}><DeskView desk={desk} onShow={show} /></TidyList>
      <Announcer conversation_id={id} />
      {creating && <Suspense><NewConversation onClose={() => setCreating(false)} /></Suspense>}
    </div>
  )
}

function focusFirstRow(): void {
  document.querySelector<HTMLElement>('[data-testid=conversation-row] a')?.focus()
}

type ListProps = { open: string; searchInput: React.RefObject<HTMLInputElement | null>; onNew(): void }

function ListOfConversations({ open, searchInput, onNew }: ListProps) {
  const states = useRowStates()
  const { unsaved } = useUnsaved()
  const record = useMemo(() => unsaved && unsavedRecord(unsaved), [unsaved])
  return <Sidebar open={open} states={states} unsaved={record} searchInput={searchInput} onNew={onNew} />
}

function useScreenHeader({ id, key, history, choice }: Desk, onList: (() => void) | null): void {
  const t = useTranslate()
  const unsavedTitle = useUnsaved(({ unsaved }) => unsaved?.title ?? '')
  const title = (key === NEW_CONVERSATION ? unsavedTitle : history?.title) || t(id !== null && history === null ? 'thread.loading' : 'conversations.untitled')
  const source = choice?.source ?? null
  const stored = history === null ? null : id
  useHeaderSlot(useMemo(() => (
    <ConversationHeader id={stored} title={title} source={source} onList={onList} />
  ), [stored, title, source, onList]))
}
