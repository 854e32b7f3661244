-- Returns one piece of the actor's data: a part's name, at most 500 rows, and the position of the next piece. In the
-- result, a row's fields are named after the table's columns. The first call does not pass a position. Each later call
-- passes the previous call's `next`, until `next` is null. Each piece contains the data at the time of its call.
-- docs/reference/privacy.md lists the parts. A part with many rows is read in index order. For a part with a limited
-- number of rows, each call reads and sorts all rows of the user. `offset 0` prevents the planner from reading all
-- users' rows in primary key order. Locks: none. Indexes: the index on the user in each table.
create or replace function export_my_data(actor text, after jsonb default null) returns jsonb
language plpgsql stable security definer
set search_path from current set enable_seqscan = off set enable_bitmapscan = off set jit = off
set timezone = 'UTC' as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), pg_column_size(after)]);
  most constant integer := 500;
  parts constant text[] := array['account', 'identities', 'sessions', 'memberships', 'invites', 'redemptions',
    'presences', 'visits', 'firstArrivals', 'streaks', 'statistics', 'achievements', 'commands', 'messages', 'devices',
    'pushSettings', 'blocks', 'reports'];
  part constant text := coalesce(after ->> 'part', parts[1]);
  -- The key of the previous piece's last row.
  k constant jsonb := nullif(after -> 'key', 'null');
  first_id constant uuid := '00000000-0000-0000-0000-000000000000';
  -- Each element of `found` contains a row's key and the row.
  found jsonb[];
