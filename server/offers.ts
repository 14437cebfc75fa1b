import { openPrompts } from './instructions/prompts.ts'
import { openInvitations } from './invitations/invitations.ts'
import { openJoining } from './invitations/joining.ts'
import { openProviderSignIn } from './signIn/signIn.ts'

type Dependencies = Parameters<typeof openPrompts>[0] &
  Parameters<typeof openInvitations>[0] &
  Parameters<typeof openJoining>[0] &
  Parameters<typeof openProviderSignIn>[0]

/** What people may take up: prompts, invitations, and signing in with an account that they have elsewhere. */
export const openOffers = (dependencies: Dependencies) => ({
  prompts: openPrompts(dependencies),
  invitations: openInvitations(dependencies),
  joining: openJoining(dependencies),
  providerSignIn: openProviderSignIn(dependencies),
})
