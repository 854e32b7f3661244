-- Returns one page of public groups, ordered by name. The next page starts after the last group of the returned page.
-- Index: group_public.
create or replace function public_groups(
  actor text, after_name text default null, after_id text default null, page integer default 50
) returns setof group_answer language plpgsql stable security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(after_name), octet_length(after_id)]);
begin
  perform require_actor(actor);
  if page is null or page not between 1 and 100 then
    perform refuse('invalidInput', format('a page of %s groups is none', coalesce(page::text, 'no')),
      'Nothing was read. Ask for 1 to 100.');
  end if;
  return query
  select r.*
  from (
    select g.id, g.name from groups g
    where g.is_public and g.is_active
      and (g.name collate "C", g.id) > (coalesce(after_name, ''), coalesce(after_id, ''))
    order by g.name collate "C", g.id
    limit page
  ) p
  cross join lateral group_row(p.id, actor) r
  order by p.name collate "C", p.id;
end $$;

comment on function public_groups is 'A page of the public groups, by name.'
