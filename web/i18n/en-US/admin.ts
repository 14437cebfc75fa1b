import type { AdminTexts } from '#web/i18n/dictionary.ts'
import { accountSharing } from './admin/accountSharing.ts'
import { configuration } from './admin/configuration.ts'
import { conversations } from './admin/conversations.ts'
import { administratorErrors } from './admin/errors.ts'
import { logs } from './admin/logs.ts'
import { plans } from './admin/plans.ts'
import { prompts } from './admin/prompts.ts'
import { settingNames } from './admin/settingNames.ts'
import { system } from './admin/system.ts'
import { upstreams } from './admin/upstreams.ts'
import { usage } from './admin/usage.ts'
import { users } from './admin/users.ts'

export const admin: AdminTexts = {
  ...system,
  ...users,
  ...usage,
  ...conversations,
  ...logs,
  ...upstreams,
  ...accountSharing,
  ...configuration,
  ...plans,
  ...prompts,
  ...administratorErrors,
  ...settingNames,
  // The frame of the area, and what its pages share.
  'admin.menu': 'Admin menu',
  'admin.openMenu': 'Open the admin menu',
  'admin.closeMenu': 'Close the admin menu',
  'admin.system': 'Overview',
  'admin.user': 'Users',
  'admin.plan': 'Plans',
  'admin.conversation': 'Conversations',
  'admin.log': 'Logs',
  'admin.openai_settings': 'Accounts and plugins',
  'admin.prompts': 'Instructions and prompts',
  'admin.config': 'Settings',
  'admin.api': 'Browse the API',
  'table.loading': 'Loading',
  'table.failed': 'It could not be read',
  'table.behindLast': 'This page has nothing any more',
  'table.firstPage': 'To the first page',
  'table.noneLikeThis': 'Nothing fits these filters',
  'table.noneWithWords': 'Nothing found for “{words}”',
  'table.showAll': 'Clear filters, show all',
  'table.selectPage': 'Select this page',
  'table.selectRow': 'Select this row',
  'table.clearSearch': 'Clear the search',
  'table.filterIs': '{label}: {value}',
  'table.clearFilter': 'Stop filtering by {label}',
  'table.pages': 'Pages',
  'table.range': '{first}–{last} / {total}',
  'table.size': '{count} a page',
  'table.page': 'Page {number}',
  'table.previousPage': 'Previous page',
  'table.nextPage': 'Next page',
  'table.bulk': 'Change many',
  'table.begins': 'Waiting to begin',
  'table.stop': 'Stop here',
  'table.stopping': 'Stopping',
  'table.goOn': 'Continue with {count} left',
  'table.clearSelection': 'Clear the selection',
  'table.closeSum': 'Close',
  'drawer.close': 'Close',
  'drawer.changes': '{count} {count|change|changes}',
  'drawer.unchanged': 'No changes',
  'drawer.wrong': '{count} to correct first',
  'admin.conflicts': '{count} also changed by somebody else',
  'drawer.discard': 'Discard',
  'drawer.save': 'Save',
  'drawer.leave': 'Discard {count} {count|change|changes}?',
  'drawer.leaveText': 'Nothing of this is saved yet.',
  'drawer.leaveVerb': 'Discard changes',
  'drawer.stay': 'Stay here',
  'drawer.conflict': 'Somebody has just changed the same',
  'drawer.conflictText': 'Nothing is saved yet. Choose for each, then save.',
  'drawer.mine': 'Yours',
  'drawer.theirs': 'Now',
  'drawer.take.mine': 'Use mine',
  'drawer.take.theirs': 'Use theirs',
  'drawer.date': 'Date',
  'admin.jobGoesOn': 'in progress',
  'admin.up.days': 'Up {days} {days|day|days} {hours} {hours|hour|hours}',
  'admin.up.hours': 'Up {hours} {hours|hour|hours} {minutes} {minutes|minute|minutes}',
  'admin.up.minutes': 'Up {minutes} {minutes|minute|minutes}',
  'admin.zone': 'Time zone {zone}',
  'range.label': 'Range',
  'range.24h': '24 hours',
  'range.7d': '7 days',
  'range.30d': '30 days',
  'range.own': 'Dates',
  'range.from': 'From',
  'range.to': 'To',
  'range.wrong': 'The end must be after the beginning',
  'range.show': 'Show',
  'plots.others': 'Others',
  'plots.reset': 'Back to the whole range',
  'plots.picture': 'Download the picture',
  'plots.table': 'Show as a table',
  'plots.empty': 'Nothing in this time',
  'plots.legend': 'Legend',
  'plots.time': 'Time',
  'plots.whole': 'Whole range',

  // In place of `expired.text` while a form of this area has changes.
  'expired.changes':
    '{count} {count|change|changes} on this page {count|is|are} not saved yet. Sign in in a new tab, then come back and save here.',
  'expired.newTab': 'Sign in in a new tab',
  // In place of the texts for everybody, which tell them to ask an administrator: what that one can do.
  'errors.openai.400':
    'The provider did not accept the request (400). The code it gave is under “Logs”; test the account under “Accounts and plugins”',
  'errors.openai.401':
    'The provider does not accept the account or key used here (401). Enter another one under “Accounts and plugins”',
  'errors.openai.403':
    'The provider refused access (403). Test the account under “Accounts and plugins”, and see which models it may use',
  'errors.openai.404':
    'The provider has no such model or address (404). Check the address and the models of the account under “Accounts and plugins”',
  'errors.openai.429':
    'The limit at the provider is exceeded (429). Try again later, or add another account under “Accounts and plugins”',
  'errors.openai.429.detailed':
    'The limit at the provider is exceeded (429). Try again in {retry_after_seconds}, or add another account under “Accounts and plugins”',
  'errors.openai.500':
    'The provider had an error (500). Try again later; if it goes on, test the account under “Accounts and plugins”',
  'errors.openai.500.detailed':
    'The provider had an error ({status}). Try again later; if it goes on, test the account under “Accounts and plugins”',
  'errors.openai.unknown':
    'The provider gave an unexpected answer. Check the address of the account under “Accounts and plugins”, and test it',
  'errors.openai.unknown.detailed':
    'The provider gave an unexpected answer ({status}). Check the address of the account under “Accounts and plugins”, and test it',
  'errors.openai.quota':
    'The balance or quota at the provider is used up. Top it up there, or add another account under “Accounts and plugins”',
  'errors.openai.accountDeactivated':
    'The account or workspace at the provider has been deactivated. Enter another account or key under “Accounts and plugins”',
  'errors.openai.unusualActivity':
    'The provider noticed unusual activity and refuses this account or this server for now. Try again later, or give the account another proxy under “Accounts and plugins”',
  'errors.openai.webPage':
    'The provider sent a web page in place of an answer: a check for humans, or the address is wrong. Check the address and the proxy of the account under “Accounts and plugins”, and test it',
  'errors.openai.modelNotFound':
    'The provider does not have this model. Choose another one, or change the models of the account under “Accounts and plugins”',
  'errors.userNotAllowToUseChatType': 'Your account may not use this source yet. You can allow it under “Users”',
  'errors.userChatTypeExpired': 'The access of your account to this source has ended. You can extend it under “Users”',
  'errors.userNotAllowToUseModel': 'Your account may not use this model yet. You can allow it under “Users”',
  'errors.userNotAllowToUsePaidModel': 'Your account may not use paid models yet. You can allow it under “Users”',
  'errors.userNotAllowToUseGPT4Model': 'Your account may not use GPT-4 yet. You can allow it under “Users”',
  'errors.diskFull':
    'The server’s disk is full, so nothing can be stored for now. Make room on the disk of the data folder; everything then works again by itself',
  'errors.diskNotWritable':
    'The server’s disk cannot be written to, so nothing can be stored for now. Let the portal write to its data folder; everything then works again by itself',
  'errors.databaseUnreachable':
    'The server cannot reach its database at the moment. See that PostgreSQL runs and can be reached; it then goes on by itself, without a restart',
  'composer.noFilesForYou': 'Your account may not upload files yet. You can allow it under “Users”',
  'newConversation.sourceNotAllowed': 'Not open to your account yet. You can open it under “Users”',
  'newConversation.sourceDisabled': 'Not enabled. You can enable it under “Settings”',
  'newConversation.sourceExpired': 'The access of your account has ended. You can extend it under “Users”',
  'newConversation.noModels':
    'This source has no model for your account. See its models under “Accounts and plugins” and “Users”',
  'newConversation.noSources': 'No source is open to your account yet. You can open one under “Users”',
  'limit.renew': 'Your conversations can still be read. You can extend your access under “Users”.',
  'limit.more': 'You can add more under “Users”.',
  'limit.contact': 'You can change it under “Users”.',
  'profile.note': 'Limits are set under “Users”. You can change your own there, too.',
}
