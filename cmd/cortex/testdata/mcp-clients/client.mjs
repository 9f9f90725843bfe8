// The public client package against `cortex mcp`: it checks every answer against
// the output schema of its tool. Usage: node client.mjs FOLDER, with cortex on PATH.
import assert from 'node:assert/strict';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const cwd = process.argv[2];
const client = new Client({ name: 'public-client', version: '1.0.0' });
await client.connect(new StdioClientTransport({ command: 'cortex', args: ['mcp'], cwd, env: process.env }));

const { tools } = await client.listTools();
assert.equal(tools.length, 14);
const call = async (name, args = {}) => {
  const result = await client.callTool({ name, arguments: args });
  assert.ok(!result.isError, `${name}: ${result.content?.[0]?.text}`);
  return result.structuredContent;
};
const kept = await call('cortex_remember', { text: 'Gauges are read in UTC. Two of them sit across a border.', type: 'decision', tags: ['gauges'] });
assert.equal(kept.source.agent, 'public-client');
const found = await call('cortex_search', { query: 'gauges across a border' });
assert.equal(found.results[0].id, kept.id);
for (const [name, args] of Object.entries({
  cortex_search_decisions: {}, cortex_show: { id: kept.id }, cortex_list: { limit: 1 }, cortex_get_recent: {}, cortex_get_plan: {},
  cortex_related: { id: kept.id }, cortex_brief: {}, cortex_recall: { prompt: 'In which zone are gauges read?' }, cortex_get_status: {},
})) {
  await call(name, args);
}
const refused = await client.callTool({ name: 'cortex_show', arguments: { id: 'zzzz' } });
assert.ok(refused.isError);
const { resources } = await client.listResources();
assert.ok(resources.some((r) => r.uri === 'cortex://status'));
const { contents } = await client.readResource({ uri: `cortex://memory/${kept.id}` });
assert.match(contents[0].text, /across a border/);
const { prompts } = await client.listPrompts();
assert.deepEqual(prompts.map((p) => p.name).sort(), ['recall', 'remember', 'review']);
await client.getPrompt({ name: 'recall', arguments: { topic: 'gauges' } });
const { completion } = await client.complete({ ref: { type: 'ref/prompt', name: 'recall' }, argument: { name: 'topic', value: 'gau' } });
assert.deepEqual(completion.values, ['gauges']);
await call('cortex_forget', { id: kept.id });
await client.close();
console.log('ok');
