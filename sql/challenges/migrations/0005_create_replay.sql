-- What a development database of `replay` belongs to: it is only ever continued with exactly this.
create table replay (
  singleton boolean primary key default true check (singleton),
  file_digest text not null,
  from_date date,
  to_date date,
  step interval not null,
  -- Whether weeks close by the development clock.
  closes_weeks boolean not null
);
