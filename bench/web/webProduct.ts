import { startProduct, type Product } from '../product.ts'

/** The token of the web account. */
export const TOKEN = 'bench-token'

/** The product with a web account at the simulator, beside its endpoint. */
export function startWebProduct(
  { url, webUrl }: { url: string; webUrl: string },
  more: Record<string, string> = {},
): Promise<Product> {
  return startProduct(url, {
    COMMONS_OPENAI_WEB_ENABLED: 'true',
    COMMONS_OPENAI_WEB_CHATGPT_BASE_URL: webUrl,
    COMMONS_CREDENTIALS_OPENAI_WEB_ACCESS_TOKEN: TOKEN,
    ...more,
  })
}
