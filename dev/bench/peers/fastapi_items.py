"""The same interface with FastAPI and SQLAlchemy, for Debian's packages (pydantic 1)."""

import hashlib
import json
import os
import urllib.request
from collections import OrderedDict
from datetime import datetime, timezone
from enum import Enum
from functools import wraps
from time import monotonic
from typing import Optional

from fastapi import Depends, FastAPI, Header, HTTPException, Query
from fastapi.responses import UJSONResponse
from pydantic import BaseModel, Field, conint, constr
from sqlalchemy import Column, Float, Integer, BigInteger, MetaData, Table, Text, bindparam, create_engine, event
from sqlalchemy.pool import StaticPool

URL = os.environ["DATABASE_URL"]
EMBEDDED = URL.startswith("sqlite:")

items = Table(
    "items",
    MetaData(),
    Column("id", BigInteger().with_variant(Integer, "sqlite"), primary_key=True),
    Column("registry_id", BigInteger),
    *[Column(name, Text) for name in ("name", "description", "url", "retailer", "image_url")],
    Column("price", Float),
    *[Column(name, Integer) for name in ("quantity_needed", "quantity_purchased", "is_active")],
    *[Column(name, Text) for name in ("created_at", "updated_at", "affiliate_url", "affiliate_status")],
)
columns = {False: [c for c in items.c if not c.name.startswith("affiliate_")], True: list(items.c)}


def both(query):
    """A query for everybody else and for admins, who see more columns."""
    return {admin: query(items.select().with_only_columns(*columns[admin])) for admin in (False, True)}


ONE = both(lambda q: q.where(items.c.id == bindparam("key"), items.c.is_active == 1))
PAGE = both(
    lambda q: q.where(items.c.is_active == 1)
    .order_by(items.c.id.desc())
    .limit(bindparam("most"))
    .offset(bindparam("skip"))
)
OF_REGISTRY = both(
    lambda q: q.where(items.c.registry_id == bindparam("key"), items.c.is_active == 1).order_by(items.c.id)
)

if EMBEDDED:
    engine = create_engine(
        "sqlite:///" + URL[len("sqlite:"):], poolclass=StaticPool, connect_args={"check_same_thread": False}
    )

    @event.listens_for(engine, "connect")
    def settings(connection, _record):
        # The same settings as the service's own.
        connection.executescript(
            "pragma journal_mode=wal; pragma synchronous=full; pragma wal_autocheckpoint=10000;"
            "pragma cache_size=-8192; pragma mmap_size=2147418112"
        )
else:
    engine = create_engine(URL.replace("postgres://", "postgresql+psycopg2://", 1), pool_size=10)


class Cache(OrderedDict):
    """At most 10,000 answers of the host, each for a while; the oldest goes first."""

    def __init__(self, seconds):
        super().__init__()
        self.seconds = seconds

    def known(self, key):
        found = self.get(key)
        return found[0] if found and found[1] > monotonic() else None

    def keep(self, key, value):
        self[key] = (value, monotonic() + self.seconds)
        if len(self) > 10_000:
            self.popitem(last=False)
        return value


users = Cache(300)
registries = Cache(3600)


def ask(path, authorization):
    request = urllib.request.Request(
        f"{os.environ['HOST_URL']}/wp-json/wp/v2/{path}?context=edit", headers={"authorization": authorization}
    )
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


class Caller:
    __slots__ = ("id", "username", "email", "admin", "authorization")


async def caller(authorization: Optional[str] = Header(None)) -> Caller:
    if not authorization or not authorization.startswith("Basic "):
        raise HTTPException(401, "Credentials are required")
    key = hashlib.sha256(authorization.encode()).digest()
    known = users.known(key)
    if known:
        return known
    body = ask("users/me", authorization)
    user = Caller()
    user.id, user.username, user.email = body["id"], body["username"], body["email"]
    user.admin, user.authorization = "administrator" in body["roles"], authorization
    return users.keep(key, user)


