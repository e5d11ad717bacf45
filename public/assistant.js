// Offers the tools of /mcp to the visitor's own assistant, where the browser has WebMCP
// (webmachinelearning.github.io/webmcp). Nothing is sent before that.
const { mcp } = document.currentScript.dataset;
let asked = 0;

async function ask(method, params) {
  const answer = await fetch(mcp, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: ++asked, method, params }),
  });
  const { result, error } = await answer.json();
  if (error) throw new Error(error.message);
  return result;
}

async function offerTools() {
  const { tools } = await ask('tools/list', {});
  for (const { name, title, description, inputSchema } of tools) {
    await document.modelContext.registerTool({
      name,
      title,
      description,
      inputSchema,
      annotations: { readOnlyHint: true, untrustedContentHint: true },
      execute: async (input) =>
        (await ask('tools/call', { name, arguments: input })).content[0].text,
    });
  }
}

if (document.modelContext) offerTools().catch(reportError);
