import { answered, asked, aWebConversation, called, citing, replied } from './builder.ts'

const HILL = {
  title: 'Penang Hill: opening hours and tickets',
  url: 'https://www.penanghill.example/visit',
  text: 'The funicular runs from 6:15 am to 11 pm.',
}
const FOOD = {
  title: 'Where to eat in George Town',
  url: 'https://eat.example.my/george-town',
  text: 'Start early: most hawker stalls sell out by noon.',
}
const FERRY = {
  title: 'Ferry timetable',
  url: 'https://ferry.example.my/timetable',
  text: 'Every 30 minutes until 11 pm.',
}
const LIST = [HILL, FOOD, FERRY]

const PAGES = { '【3†source】': HILL, '【4†source】': FOOD }

const ANSWER = `Go up **Penang Hill** first thing: the funicular runs from 6:15 am【3†source】, and it is 21 °C up there tomorrow.

1. 7:00 – funicular up, walk *The Habitat*
2. 10:30 – hawker stalls before they sell out【4†source】
3. Evening – ferry to Butterworth and back

- [x] tickets checked
- [ ] table booked for four

The stalls close early[^1].

[^1]: On Fridays most of them open after prayers.`

/** Browsing with a failure, plugins that fail and succeed, a footnote. */
export const weekend = aWebConversation(
  '6e2c1b4a-7d36-4c18-8b21-000000000000',
  'A weekend in Penang',
  'gpt_4_plugins',
  [
    asked('Plan a **slow** Saturday in Penang for four. Check opening hours and the weather.'),
    called('browser', 'search("Penang Hill opening hours 2026")\nsearch("George Town hawker food morning")'),
    replied(
      'browser',
      {
        content_type: 'tether_browsing_display',
        result: LIST.map(({ title, url }, at) => `# ${at}†${title}†${url}`).join('\n'),
      },
      {
        command: 'search',
        status: 'finished',
        _cite_metadata: { citation_format: { name: 'tether_og' }, metadata_list: LIST },
      },
      1.4,
    ),
    called('browser', 'click(2)'),
    replied(
      'browser',
      { content_type: 'system_error', name: 'tool_error', text: 'Error: the page took too long to answer' },
      { command: 'click', status: 'failed' },
      9,
    ),
    called('browser', 'back()'),
    replied('browser', { content_type: 'tether_browsing_display', result: '' }, undefined, 0.2),
    called('browser', 'click(0)'),
    called('browser', 'scroll(1)'),
    replied('browser', { content_type: 'tether_quote', domain: 'penanghill.example', ...HILL }, undefined, 0.8),
    called('weather.forecast', '{"place":"Penang Hill","days":1}'),
    replied(
      'weather.forecast',
      { content_type: 'text', parts: ['{"error":"place is ambiguous","candidates":["Penang Hill, MY","Penang, ID"]}'] },
      {
        invoked_plugin: { type: 'remote', namespace: 'weather', plugin_id: 'plugin-11', http_response_status: 422 },
      },
      0.6,
    ),
    called('weather.forecast', '{"place":"Penang Hill, MY","days":1,"units":"metric"}'),
    replied(
      'weather.forecast',
      {
        content_type: 'text',
        parts: ['{"place":"Penang Hill, MY","forecast":[{"day":"Saturday","high":21,"low":18,"rain":0.2}]}'],
      },
      {
        invoked_plugin: { type: 'remote', namespace: 'weather', plugin_id: 'plugin-11', http_response_status: 200 },
      },
      0.9,
    ),
    answered(ANSWER, citing(ANSWER, PAGES)),
  ],
)
