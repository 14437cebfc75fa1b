import type { QuietTexts } from '../dictionary.ts'

export const quiet: QuietTexts = {
  'quiet.now': 'Send now',
  'quiet.nowCost': 'Uses 1 question',
  'quiet.nowAhead': 'Uses 1 question, {count} {count|person|people} ahead',
  'quiet.later': 'Send when it is quiet',
  'quiet.laterText': 'Answered when nobody waits, counts half',
  'quiet.laterLikely': 'Answered when nobody waits, counts half. Likely after {time}',
  'quiet.full': 'Already waiting for a quiet moment: {count}',
  'quiet.waits': 'Waiting until it is quiet',
  'quiet.waitsLikely': 'Waiting until it is quiet, likely after {time}',
  'quiet.text':
    'Whoever asks meanwhile goes first. It counts half. If it is not its turn by {time}, you are asked whether to ask now.',
  'quiet.askNow': 'Ask now, for another half',
}
