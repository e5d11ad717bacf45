const DOCUMENTED = new Set([
  'https://mybusiness.googleapis.com',
  'https://oauth2.googleapis.com',
  'https://api.trustpilot.com',
]);

/** Returns a fetch that sends what is meant for the APIs of review platforms to another server. */
export function redirectedFetch(origin: string): typeof globalThis.fetch {
  const original = globalThis.fetch;
  return (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    if (!DOCUMENTED.has(url.origin)) throw new Error(`${url.origin} is no API of a platform`);
    return original(new Request(`${origin}${url.pathname}${url.search}`, request));
  };
}

// As `node --import`, for processes that a test starts.
if (process.env.REVIEW_APIS) globalThis.fetch = redirectedFetch(process.env.REVIEW_APIS);
