-- The latest time of the server that a worker has stored. If the server's clock is earlier later on, it was set back.
create table server_clock (
  singleton boolean primary key default true check (singleton),
  seen_at timestamptz not null default pg_catalog.now()
);
insert into server_clock default values;
