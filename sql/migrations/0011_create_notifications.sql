-- What members are told, and what each was told last. docs/weeks.md has states and locks.

create type notification_type as enum ('rank_change', 'week_ended', 'new_member');

alter table setting
  -- How long a notice is kept; it is shown for 7 days. Sixteen slots hold 14 days and two to spare.
  add notification_age interval not null default '7 days'
    check (notification_age between '7 days' and '14 days'),
  -- How long a board is kept after its week ended. No workout older than 7 days reaches a board.
  add challenge_age interval not null default '90 days' check (challenge_age >= '7 days'),
  add run_history_age interval not null default '7 days'
    check (run_history_age between '1 day' and '14 days'),
  add dead_run_age interval not null default '30 days' check (dead_run_age >= '1 day'),
  -- The least time between two notices about one board to one member; 0: none.
  add rank_change_cooldown interval not null default '0' check (rank_change_cooldown >= '0'),
  -- The most notices of changed ranks to one member in 24 hours; 0: any number.
  add rank_change_daily_cap integer not null default 0 check (rank_change_daily_cap >= 0);

-- A muted member is not told of changed ranks in this group.
alter table member add is_muted boolean not null default false;

-- One slot a day of domain time, sixteen in turn: a day goes by truncating its slot, and none can
-- be missing, so no notice is ever refused. The time leads the key: the newest of a slot is one
-- step into its index.
create table notification (
  slot smallint not null,
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
  primary key (slot, created_at, id)
) partition by list (slot);
create index notification_user on notification (user_id, created_at);
do $$
begin
  for slot in 0..15 loop
    execute format(
      'create table notification_%s partition of notification for values in (%s)
        with (fillfactor = 90)', slot, slot);
  end loop;
end $$;

-- What a recipient may see; expired means gone, whether or not retention has run.
create view visible_notification as
select * from notification where created_at > domain_now() - interval '7 days';

-- With the rank: the value it was told with, when, and the unread notice that said so.
alter table told_rank
  add value integer,
  add told_at timestamptz,
  add notice_created_at timestamptz,
  add notice_id bigint,
  -- The rank that the unread notice counts from.
  add notice_from integer;

-- Whether members were told of the last published ranks. A flag and not a second version: it
-- changes once between two evaluations, so further publishing stays HOT.
alter table publication add is_told boolean not null default false;
create index publication_untold on publication (challenge_id) where not is_told;
