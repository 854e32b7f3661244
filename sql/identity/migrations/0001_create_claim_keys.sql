-- With what claims are signed that say for which user a transaction speaks. docs/security.md

-- Two keys at most count, one of each parity, so that a new one can follow the last without a moment in which
-- neither does. Kept as the two blocks that HMAC makes of a key, which are as good as the key itself.
-- The row of id 0 has none and says that unsigned claims count. Where nothing is to be read, neither a key nor
-- this row, nobody is anybody: a table that somebody emptied, or that a policy hides, opens nothing.
create table claim_key (
  id integer primary key check (id >= 0),
  inner_block bytea check (octet_length(inner_block) = 64),
  outer_block bytea check (octet_length(outer_block) = 64),
  created_at timestamptz not null default pg_catalog.now(),
  check ((id = 0) = (inner_block is null) and (id = 0) = (outer_block is null))
);
create unique index claim_key_parity on claim_key ((id % 2)) where id > 0;

insert into claim_key (id) values (0);
