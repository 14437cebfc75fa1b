import { readModelsAgain } from '#contract/configuration.ts'
import type { Http } from '#server/foundation/http/http.ts'
import type { SignedIn } from '#server/foundation/http/signedIn.ts'
import type { EndpointModels } from './endpointModels.ts'

export function modelRoutes<U extends SignedIn>(http: Http<U>, models: EndpointModels): void {
  http.answer(readModelsAgain, () => models.readAgain())
}
