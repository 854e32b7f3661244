-- What members are told, and what operators did to weeks. docs/weeks.md has states and locks.

create type notification_type as enum ('rank_change', 'week_ended', 'new_member');

-- A partition for each day of domain time, sixteen in turn: a day goes by TRUNCATE, and none can
-- be missing, so no notification is ever refused. The time leads the key: the newest of a partition is
-- one step into its index.
create table notification (
  partition smallint not null,
  created_at timestamptz not null,
  id bigint generated always as identity,
  user_id text collate "C" not null,
  group_id text collate "C" not null,
  type notification_type not null,
  -- The board of a rank_change.
  challenge_id uuid,
  content jsonb not null,
  is_read boolean not null default false,
  changed_at timestamptz not null,
  -- Of a week_ended: its Monday, and what the member's scores were: rank, value and the rank of the week
  -- before in check-ins, then the same in streak. visible_notification makes content of them.
  week_start date,
  scores integer[],
  primary key (partition, created_at, id)
) partition by list (partition);
create index notification_user on notification (user_id, created_at);
do $$
begin
  for partition in 0..15 loop
    execute format(
      'create table notification_%s partition of notification for values in (%s)
        with (fillfactor = 90)', partition, partition);
  end loop;
end $$;

-- One row a group and week that was closed: whoever inserts it tells the members, nobody again.
-- By week first: nobody looks for a group in all weeks.
create table closed_week (
  group_id text collate "C" not null,
  week_start date not null,
  -- False where nobody was told: no entry, or closed more than 7 days after its end.
  is_told boolean not null,
  closed_at timestamptz not null,
  -- What the notifications of the week share: label and boards with their winners; null where nobody was
  -- told. A group of ten held its winners ten times.
  -- docs/decisions/0011-what-notifications-share-is-kept-once.md
  content jsonb,
  -- How often the week was closed: the first time tells its members.
  closings integer not null default 1,
  -- The ranks of whoever took part or was a member, so that the close of the next week reads one row here
  -- instead of twenty standings. Null where there was nobody.
  members text[] collate "C",
  check_ins_ranks integer[],
  streak_ranks integer[],
  primary key (week_start, group_id)
);

-- What operators did to closed weeks.
create table week_reopening (
  id bigint generated always as identity primary key,
  group_id text collate "C" not null,
  week_start date not null,
  reason text not null check (reason <> ''),
  reopened_by text not null,
  reopened_at timestamptz not null,
  reopened_until timestamptz not null
);