def registry_order(user: Caller, id: int):
    key = (id, user.id)
    known = registries.known(key)
    if known is not None:
        return known
    post = ask(f"registry/{id}", user.authorization)
    invitees = json.loads(post["meta"]["registry_invitees"])
    if not (user.admin or post["author"] == user.id or {user.username, user.email} & set(invitees)):
        raise HTTPException(403, "Only the owner, invitees and admins may see this registry")
    return registries.keep(key, json.loads(post["meta"]["registry_item_ids"]))


class Status(str, Enum):
    active = "active"
    inactive = "inactive"
    expired = "expired"
    none = "none"


class ItemUpdate(BaseModel):
    name: Optional[constr(min_length=1, max_length=100)]
    url: Optional[constr(min_length=10, max_length=2000)]
    description: Optional[constr(max_length=500)]
    retailer: Optional[str]
    image_url: Optional[str]
    price: Optional[float] = Field(None, gt=0)
    quantity_needed: conint(ge=1) = 1
    quantity_purchased: conint(ge=0) = 0
    is_active: bool = True
    affiliate_url: Optional[str]
    affiliate_status: Optional[Status]


class ItemCreate(ItemUpdate):
    registry_id: conint(ge=1)
    name: constr(min_length=1, max_length=100)
    url: constr(min_length=10, max_length=2000)


def now():
    return datetime.now(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def shown(row):
    item = dict(row)
    item["is_active"] = item["is_active"] == 1
    return item


def sent(item, verb, status=200):
    if item is None:
        raise HTTPException(404, "Item not found")
    return UJSONResponse(
        {"success": True, "data": item, "message": f"Item {verb} successfully"},
        status,
        {"etag": f'"{item["id"]}-{item["updated_at"]}"'},
    )


def seen_by(item, admin):
    return item if admin or item is None else {c.name: item[c.name] for c in columns[False]}


app = FastAPI()


def route(method, path):
    """Waiting for SQLite in a thread costs more than SQLite; a database server is waited for in threads."""

    def register(handler):
        if EMBEDDED:
            @wraps(handler)
            async def direct(*args, **kwargs):
                return handler(*args, **kwargs)

            return getattr(app, method)(path)(direct)
        return getattr(app, method)(path)(handler)

    return register


@app.get("/health")
async def health():
    return {"status": "healthy"}


@route("get", "/items")
def page(skip: int = Query(0, ge=0), limit: int = Query(100, ge=1, le=1000), user: Caller = Depends(caller)):
    with engine.connect() as connection:
        rows = connection.execute(PAGE[user.admin], {"most": limit, "skip": skip}).mappings().all()
    return UJSONResponse([shown(row) for row in rows])


@route("get", "/items/{id}")
def get(id: int, user: Caller = Depends(caller)):
    with engine.connect() as connection:
        row = connection.execute(ONE[user.admin], {"key": id}).mappings().first()
    return sent(row and shown(row), "retrieved")


@route("post", "/items")
def create(body: ItemCreate, user: Caller = Depends(caller)):
    time = now()
    item = {**body.dict(), "created_at": time, "updated_at": time}
    with engine.begin() as connection:
        result = connection.execute(items.insert(), {**item, "is_active": int(item["is_active"])})
        item = {"id": result.inserted_primary_key[0], **item}
    return sent(seen_by(item, user.admin), "created", 201)


@route("put", "/items/{id}")
def update(id: int, body: ItemUpdate, user: Caller = Depends(caller)):
    changes = {**body.dict(exclude_unset=True), "updated_at": now()}
    if "is_active" in changes:
        changes["is_active"] = int(changes["is_active"])
    with engine.begin() as connection:
        active = items.c.id == id, items.c.is_active == 1
        connection.execute(items.update().where(*active).values(changes))
        row = connection.execute(ONE[True], {"key": id}).mappings().first()
    return sent(seen_by(row and shown(row), user.admin), "updated")


@route("get", "/registries/{id}/items")
def of_registry(id: int, user: Caller = Depends(caller)):
    order = registry_order(user, id)
    with engine.connect() as connection:
        rows = connection.execute(OF_REGISTRY[user.admin], {"key": id}).mappings().all()
    left = {row["id"]: shown(row) for row in rows}
    ordered = [left.pop(item) for item in order if item in left]
    return UJSONResponse(ordered + list(left.values()))
