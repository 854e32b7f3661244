-- Which of the boards that are observed have to be read: they show something else than when they were read, nothing
-- was read of them yet, or another week runs by now. $1 boards (null: none was read), $2 the rank_version and $3 the
-- members_mark of each, $4 the Monday of their week.
-- Rows: their numbers in the list, from 1. Locks: none. Index: board_version_pkey.
-- Each is looked up by itself: a join of many might read the whole table.
select o.number
from unnest($1::uuid[], $2::bigint[], $3::bigint[]) with ordinality o (board, version, mark, number)
where o.board is null
  or (select week_of(domain_now())) <> $4::text::date
  or o.version is distinct from (
    select v.rank_version from board_version v where v.challenge_id = o.board)
  or o.mark <> case when (select include_zero from setting)
    then (select members_mark(c.group_id) from challenge c where c.id = o.board) else 0 end
