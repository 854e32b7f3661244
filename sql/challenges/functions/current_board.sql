-- Returns the current week's board of one type, with its published version.
create or replace function current_board(actor text, group_id text, type challenge_type)
returns table (id uuid, week_start date, is_active boolean, created_at timestamptz,
  rank_version bigint, taken_at timestamptz)
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(group_id)]);
  made uuid;
begin
  perform require_claim(actor);
  select c.id into made
  from current_week_challenges(actor, current_board.group_id) c
  where c.type = current_board.type;
  -- A statement that creates a board does not see the new board's version, so a separate statement reads it.
  return query
  select c.id, c.week_start, c.state = 'open' and c.ends_at > domain_now(), c.created_at,
    v.rank_version, domain_now()
  from challenge c
  join board_version v on v.challenge_id = c.id
  where c.id = made;
end $$;

comment on function current_board is
  'A board of the running week and its version: read again, it says whether there is anything new.'
