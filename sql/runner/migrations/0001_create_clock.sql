-- The two clocks. Queue time (due, backoff, lease) is pg_catalog.now(), the server's own. Domain time
-- (schedules, and every rule of a product about dates and ages) asks domain_now(): the server's too,
-- inlined and free, except in a development database, whose clock is in a table: it stands and is set by
-- hand, or it runs with the server's and is put ahead of it.

-- Here and not in functions/: a development database has one of its own, which no later set puts back.
create function domain_now() returns timestamptz
language sql stable parallel safe
return pg_catalog.now();

-- One row in a database whose clock somebody moves; none in production.
create table development (
  singleton boolean primary key default true check (singleton),
  -- Where it stands; null: it runs, this far ahead of the server's.
  clock timestamptz check (isfinite(clock)),
  ahead_us bigint not null default 0 check (ahead_us >= 0),
  -- Whether schedules follow this clock; else none fires.
  fires_schedules boolean not null default true,
  check (clock is null or ahead_us = 0)
);
