/**
 * Cloudflare answers from the edition's files by itself and calls this where there is none: search,
 * since, /mcp, the hub, /search/ and what does not exist are the sidecar's.
 */
export default {
  async fetch(request, env) {
    const { pathname, search } = new URL(request.url);
    const target = new URL(env.SIDECAR_ORIGIN);
    target.pathname = pathname;
    target.search = search;
    const headers = new Headers(request.headers);
    // The sidecar limits by this address (TRUST_PROXY), so none that a client made up may pass.
    headers.set('x-forwarded-for', request.headers.get('cf-connecting-ip') ?? '');
    const asked = new Request(target, new Request(request, { headers, redirect: 'manual' }));
    const answer = await fetch(asked);
    const response = new Response(answer.body, answer);
    response.headers.set('strict-transport-security', 'max-age=31536000');
    return response;
  },
};
