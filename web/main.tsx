import './foundation/zodConfiguration.ts'
import '#web/kit/Kit.tsx'
import './firstPaint/firstPaint.css'
import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { App, pageRouter, preloadFirstScreen } from '#web/app/router.tsx'
import { AfterFirstPaint } from './firstPaint/handoff.tsx'
import { nextTask } from './firstPaint/scripts.ts'
import { leaveRoomForKeyboard } from './foundation/keyboardRoom.ts'
import { tolerateMovedNodes } from './foundation/movedNodes.ts'
import { keepOfflinePage } from './foundation/offlineWorker.ts'
import { loadUser, onUserChange, preferencesSynced } from './foundation/session.ts'
import { applyStoredPreferences } from './foundation/preferences.ts'

tolerateMovedNodes()
const root = document.getElementById('root')
if (root !== null) void start(root)
leaveRoomForKeyboard()
keepOfflinePage()
// A whole new page: nothing of the user who was here stays in memory.
onUserChange(() => window.location.reload())

async function start(root: HTMLElement): Promise<void> {
  await nextTask()
  // In parallel: the session, the code of the first screen, and the language. The guards wait for the first by
  // themselves.
  const router = pageRouter()
  await nextTask()
  loadUser().catch(() => null)
  const inLanguage = applyStoredPreferences().catch(() => null)
  // The inline script runs those of the first screen one by one; imported sooner they would all run in one task.
  await globalThis.screenScripts?.catch(() => null)
  preloadFirstScreen(router)
  await inLanguage
  window.addEventListener('storage', () => {
    applyStoredPreferences().catch(() => null)
  })
  await nextTask()
  // What was painted first gives way to a whole screen, in the right language.
  await router.load()
  if (document.querySelector('first-paint') !== null) await preferencesSynced()
  await nextTask()
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <AfterFirstPaint page={root}>
          <App router={router} />
        </AfterFirstPaint>
      </StrictMode>,
    ),
  )
}
