import { createServer, request as forward } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, test } from './journey.ts'
import { TEXTS } from './steps.ts'

test.use({ warm: false })

/** A reverse proxy that serves the portal under /chat/, with or without stripping the path. */
async function aSite(portal: string, strips: boolean) {
  const server = createServer((request, response) => {
    const { url = '', method, headers } = request
    if (!url.startsWith('/chat/'))
      return response.writeHead(404, { 'content-type': 'text/html' }).end('<p>not here</p>')
    const path = strips ? url.slice('/chat'.length) : url
    return request.pipe(
      forward(portal + path, { method, headers }, answer => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      }),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo // a listening TCP server has a port
  return {
    url: `http://127.0.0.1:${port}`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

for (const strips of [true, false]) {
  for (const path of ['/chat/', '/chat/login']) {
    test(`${path} of another site, where the proxy ${strips ? 'takes the path away' : 'leaves the path'}, says in every language that the page cannot be loaded`, async ({
      browser,
      portal,
    }) => {
      const site = await aSite(portal.url, strips)
      const context = await browser.newContext()
      try {
        const page = await context.newPage()
        await page.goto(site.url + path)
        for (const texts of Object.values(TEXTS))
          await expect(page.getByRole('alert').getByText(texts['app.unloaded'])).toBeVisible()
        await expect(page.getByTestId('username')).toHaveCount(0)
      } finally {
        await context.close()
        site.close()
      }
    })
  }
}
