import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useSession } from '#web/foundation/session.ts'
import { useTranslate } from '#web/i18n/useTranslate.ts'
import { PlainScreen } from './PlainScreen.tsx'

export function HomeScreen() {
  const t = useTranslate()
  const signedIn = useSession(({ user }) => user !== null)
  return (
    <PlainScreen lit title={t('home.title')} text={t('home.text')}>
      {signedIn ? (
        <Button component={Link} to="/conversation">
          {t('home.toConversation')}
        </Button>
      ) : (
        <Button component={Link} to="/login">
          {t('home.toLogin')}
        </Button>
      )}
    </PlainScreen>
  )
}

export function ForbiddenScreen() {
  const t = useTranslate()
  return (
    <PlainScreen title={t('error.403.title')} text={t('error.403.text')}>
      <HomeButton />
    </PlainScreen>
  )
}

export function NotFoundScreen() {
  const t = useTranslate()
  return (
    <PlainScreen title={t('error.404.title')} text={t('error.404.text')}>
      <HomeButton />
    </PlainScreen>
  )
}

function HomeButton() {
  const t = useTranslate()
  return (
    <Button component={Link} to="/home">
      {t('error.home')}
    </Button>
  )
}
