import 'reflect-metadata';
import {
  Body,
  type CanActivate,
  Controller,
  createParamDecorator,
  type ExecutionContext,
  Get,
  Headers,
  HttpException,
  Inject,
  Injectable,
  Module,
  Param,
  ParseIntPipe,
  Post,
  Put,
  Query,
  Res,
  UseGuards,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { Type } from 'class-transformer';
import {
  IsBoolean,
  IsIn,
  IsInt,
  IsNumber,
  IsOptional,
  IsPositive,
  IsString,
  Length,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { inOrder, Refusal, registryFor, type User, userBehind } from './host.js';
import {
  etagOf,
  type Fields,
  fresh,
  type Item,
  openStore,
  type PublicItem,
  type Store,
  seenBy,
} from './store.js';

class Optional implements Partial<Fields> {
  @IsOptional() @IsString() @MaxLength(500) description?: string | null;
  @IsOptional() @IsString() retailer?: string | null;
  @IsOptional() @IsString() image_url?: string | null;
  @IsOptional() @IsNumber() @IsPositive() price?: number | null;
  @IsOptional() @IsInt() @Min(1) quantity_needed?: number;
  @IsOptional() @IsInt() @Min(0) quantity_purchased?: number;
  @IsOptional() @IsBoolean() is_active?: boolean;
  @IsOptional() @IsString() affiliate_url?: string | null;
  @IsOptional() @IsIn(['active', 'inactive', 'expired', 'none']) affiliate_status?: string | null;
}

class ItemCreate extends Optional {
  @IsInt() @Min(1) registry_id!: number;
  @Length(1, 100) name!: string;
  @Length(10, 2000) url!: string;
}

class ItemUpdate extends Optional {
  @IsOptional() @Length(1, 100) name?: string;
  @IsOptional() @Length(10, 2000) url?: string;
}

class Page {
  @Type(() => Number) @IsInt() @Min(0) skip = 0;
  @Type(() => Number) @IsInt() @Min(1) @Max(1000) limit = 100;
}

type Signed = { headers: { authorization?: string }; user: User };
type Reply = { header(name: string, value: string): unknown };

@Injectable()
class SignedIn implements CanActivate {
  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<Signed>();
    request.user = await answering(userBehind(request.headers.authorization));
    return true;
  }
}

const Caller = createParamDecorator(
  (_data: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<Signed>().user,
);

@Controller()
class Health {
  @Get('health') health() {
    return { status: 'healthy' };
  }
}

@Controller()
@UseGuards(SignedIn)
class Items {
  constructor(@Inject('store') private readonly store: Store) {}

  @Get('items')
  page(@Query() { skip, limit }: Page, @Caller() user: User) {
    return this.store.page(skip, limit, user.admin);
  }

  @Get('items/:id')
  async get(
    @Param('id', ParseIntPipe) id: number,
    @Caller() user: User,
    @Res({ passthrough: true }) reply: Reply,
  ) {
    return sent(reply, found(await this.store.item(id, user.admin)), 'retrieved');
  }

  @Post('items')
  async create(@Body() body: ItemCreate, @Caller() user: User, @Res({ passthrough: true }) reply: Reply) {
    return sent(reply, seenBy(await this.store.insert(fresh(body)), user.admin), 'created');
  }

  @Put('items/:id')
  async update(
    @Param('id', ParseIntPipe) id: number,
    @Body() body: ItemUpdate,
    @Caller() user: User,
    @Res({ passthrough: true }) reply: Reply,
  ) {
    const changes = { ...body, updated_at: new Date().toISOString() };
    return sent(reply, seenBy(found(await this.store.update(id, changes)), user.admin), 'updated');
  }

  @Get('registries/:id/items')
  async ofRegistry(
    @Param('id', ParseIntPipe) id: number,
    @Caller() user: User,
    @Headers('authorization') authorization: string,
  ) {
    const registry = await answering(registryFor(user, id, authorization));
    return inOrder(await this.store.ofRegistry(id, user.admin), registry);
  }
}

const answering = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error) => {
    throw error instanceof Refusal ? new HttpException({ detail: error.message }, error.status) : error;
  });

function found<T>(item: T | undefined): T {
  if (!item) throw new HttpException({ detail: 'Item not found' }, 404);
  return item;
}

function sent(reply: Reply, item: Item | PublicItem, verb: string) {
  reply.header('etag', etagOf(item));
  return { success: true, data: item, message: `Item ${verb} successfully` };
}

@Module({
  controllers: [Health, Items],
  providers: [{ provide: 'store', useFactory: () => openStore(process.env.DATABASE_URL!) }],
})
class App {}

const app = await NestFactory.create<NestFastifyApplication>(App, new FastifyAdapter(), {
  logger: ['error'],
});
app.useGlobalPipes(new ValidationPipe({ whitelist: true, transform: true, errorHttpStatusCode: 422 }));
await app.listen(Number(process.env.PORT), '127.0.0.1');
