import { readModelsAgain } from '#contract/configuration.ts'
import type { Http, SignedIn } from '#server/foundation/http/http.ts'
import type { EndpointModels } from './endpointModels.ts'

export function modelRoutes<U extends SignedIn>(http: Http<U>, models: EndpointModels): void {
  http.answer(readModelsAgain, () => models.readAgain())
}