begin
  perform require_actor(actor);
  if array_position(parts, part) is null then
    perform refuse('invalidInput', 'the position of an export is not valid',
      'Nothing was read. Send the next of the previous piece, or nothing.');
  end if;
  begin
    found := case part
      when 'account' then array(
        select jsonb_build_array(null, to_jsonb(u) - 'merged_into') from users u where u.id = actor)
      when 'identities' then array(
        select jsonb_build_array(jsonb_build_array(i.provider, i.subject), to_jsonb(i) - 'user_id')
        from (select * from identity i where i.user_id = actor offset 0) i
        where (k is null or (i.provider, i.subject::text) > ((k ->> 0)::identity_provider, k ->> 1))
        order by i.provider, i.subject limit most)
      when 'sessions' then array(
        select jsonb_build_array(jsonb_build_array(s.created_at, s.id), to_jsonb(s) - '{user_id,token_hash}'::text[])
        from session s
        where s.user_id = actor and (s.created_at, s.id)
          > (coalesce((k ->> 0)::timestamptz, '-infinity'), coalesce((k ->> 1)::uuid, first_id))
        order by s.created_at, s.id limit most)
      when 'memberships' then array(
        select jsonb_build_array(jsonb_build_array(m.group_id), to_jsonb(m) - '{user_id,removed_by}'::text[])
        from (select * from member m where m.user_id = actor offset 0) m
        where m.group_id > coalesce(k ->> 0, '')
        order by m.group_id limit most)
      when 'invites' then array(
        select jsonb_build_array(jsonb_build_array(i.created_at, i.code), to_jsonb(i) - 'created_by')
        from invite i
        where i.created_by = actor and (i.created_at, i.code)
          > (coalesce((k ->> 0)::timestamptz, '-infinity'), coalesce(k ->> 1, ''))
        order by i.created_at, i.code limit most)
      when 'redemptions' then array(
        select jsonb_build_array(jsonb_build_array(r.code), to_jsonb(r) - 'user_id')
        from (select * from redemption r where r.user_id = actor offset 0) r
        where r.code > coalesce(k ->> 0, '')
        order by r.code limit most)
      when 'presences' then array(
        select jsonb_build_array(jsonb_build_array(p.group_id), to_jsonb(p) - '{user_id,id,armed_at}'::text[])
        from (select * from presence p where p.user_id = actor offset 0) p
        where p.group_id > coalesce(k ->> 0, '')
        order by p.group_id limit most)
      when 'visits' then array(
        select jsonb_build_array(jsonb_build_array(v.id), to_jsonb(v) - '{user_id,id}'::text[])
        from (select * from visit v where v.user_id = actor offset 0) v
        where v.id > coalesce((k ->> 0)::bigint, 0)
        order by v.id limit most)
      when 'firstArrivals' then array(
        select jsonb_build_array(jsonb_build_array(f.id), to_jsonb(f) - '{user_id,id}'::text[])
        from (select * from first_arrival f where f.user_id = actor offset 0) f
        where f.id > coalesce((k ->> 0)::bigint, 0)
        order by f.id limit most)
      when 'streaks' then array(
        select jsonb_build_array(jsonb_build_array(t.begins), to_jsonb(t) - 'user_id')
        from visit_streak t
        where t.user_id = actor and t.begins > coalesce((k ->> 0)::date, '-infinity')
        order by t.begins limit most)
      when 'statistics' then array(
        select jsonb_build_array(null, to_jsonb(s) - 'user_id') from user_stats s where s.user_id = actor)
      when 'achievements' then array(
        select jsonb_build_array(jsonb_build_array(u.achievement), to_jsonb(u) - 'user_id')
        from unlock u
        where u.user_id = actor and u.achievement > coalesce(k ->> 0, '')
        order by u.achievement limit most)
      when 'commands' then array(
        select jsonb_build_array(jsonb_build_array(c.id), to_jsonb(c) - 'user_id')
        from presence_command c
        where c.user_id = actor and c.id > coalesce((k ->> 0)::uuid, first_id)
        order by c.id limit most)
      when 'messages' then array(
        select jsonb_build_array(jsonb_build_array(m.created_at, m.id), to_jsonb(m) - '{user_id,partition}'::text[])
        from message m
        where m.user_id = actor and (m.created_at, m.id)
          > (coalesce((k ->> 0)::timestamptz, '-infinity'), coalesce((k ->> 1)::uuid, first_id))
        order by m.created_at, m.id limit most)
      when 'devices' then array(
        select jsonb_build_array(jsonb_build_array(d.id), to_jsonb(d) - '{user_id,token,secret,owner}'::text[])
        from (select * from push_device d where d.user_id = actor offset 0) d
        where d.id > coalesce((k ->> 0)::bigint, 0)
        order by d.id limit most)
      when 'pushSettings' then array(
        select jsonb_build_array(null, to_jsonb(p) - 'user_id') from push_setting p where p.user_id = actor)
      when 'blocks' then array(
        select jsonb_build_array(jsonb_build_array(b.blocked_user), to_jsonb(b) - 'user_id')
        from user_block b
        where b.user_id = actor and b.blocked_user > coalesce(k ->> 0, '')
        order by b.blocked_user limit most)
      when 'reports' then array(
        select jsonb_build_array(jsonb_build_array(r.created_at, r.id),
          to_jsonb(r) - '{reporter,closed_by,content}'::text[])
        from user_report r
        where r.reporter = actor and (r.created_at, r.id)
          > (coalesce((k ->> 0)::timestamptz, '-infinity'), coalesce((k ->> 1)::uuid, first_id))
        order by r.created_at, r.id limit most)
    end;
  exception when data_exception then
    perform refuse('invalidInput', 'the position of an export is not valid',
      'Nothing was read. Send the next of the previous piece, or nothing.');
  end;
  return jsonb_build_object('part', part,
    'rows', (select coalesce(jsonb_agg(f -> 1 order by n), '[]') from unnest(found) with ordinality r (f, n)),
    'next', case
      when cardinality(found) = most then jsonb_build_object('part', part, 'key', found[most] -> 0)
      when part <> parts[cardinality(parts)]
        then jsonb_build_object('part', parts[array_position(parts, part) + 1])
    end);
end $$;

comment on function export_my_data is 'A piece of the data that is stored about the actor.'
