/** Endpoints of the contract that this service describes and does not have yet. */
export const NOT_SERVED: readonly string[] = ['/api/websub/hub'];
