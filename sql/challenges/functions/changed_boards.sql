-- Which of the boards that are observed have to be read: they show something else than when they were read, nothing
-- was read of them yet, or another week runs by now. A list of boards (null: none was read), with the rank_version and
-- the members_mark of each, and the Monday of their week. Each is looked up by itself: a join of many might read the
-- whole table. It says nothing but that, so it asks for no actor.
create or replace function changed_boards(
  boards uuid[], versions bigint[], marks bigint[], week date
) returns table (number bigint)
language plpgsql stable security definer
set search_path from current set enable_seqscan = off set jit = off
set plan_cache_mode = force_generic_plan as $$
begin
  return query
  select o.number
  from unnest(boards, versions, marks) with ordinality o (board, version, mark, number)
  where o.board is null
    or (select week_of(domain_now())) <> week
    or o.version is distinct from (
      select v.rank_version from board_version v where v.challenge_id = o.board)
    or o.mark <> case when (select include_zero from setting)
      then (select members_mark(c.group_id) from challenge c where c.id = o.board) else 0 end;
end $$;

comment on function changed_boards is 'Which of the boards that are observed have to be read again.'
