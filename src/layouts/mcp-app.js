// Speaks to the host of an MCP App (MCP Apps 2026-01-26): JSON-RPC over postMessage. The card is
// complete without it; it makes links work inside the frame, follows the theme and reports the height.
const INITIALIZE = 1;
let lastId = INITIALIZE;
let opensLinks = false;

function send(message) {
  window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
}

function follow({ theme } = {}) {
  if (theme) document.documentElement.style.colorScheme = theme;
}

function reportHeight() {
  const { height } = document.documentElement.getBoundingClientRect();
  const params = { width: window.innerWidth, height: Math.ceil(height) };
  send({ method: 'ui/notifications/size-changed', params });
}

function begin({ hostContext, hostCapabilities }) {
  follow(hostContext);
  opensLinks = hostCapabilities?.openLinks !== undefined;
  send({ method: 'ui/notifications/initialized', params: {} });
  new ResizeObserver(reportHeight).observe(document.documentElement);
}

window.addEventListener('message', ({ source, data }) => {
  if (source !== window.parent || data?.jsonrpc !== '2.0') return;
  const { id, method, params, result } = data;
  if (method === undefined) {
    if (id === INITIALIZE && result) begin(result);
  } else if (method === 'ui/notifications/host-context-changed') {
    follow(params);
  } else if (method === 'ping' || method === 'ui/resource-teardown') {
    send({ id, result: {} });
  } else if (id !== undefined) {
    send({ id, error: { code: -32601, message: 'Method not found' } });
  }
});

document.addEventListener('click', (event) => {
  const link = event.target.closest('a[href]');
  if (!link) return;
  if (!opensLinks) {
    link.target = '_blank'; // in the frame it would replace the card
    return;
  }
  event.preventDefault();
  lastId++;
  send({ id: lastId, method: 'ui/open-link', params: { url: link.href } });
});

send({
  id: INITIALIZE,
  method: 'ui/initialize',
  params: {
    protocolVersion: '2026-01-26',
    appInfo: { name: 'reviews', version: '1.0.0' },
    appCapabilities: { availableDisplayModes: ['inline'] },
  },
});
