-- Returns both boards of the current week. The function creates missing boards. The function locks the group, so that
-- no boards are created while the group is being deleted.
create or replace function current_week_challenges(actor text, group_id text)
returns table (id uuid, type challenge_type, week_start date, starts_at timestamptz,
  ends_at timestamptz, is_active boolean, created_at timestamptz)
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(group_id)]);
  at constant timestamptz := domain_now();
  week constant date := week_of(at);
  of_group constant text := current_week_challenges.group_id;
begin
  perform require_member(actor, of_group);
  if (select count(*) from challenge c where c.group_id = of_group and c.week_start = week) < 2 then
    perform from groups g where g.id = of_group and g.is_active for share;
    if not found then
      perform refuse_group(of_group);
    end if;
    perform lock_boards(of_group, week);
  end if;
  return query
  select c.id, c.type, c.week_start, c.starts_at, c.ends_at, c.state = 'open' and c.ends_at > at,
    c.created_at
  from challenge c
  where c.group_id = of_group and c.week_start = week
  order by c.type;
end $$;

comment on function current_week_challenges is 'Both boards of the running week of a group.'
