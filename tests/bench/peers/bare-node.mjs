import { createServer } from 'node:http';

// The least a Node service can do; plain JavaScript, since stripping types would slow its start.
const server = createServer((_request, response) => response.end('ok'));
server.listen(Number(process.env.PORT), '127.0.0.1');
