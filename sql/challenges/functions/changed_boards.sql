-- Returns the positions, in the given arrays, of the observed boards that must be read again. A board must be read
-- again after a change, after the start of a new week, or if it was never read. The parameters are the boards (null
-- before the first read), each board's rank_version and members_mark, and the Monday of the boards' week. Each board is
-- read separately, because the planner may read whole tables for a join. The function needs no actor, because it
-- returns only positions in the arrays.
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
