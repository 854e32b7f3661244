-- Which roles there are for this schema, and the rights that `migrate` has left. docs/security.md has the roles.

-- No row: there are none, and whoever owns the schema does everything.
create table access (
  singleton boolean primary key default true check (singleton),
  -- What the names of the roles begin with.
  prefix text not null check (prefix ~ '^[a-z_][a-z0-9_]{0,39}$'),
  made_at timestamptz not null default pg_catalog.now()
);

-- Owner, rights and policies of each object as they were left, for `check` to find what is otherwise now. And
-- `part NAME`: what a part says of access, for programs that do not know it.
create table access_object (
  object text collate "C" primary key,
  state text not null,
  -- The statement that made a policy; what a part says.
  made_by text
);
