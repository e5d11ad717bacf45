/** There are as many subscriptions as HUB_MAX_SUBSCRIPTIONS allows. */
export class HubFullError extends Error {
  override readonly name = 'HubFullError';

  constructor() {
    super('no room for another subscription');
  }
}
