-- What people and the command line do by hand: who, from where, to what, before and after. Rows are only
-- appended, by record_audit, and each holds the hash of the one before. docs/security.md has the rules.

create table audit (
  -- The UTC day of the chain: that of `at`, or that of the row before where the server's clock went back.
  day date not null,
  -- From 1 on in each day, without a gap.
  number integer not null check (number > 0),
  -- The server's own clock. Domain time may be set by the very people who are written down here.
  at timestamptz not null,
  -- Who logged in, and the role that they acted as.
  login text not null,
  role text not null,
  -- As the program says, which nobody can check; null where statements were sent by hand.
  os_user text,
  host text,
  program text,
  application text not null,
  -- Null over a socket; behind a pooler it is the pooler's.
  client inet,
  action text not null check (length(action) between 1 and 64),
  subject jsonb not null,
  before jsonb,
  after jsonb,
  -- Of an action on many things at once: which were asked for, and how many there were.
  filter jsonb,
  count bigint,
  previous bytea not null check (octet_length(previous) = 32),
  hash bytea not null check (octet_length(hash) = 32),
  primary key (day, number),
  check (count is null or filter is not null)
);

-- The two ends of the chain. Whoever appends locks this row to the end of their transaction.
create table audit_chain (
  singleton boolean primary key default true check (singleton),
  -- Of the last row that was appended.
  last_day date,
  last_number integer,
  last_hash bytea not null default decode(repeat('00', 32), 'hex'),
  -- Of the last row that was purged: what the oldest one that is left holds as `previous`.
  purged_hash bytea not null default decode(repeat('00', 32), 'hex')
);
insert into audit_chain default values;
