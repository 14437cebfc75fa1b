import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useSession } from '#web/foundation/session.ts'
import { InvitationScreen } from '#web/invitations/InvitationScreen.tsx'

/** Whoever comes by the invitation goes on to the conversations; whoever has been here already is told so. */
export function InvitationPage() {
  const navigate = useNavigate()
  const { token } = useParams({ from: '/invite/$token' })
  const signedIn = useSession(({ user }) => user !== null)
  const wasSignedIn = useRef(signedIn)
  useEffect(() => {
    if (signedIn && !wasSignedIn.current) void navigate({ to: '/conversation', replace: true })
  }, [signedIn, navigate])
  return <InvitationScreen token={token} onGo={path => void navigate({ to: path })} />
}
