// Answers the hub's challenge for one topic, then takes what is pushed, if it is signed right.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const { TOPIC, SECRET, PORT = '8080' } = process.env;

function isSigned(header, body) {
  const [method, sent = ''] = (header ?? '').split('=');
  if (method !== 'sha256') return false;
  const right = createHmac('sha256', SECRET).update(body).digest('hex');
  return sent.length === right.length && timingSafeEqual(Buffer.from(sent), Buffer.from(right));
}

const server = createServer(async (request, response) => {
  if (request.method === 'GET') {
    const asked = new URL(request.url, 'http://localhost').searchParams;
    const known = asked.get('hub.topic') === TOPIC;
    response.writeHead(known ? 200 : 404, { 'content-type': 'text/plain' });
    response.end(known ? asked.get('hub.challenge') : '');
    return;
  }
  const body = Buffer.concat(await request.toArray());
  response.writeHead(202).end(); // any 2xx; three failures in a row end the subscription
  if (isSigned(request.headers['x-hub-signature'], body)) {
    console.log(`new content: ${body.length} bytes`); // yours to use
  } else {
    console.log('ignored: wrong signature');
  }
});
server.listen(Number(PORT), () => console.log(`listening on ${server.address().port}`));
