import { serve } from './serve.ts';

/** A resource with a user interface, as resources/read returns it. */
export interface AppResource {
  uri: string;
  mimeType: string;
  text: string;
  _meta: { ui: { csp: Partial<Record<CspMember, string[]>> } };
}
type CspMember = 'connectDomains' | 'resourceDomains' | 'frameDomains' | 'baseUriDomains';

/** Traits of a host, and the result that it shows. */
export interface HostOptions {
  theme: 'light' | 'dark';
  opensLinks: boolean;
  toolResult: object;
}

/** Serves the page of a host of MCP Apps, and the app in the policy that the specification sets. */
export async function serveAppHost(
  context: Parameters<typeof serve>[0],
  { text, _meta }: AppResource,
) {
  const origin = await serve(context, ({ url }, response) => {
    const isView = url === '/view';
    response.setHeader('content-type', 'text/html; charset=utf-8');
    if (isView) response.setHeader('content-security-policy', policy(_meta.ui.csp));
    response.end(isView ? text : HOST_PAGE);
  });
  return {
    url: (options: HostOptions) => `${origin}/#${encodeURIComponent(JSON.stringify(options))}`,
  };
}

/** Builds the policy as the specification does (MCP Apps 2026-01-26, security implications). */
function policy(csp: AppResource['_meta']['ui']['csp']): string {
  const listed = (member: CspMember) => (csp[member] ?? []).map((each) => ` ${each}`).join('');
  const resources = listed('resourceDomains');
  return [
    "default-src 'none'",
    `script-src 'self' 'unsafe-inline'${resources}`,
    `style-src 'self' 'unsafe-inline'${resources}`,
    `connect-src 'self'${listed('connectDomains')}`,
    `img-src 'self' data:${resources}`,
    `font-src 'self'${resources}`,
    `media-src 'self' data:${resources}`,
    `frame-src${listed('frameDomains') || " 'none'"}`,
    "object-src 'none'",
    `base-uri${listed('baseUriDomains') || " 'self'"}`,
  ].join('; ');
}

/** Speaks the protocol of a host: answers ui/initialize, then sends the tool's input and result. */
const HOST_PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Host</title><link rel="icon" href="data:,">
<style>body { margin: 0; color-scheme: light dark } h1 { margin: 0; font: 1rem sans-serif } iframe { display: block; width: 100%; height: 20px; border: 0 }</style></head>
<body><main aria-label="Chat"><h1>Chat</h1><iframe title="App" sandbox="allow-scripts"></iframe></main>
<script>
const options = JSON.parse(decodeURIComponent(location.hash.slice(1)));
const frame = document.querySelector('iframe');
const received = (window.received = []);
const send = (message) => frame.contentWindow.postMessage({ jsonrpc: '2.0', ...message }, '*');
window.send = send;
const results = {
  'ui/initialize': () => ({
    protocolVersion: '2026-01-26',
    hostInfo: { name: 'tests', version: '1.0.0' },
    hostCapabilities: options.opensLinks ? { openLinks: {} } : {},
    hostContext: { theme: options.theme, displayMode: 'inline' },
  }),
  'ui/open-link': () => ({}),
};
const notified = {
  'ui/notifications/initialized': () => {
    send({ method: 'ui/notifications/tool-input', params: { arguments: {} } });
    send({ method: 'ui/notifications/tool-result', params: options.toolResult });
  },
  'ui/notifications/size-changed': ({ height }) => { frame.style.height = height + 'px'; },
};
addEventListener('message', ({ source, data }) => {
  if (source !== frame.contentWindow) return;
  received.push(data);
  const { id, method, params } = data;
  if (method in notified) notified[method](params);
  else if (method in results) send({ id, result: results[method](params) });
});
frame.src = '/view';
</script></body></html>`;
