import { H3, serve } from 'h3';

// The least an h3 service can do: respond to everything with the same BODY_BYTES bytes.
const body = Buffer.alloc(Number(process.env.BODY_BYTES), 'x');
const app = new H3().get('/**', () => body);
serve(app, { port: Number(process.env.PORT), hostname: '127.0.0.1', silent: true });
