import { Button } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { useLoginExpired } from '#web/foundation/call.ts'
import { signOut } from '#web/foundation/session.ts'
import { useUnsavedChanges } from '#web/foundation/unsavedChanges.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog, DialogFooter } from '#web/kit/Dialog.tsx'

const stay = () => useLoginExpired.setState({ open: false })

/** The specification, section 8: confirming logs out, goes to login and reloads. */
export function LoginExpiredDialog() {
  const t = useTranslate()
  const { count } = useUnsavedChanges()
  return (
    <Dialog title={t('expired.title')} width={420} onClose={stay}>
      <p>{count === 0 ? t('expired.text') : t('expired.changes', { count })}</p>
      <DialogFooter>
        <Button variant="subtle" color="gray" onClick={stay}>
          {t('expired.stay')}
        </Button>
        {count === 0 ? <SignIn /> : <SignInInNewTab />}
      </DialogFooter>
    </Dialog>
  )
}

function SignIn() {
  const t = useTranslate()
  const { href } = useLocation()
  const go = async () => {
    await signOut()
    // Loads a new page, so that nothing of the former user stays in memory.
    window.location.assign(`/login?${new URLSearchParams({ redirect: href }).toString()}`)
  }
  return (
    <Button data-autofocus onClick={go}>
      {t('expired.go')}
    </Button>
  )
}

/**
 * Signs in in another tab, which shares the session, so that unsaved changes of this page stay and can be saved then.
 */
function SignInInNewTab() {
  const t = useTranslate()
  return (
    <Button component="a" href="/login" target="_blank" rel="noopener" data-autofocus onClick={stay}>
      {t('expired.newTab')}
    </Button>
  )
}
