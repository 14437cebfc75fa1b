import { expect, test } from './journey.ts'
import { answers, ask, untilAnswered } from './steps.ts'
import { watchPage } from './watchPage.ts'

test.use({ warm: false })

// Every journey checks that the policy is not violated and nothing is requested elsewhere (journey.ts).

const HOSTILE = `
<script>window.broken = true</script>
<img src="https://evil.example/a.png" onerror="window.broken = true">
![picture](https://evil.example/b.png) ![picture](//evil.example/c.png)
[a link](javascript:window.broken=true) [another](data:text/html,<script>window.broken=true</script>)
<iframe src="https://evil.example/"></iframe> <svg onload="window.broken=true"></svg>
<style>@import url(https://evil.example/d.css)</style>
$\\href{javascript:window.broken=true}{x}$ $\\includegraphics{https://evil.example/e.png}$
<https://evil.example/visited-by-nobody>
`

test('a hostile answer runs nothing and reaches nobody', async ({ chatPage, portal }) => {
  portal.simulator.nextAnswer(HOSTILE)
  await ask(chatPage, '给我看点坏东西')
  await untilAnswered(chatPage)
  await expect(answers(chatPage)).toContainText('a link')
  await chatPage.reload()
  await expect(answers(chatPage)).toContainText('a link')
  expect(await chatPage.evaluate(() => 'broken' in window)).toBe(false)
  await expect(
    answers(chatPage).locator(
      'script, iframe, style, [onload], [onerror], a[href^="javascript:" i], a[href^="data:" i], img[src*="evil"]',
    ),
  ).toHaveCount(0)
})

test('the policy stops what would be forbidden, and the journeys would see it', async ({ browser, portal }) => {
  const context = await browser.newContext({ baseURL: portal.url })
  const { complaints } = watchPage(context, portal.url)
  const page = await context.newPage()
  await page.goto('/home')
  await page.evaluate(() => {
    const script = document.createElement('script')
    script.textContent = 'window.broken = true'
    document.head.append(script)
  })
  await page.evaluate(() => fetch('https://evil.example/').catch(() => null))
  await expect.poll(() => complaints.length).toBeGreaterThanOrEqual(2)
  expect(await page.evaluate(() => 'broken' in window)).toBe(false)
  await context.close()
})
