-- When whom a group had as members, how they are invited, and who comes and goes silently. docs/groups.md
-- has states and locks.

-- From joined_at on, until just before left_at. Written by the triggers on member.
create table membership (
  group_id identifier not null,
  user_id identifier not null,
  joined_at timestamptz not null,
  left_at timestamptz,
  -- The admin who ended it; null: the member left, or it goes on.
  removed_by identifier references users,
  primary key (group_id, user_id, joined_at),
  foreign key (group_id, user_id) references member,
  constraint membership_times check (left_at >= joined_at)
);
create unique index membership_now on membership (group_id, user_id) where left_at is null;

-- A token is nowhere but with whoever was given it.
create table invite (
  id uuid primary key default gen_random_uuid(),
  token_hash bytea not null constraint invite_token unique check (octet_length(token_hash) = 32),
  group_id identifier not null references groups,
  created_by identifier not null references users,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  constraint invite_times check (expires_at > created_at)
);
create index invite_group on invite (group_id);
-- Retention goes from the oldest on.
create index invite_end on invite (expires_at);

-- How many invites that were not there a user has tried since.
create table invite_attempt (
  user_id identifier primary key references users,
  began_at timestamptz not null,
  attempts integer not null check (attempts >= 0)
);

-- Who went from a board or came back to it without the others being told. What those were told is moved
-- by it when the next changes are told, and the row goes. A log without a key: no two writers meet here.
create table silent_move (
  id bigint generated always as identity primary key,
  challenge_id uuid not null,
  user_id text collate "C" not null,
  -- Of who went: the rank that they were told last.
  gone_rank integer,
  -- Of who came back: the value that they brought.
  value integer,
  constraint silent_move_kind check ((gone_rank is null) <> (value is null))
);
create index silent_move_board on silent_move (challenge_id);

-- What calls about groups answer.
create type group_answer as (
  id text,
  name text,
  member_count integer,
  max_members integer,
  is_active boolean,
  created_at timestamptz,
  created_by text,
  -- Of the caller; null: not a member.
  role text,
  joined_at timestamptz,
  is_muted boolean
);

create type join_answer as (
  -- inviteInvalid, and nothing else; null: joined.
  refusal text,
  group_id text,
  joined_at timestamptz
);

create type invite_answer as (
  id uuid,
  token text,
  expires_at timestamptz
);

create type invite_preview as (
  -- inviteInvalid, and nothing else.
  refusal text,
  name text,
  member_count integer,
  is_full boolean
);
