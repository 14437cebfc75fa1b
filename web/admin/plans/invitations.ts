import { queryOptions } from '@tanstack/react-query'
import { listInvitations } from '#contract/invitations.ts'
import { call } from '#web/foundation/call.ts'

export const invitationsQuery = queryOptions({
  queryKey: ['admin', 'invitations'],
  queryFn: ({ signal }) => call(listInvitations, {}, { signal }),
  meta: { quiet: 'whileEmpty' },
})
