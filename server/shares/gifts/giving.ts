import { type Dependencies, openGifts } from './gifts.ts'
import { openAccountGrants } from './grants.ts'
import { openReceivers } from './receivers.ts'

/** What people give each other of accounts that they share, and what is granted to them. */
export const openGiving = (dependencies: Dependencies) => ({
  gifts: { ...openGifts(dependencies), receivers: openReceivers(dependencies) },
  grants: openAccountGrants(dependencies),
})

export type Gifts = ReturnType<typeof openGiving>['gifts']
