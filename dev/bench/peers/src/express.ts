import express, { type ErrorRequestHandler, type Request, type Response } from 'express';
import { z } from 'zod';
import { inOrder, Refusal, registryFor, type User, userBehind } from './host.js';
import { etagOf, fresh, type Item, openStore, type PublicItem, seenBy } from './store.js';

const id = z.coerce.number().int().min(1);
const creatable = {
  name: z.string().min(1).max(100),
  url: z.string().min(10).max(2000),
  description: z.string().max(500).nullish(),
  retailer: z.string().nullish(),
  image_url: z.string().nullish(),
  price: z.number().positive().nullish(),
  quantity_needed: z.int().min(1).optional(),
  quantity_purchased: z.int().min(0).optional(),
  is_active: z.boolean().optional(),
  affiliate_url: z.string().nullish(),
  affiliate_status: z.enum(['active', 'inactive', 'expired', 'none']).nullish(),
};
const ItemCreate = z.object({ registry_id: z.int().min(1), ...creatable });
const ItemUpdate = z.object(creatable).partial();
const Page = z.object({
  skip: z.coerce.number().int().min(0).default(0),
  limit: z.coerce.number().int().min(1).max(1000).default(100),
});

const store = openStore(process.env.DATABASE_URL!);
const app = express();
app.disable('x-powered-by');
app.set('etag', false);

app.get('/health', (_request, response) => {
  response.json({ status: 'healthy' });
});
app.use(async (request, response, next) => {
  response.locals.user = await userBehind(request.headers.authorization);
  next();
});
app.use(express.json({ limit: '1mb' }));

const userOf = (response: Response): User => response.locals.user;

function found<T>(item: T | undefined): T {
  if (!item) throw new Refusal(404, 'Item not found');
  return item;
}

function send(response: Response, item: Item | PublicItem, verb: string) {
  response.set('etag', etagOf(item));
  response.json({ success: true, data: item, message: `Item ${verb} successfully` });
}

app.get('/items', async (request, response) => {
  const { skip, limit } = Page.parse(request.query);
  response.json(await store.page(skip, limit, userOf(response).admin));
});

app.get('/items/:id', async (request, response) => {
  send(response, found(await store.item(id.parse(request.params.id), userOf(response).admin)), 'retrieved');
});

app.post('/items', async (request, response) => {
  const item = await store.insert(fresh(ItemCreate.parse(request.body)));
  send(response.status(201), seenBy(item, userOf(response).admin), 'created');
});

app.put('/items/:id', async (request, response) => {
  const changes = { ...ItemUpdate.parse(request.body), updated_at: new Date().toISOString() };
  const item = found(await store.update(id.parse(request.params.id), changes));
  send(response, seenBy(item, userOf(response).admin), 'updated');
});

app.get('/registries/:id/items', async (request: Request, response) => {
  const user = userOf(response);
  const registryId = id.parse(request.params.id);
  const registry = await registryFor(user, registryId, request.headers.authorization!);
  response.json(inOrder(await store.ofRegistry(registryId, user.admin), registry));
});

const onError: ErrorRequestHandler = (error, _request, response, _next) => {
  if (error instanceof z.ZodError) response.status(422).json({ detail: z.prettifyError(error) });
  else if (error instanceof Refusal) response.status(error.status).json({ detail: error.message });
  else response.status(500).json({ detail: 'Internal error' });
};
app.use(onError);

app.listen(Number(process.env.PORT), '127.0.0.1');
