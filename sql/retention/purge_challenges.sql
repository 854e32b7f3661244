-- Removes final boards of weeks that ended long ago, oldest first, with all that hangs on them.
-- $1 how many boards. Rows: one: boards, entries, standings. Locks: the boards, SKIP LOCKED.
-- Indexes: challenge_final, entry_pkey, standing_pkey, told_rank_pkey, publication_pkey.
with cutoff as materialized (
  select domain_now() - challenge_age as at from setting
),
old as materialized (
  select c.id
  from challenge c, cutoff
  where c.state <> 'open' and c.week_start < ((cutoff.at at time zone 'UTC')::date - 6)
    and c.ends_at < cutoff.at
  order by c.week_start, c.id
  limit $1
  for update of c skip locked
),
ids as materialized (
  select array(select id from old) as list
),
entries as (
  delete from entry where challenge_id = any ((select list from ids)::uuid[]) returning 1
),
standings as (
  delete from standing where challenge_id = any ((select list from ids)::uuid[]) returning 1
),
told as (
  delete from told_rank where challenge_id = any ((select list from ids)::uuid[])
),
published as (
  delete from publication where challenge_id = any ((select list from ids)::uuid[])
),
boards as (
  delete from challenge where id = any ((select list from ids)::uuid[]) returning 1
)
select (select count(*) from boards), (select count(*) from entries),
  (select count(*) from standings)
