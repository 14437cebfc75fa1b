import { parseArgs } from 'node:util'
import { cpus } from 'node:os'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const SECTIONS = [
  'relay',
  'sharing',
  'page',
  'render',
  'search',
  'admin',
  'web',
  'reading',
  'attachments',
  'shares',
  'gateway',
] as const

const HELP = `npm run bench -- [relay] [sharing] [page] [render] [search] [admin] [web] [reading] [attachments] [shares] [gateway] [--rounds 3] [--quick] [--baselines]

  relay   latency, CPU, memory and bytes a token: the upstream itself, a bare relay, the product
  sharing what admitting an ask costs on both databases, what idle sockets hold, what 200 fast streams wait
  page    what each route transfers, first paint and readiness with the CPU slowed 4 times
  render  streamed answers of 1,000 and 20,000 tokens; conversations of 400 and 2,000 messages opened and scrolled
  search  what searches among 100,000 messages take, and the size of the index
  admin   lists and plots among 1,000,000 asks of 5,000 people, first rows on the screen, what streams notice of it
  web     the web source: CPU and bytes a token of answers that are sent whole again and again, beside the other source
  reading files read in the browser: time, memory, and the longest task of the page with the CPU slowed 4 times
  attachments  what the pictures of a question cost the server
  shares  the same weeks of a family, a lab and a company under four rules: use, refusals, waits, fairness
  gateway what a call of another tool costs and waits for: the upstream itself, the product, other gateways

  --rounds     how often each measurement is taken, short ones several times each; targets take turns
  --quick      fewer tokens, to see that it works
  --baselines  only what the product is measured against
`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '3' },
    quick: { type: 'boolean', default: false },
    baselines: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  },
})

if (values.help || positionals.some(name => !SECTIONS.some(section => section === name))) {
  console.log(HELP)
} else {
  const wanted = positionals.length > 0 ? positionals : SECTIONS
  const rounds = Math.max(1, Number(values.rounds) || 3)
  const withProduct = !values.baselines && existsSync(join(import.meta.dirname, '../server/main.ts'))
  const processor = `${cpus().length} x ${cpus()[0]?.model ?? 'unknown processor'}`
  console.log(`Node ${process.versions.node}, ${processor}; ${rounds} rounds, ratios within this run`)
  if (wanted.includes('relay'))
    await (await import('./relay/section.ts')).relaySection({ rounds, quick: values.quick, withProduct })
  if (wanted.includes('sharing') && withProduct)
    await (await import('./sharing/section.ts')).sharingSection({ rounds, quick: values.quick })
  if (wanted.includes('page')) await (await import('./page/section.ts')).pageSection({ rounds, withProduct })
  if (wanted.includes('render'))
    await (await import('./render/section.ts')).renderSection({ rounds, quick: values.quick, withProduct })
  if (wanted.includes('search') && withProduct)
    await (await import('./search/section.ts')).searchSection({ rounds, quick: values.quick })
  if (wanted.includes('admin') && withProduct)
    await (await import('./admin/section.ts')).adminSection({ rounds, quick: values.quick })
  if (wanted.includes('web') && withProduct)
    await (await import('./web/section.ts')).webSection({ rounds, quick: values.quick })
  if (wanted.includes('attachments') && withProduct)
    await (await import('./attachments/section.ts')).attachmentsSection({ rounds })
  if (wanted.includes('shares')) (await import('./shares/section.ts')).sharesSection({ quick: values.quick })
  if (wanted.includes('gateway'))
    await (await import('./gateway/section.ts')).gatewaySection({ rounds, quick: values.quick, withProduct })
  if (wanted.includes('reading')) await (await import('./reading/section.ts')).readingSection({ rounds })
}
