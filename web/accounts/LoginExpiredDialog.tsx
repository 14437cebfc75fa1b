import { Button } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { useLoginExpired } from '#web/foundation/call.ts'
import { signOut } from '#web/foundation/session.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { Dialog, DialogFooter } from '#web/kit/Dialog.tsx'

/** The specification, section 8: confirming logs out, goes to login and reloads. */
export function LoginExpiredDialog() {
  const t = useTranslate()
  const { href } = useLocation()
  const stay = () => useLoginExpired.setState({ open: false })
  const go = async () => {
    await signOut()
    // A whole new page: nothing of the person who was here stays in memory.
    window.location.assign(`/login?${new URLSearchParams({ redirect: href }).toString()}`)
  }
  return (
    <Dialog title={t('expired.title')} width={420} onClose={stay}>
      <p>{t('expired.text')}</p>
      <DialogFooter>
        <Button variant="subtle" color="gray" onClick={stay}>
          {t('expired.stay')}
        </Button>
        <Button data-autofocus onClick={go}>
          {t('expired.go')}
        </Button>
      </DialogFooter>
    </Dialog>
  )
}
