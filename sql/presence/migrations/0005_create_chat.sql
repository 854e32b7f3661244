-- What members write to each other. docs/whosthere.md, Chat, has the rules.

-- The partition of an instant: its week, which begins on Thursday 00:00 UTC, modulo sixteen. Here and not in functions/:
-- a CHECK calls it.
create function week_partition(at timestamptz) returns smallint
language sql immutable strict parallel safe
return ((floor(extract(epoch from at) / 604800)::bigint % 16 + 16) % 16)::smallint;

-- A week has a partition and goes by TRUNCATE; all sixteen are there from the beginning, so none can be missing when
-- its week comes. The time leads the key: the newest of a partition is one step into its index.
create table message (
  partition smallint not null,
  created_at timestamptz not null,
  -- Made by the phone: one message however often it is sent. In two partitions no key holds it: send_message looks.
  id uuid not null,
  group_id identifier not null references groups,
  -- Null: the account is gone.
  user_id identifier references users,
  content text not null,
  -- Since when its text is gone.
  deleted_at timestamptz,
  primary key (partition, created_at, id),
  constraint message_once unique (partition, id),
  constraint message_week check (partition = week_partition(created_at)),
  constraint message_content check (
    char_length(content) <= 1000 and (content = '') = (deleted_at is not null))
) partition by list (partition);
-- A group's messages, newest first.
create index message_history on message (group_id, created_at, id);
-- For accounts that are merged or go.
create index message_user on message (user_id) where user_id is not null;
do $$
begin
  for partition in 0..15 loop
    execute format('create table message_%s partition of message for values in (%s)', partition, partition);
  end loop;
end $$;

-- How fast a user may write to a group: a bucket of five tokens, of which one comes back each two seconds. Whoever
-- sends locks the row, so what one user sends to one group comes one after the other.
create table message_bucket (
  user_id identifier not null references users on delete cascade,
  group_id identifier not null references groups,
  -- When it is full again: parts of tokens would add up roundings.
  full_at timestamptz not null,
  primary key (user_id, group_id)
) with (fillfactor = 80);

-- Counts what is written to a group and taken back, for who observes it. Whoever writes holds the row to the end.
create table group_chat (
  group_id identifier primary key references groups,
  version bigint not null
) with (fillfactor = 80);

-- What calls about messages answer.
create type message_answer as (
  id uuid,
  group_id text,
  user_id text,
  content text,
  sent_at timestamptz,
  is_deleted boolean
);

-- How long messages are kept; with the week that is written and one for retention that is late, within the sixteen.
alter table setting add column message_age interval not null default '90 days'
  check (message_age between '1 day' and '98 days');
