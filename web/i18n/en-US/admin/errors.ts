import type { administratorErrors as zhCN } from '../../zh-CN/admin/errors.ts'
import type { TextsOf } from '../../dictionary.ts'

export const administratorErrors: TextsOf<typeof zhCN> = {
  'errors.planNotFound': 'This plan was not found. It may have been removed',
  'errors.planIsDefault': 'The default plan can be neither removed nor moved',
  'errors.planInCircle': 'A plan cannot inherit from itself: choose another one above it',
  'errors.planInUse':
    'People in this plan: {people}. Plans below it: {plans}. Invitations into it: {invitations}. Say first where they go',
  'errors.tooManyPlans': 'The number of plans is limited to {most}',
  'errors.currencyFixed': 'Something has a cost in the present currency already, so it stays',
  'errors.userOnHold': 'An administrator keeps everything of this person for now: nothing can be removed',
  'errors.holdNeedsReason': 'Say why everything is to be kept',
  'errors.lastSuperuser': 'This is the last administrator and cannot be deleted, deactivated or demoted',
  'errors.noUserSelected': 'No user selected',
  'errors.tooManyProviders': 'At most {most} {most|way|ways} to sign in can be added',
  'errors.tooManyInvitations': 'At most {most} {most|invitation|invitations} can be open; revoke some first',
  'errors.upstreamIsFirst':
    'The first account of a source is the one in the settings: it is changed there, and cannot be removed',
  'errors.configurationWrong': 'The configuration has a value that is not valid',
  'errors.configurationConflict':
    'Somebody has changed these settings since you opened them: {settings}. Load the page again and make your change',
  'errors.configurationConflict.detailed':
    'Settings were changed by {people} since you opened the configuration: {settings}. Load it again, then change it',
  'errors.jobNotKept': 'Nothing is kept of this change any more: it was too long ago, or somebody in it is deleted',
  'errors.nothingLeftToDo': 'Nothing of this change is left to do',
  'errors.jobNotFound': 'There is no such job, or it cannot be started by hand',
  'errors.sameJobRuns': 'Another change of this kind is running or waiting. Continue when it has ended',
  'errors.notUndoable': 'This cannot be undone',
  'errors.oversightReasonRequired': 'Give a reason before reading somebody else’s conversation',
}
