import { answered, asked, aWebConversation, called, replied } from './builder.ts'

/** Unknown content types, calls that cannot be parsed, an answer that was cut off. */
export const odd = aWebConversation('8c4f9d68-5b14-4a96-8943-000000000000', 'Odds and ends', 'gpt_4', [
  asked('<b>Run</b> everything you have.\n\n\n\n\n\nAnd tell me what happened.'),
  {
    role: 'assistant',
    content: null,
    metadata: {
      recipient: 'all',
      fallback_content: { content_type: 'hologram', frames: [1, 2, 3], note: '<img src=x onerror=alert(1)>' },
    },
  },
  { role: 'tool', name: 'bio', content: null, metadata: { fallback_content: 'Model set context updated.' } },
  called('python', 'open("/etc/hosts").read()', 'python'),
  replied('python', { content_type: 'stderr', text: 'PermissionError: [Errno 13] Permission denied' }),
  called('browser', 'summarise the page, please'),
  replied('browser', { content_type: 'tether_browsing_display', result: 'nothing was open' }),
  called('canvas.create', 'not json {'),
  { role: 'tool', content: { content_type: 'system_error', name: 'tool_error', text: 'No such tool' } },
  called('dalle.text2im', 'a lighthouse, ink'),
  answered(
    'Here is [a file](sandbox:/mnt/data/../../etc/passwd), [a trap](javascript:alert(1)) and a citation that leads nowhere【1†source】.',
    {
      citations: [
        { start_ix: 92, end_ix: 102, metadata: { title: 'A trap', url: 'javascript:alert(1)' } },
        { start_ix: -4, end_ix: 9_000, metadata: { title: 'Far out', url: 'https://example.com/' } },
        { start_ix: 3, end_ix: 1, metadata: null },
      ],
    },
  ),
  asked('Go on.'),
  answered('One more thing: it was cut', { finish_details: { type: 'max_tokens' } }),
])
