-- The two clocks. Queue time (due, backoff, lease) is pg_catalog.now(), the server's own.
-- Domain time (weeks, acceptance, ages) asks now() of this schema: the server's too, inlined and
-- free, except in a development database, whose clock stands in a table and is set by a replay.

-- Statements say domain_now(), because a bare now() always means pg_catalog.now().
create function domain_now() returns timestamptz
language sql stable parallel safe
return pg_catalog.now();

create function now() returns timestamptz
language sql stable parallel safe
return domain_now();

comment on function now() is 'Domain time: what every rule about weeks and ages asks.';

-- One row in a database whose clock a replay moves; none in production.
create table development (
  singleton boolean primary key default true check (singleton),
  clock timestamptz not null check (isfinite(clock)),
  file_digest text not null,
  from_date date,
  to_date date,
  step interval not null,
  mode text not null
);
