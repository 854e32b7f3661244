-- Returns one piece of the actor's data: a part's name, at most 500 rows, and the position of the next piece. In the
-- result, a row's fields are named after the table's columns. The first call does not pass a position. Each later call
-- passes the previous call's `next`, until `next` is null. Each piece contains the data at the time of its call.
-- docs/reference/privacy.md lists the parts. A part with many rows is read in index order. For a part with a limited
-- number of rows, each call reads and sorts all rows of the user. `offset 0` prevents the planner from reading all
-- users' rows in primary key order. Locks: none. Indexes: the index on the user in each table, and challenge_board.
create or replace function export_my_data(actor text, after jsonb default null) returns jsonb
language plpgsql stable security definer
set search_path from current set enable_seqscan = off set enable_bitmapscan = off set jit = off
set timezone = 'UTC' as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), pg_column_size(after)]);
  most constant integer := 500;
  parts constant text[] := array['account', 'identities', 'sessions', 'memberships', 'invites', 'workouts', 'revisions',
    'refusedEdits', 'pauses', 'streaks', 'boards', 'notifications', 'devices', 'pushSettings', 'usage', 'events',
    'blocks', 'reports'];
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
        select jsonb_build_array(null, to_jsonb(u)) from users u where u.id = actor)
      when 'identities' then array(
        select jsonb_build_array(jsonb_build_array(i.provider, i.subject), to_jsonb(i) - 'user_id')
        from (select * from identity i where i.user_id = actor offset 0) i
        where (k is null or (i.provider, i.subject::text) > ((k ->> 0)::auth_provider, k ->> 1))
        order by i.provider, i.subject limit most)
      when 'sessions' then array(
        select jsonb_build_array(jsonb_build_array(s.created_at, s.id),
          to_jsonb(s) - '{user_id,token_hash,previous_hash,salt}'::text[])
        from session s
        where s.user_id = actor and (s.created_at, s.id)
          > (coalesce((k ->> 0)::timestamptz, '-infinity'), coalesce((k ->> 1)::uuid, first_id))
        order by s.created_at, s.id limit most)
      when 'memberships' then array(
        select jsonb_build_array(jsonb_build_array(i.group_id, i.joined_at),
          to_jsonb(i) - '{user_id,removed_by}'::text[]
            || jsonb_build_object('role', m.role, 'is_muted', m.is_muted))
        from (select * from member m where m.user_id = actor offset 0) m
        join membership i on i.group_id = m.group_id and i.user_id = m.user_id
        where (i.group_id::text, i.joined_at)
            > (coalesce(k ->> 0, ''), coalesce((k ->> 1)::timestamptz, '-infinity'))
        order by i.group_id, i.joined_at limit most)
      when 'invites' then array(
        select jsonb_build_array(jsonb_build_array(i.created_at, i.id),
          to_jsonb(i) - '{created_by,token_hash}'::text[])
        from invite i
        where i.created_by = actor and (i.created_at, i.id)
          > (coalesce((k ->> 0)::timestamptz, '-infinity'), coalesce((k ->> 1)::uuid, first_id))
        order by i.created_at, i.id limit most)
      when 'workouts' then array(
        select jsonb_build_array(jsonb_build_array(w.workout_id), to_jsonb(w) - 'user_id')
        from workout w
        where w.user_id = actor and w.workout_id > coalesce(k ->> 0, '')
        order by w.workout_id limit most)
      when 'revisions' then array(
        select jsonb_build_array(jsonb_build_array(w.workout_id, w.revision), to_jsonb(w) - 'user_id')
        from workout_revision w
        where w.user_id = actor
          and (w.workout_id::text, w.revision) > (coalesce(k ->> 0, ''), coalesce((k ->> 1)::integer, 0))
        order by w.workout_id, w.revision limit most)
      when 'refusedEdits' then array(
        select jsonb_build_array(jsonb_build_array(e.workout_id, e.revision, e.id), to_jsonb(e) - 'user_id')
        from refused_edit e
        where e.user_id = actor
          and (e.workout_id::text, e.revision, e.id)
            > (coalesce(k ->> 0, ''), coalesce((k ->> 1)::integer, 0), coalesce((k ->> 2)::bigint, 0))
        order by e.workout_id, e.revision, e.id limit most)
      when 'pauses' then array(
        select jsonb_build_array(jsonb_build_array(p.began_at), to_jsonb(p) - 'user_id')
        from sharing_pause p
        where p.user_id = actor and p.began_at > coalesce((k ->> 0)::timestamptz, '-infinity')
        order by p.began_at limit most)
      when 'streaks' then array(
        select jsonb_build_array(jsonb_build_array(r.group_id, r.week_start, r.id), to_jsonb(r) - 'user_id')
        from reported_streak r
        where r.user_id = actor
          and (r.group_id::text, r.week_start, r.id)
            > (coalesce(k ->> 0, ''), coalesce((k ->> 1)::date, '-infinity'), coalesce((k ->> 2)::bigint, 0))
        order by r.group_id, r.week_start, r.id limit most)
      when 'boards' then array(
        select jsonb_build_array(jsonb_build_array(b.group_id, b.week_start, b.type), to_jsonb(b))
        from (
          select c.group_id, c.week_start, c.type, c.state, e.value, e.display_name, e.photo_url, e.last_updated,
            s.rank, s.position
          from member m
          join challenge c on c.group_id = m.group_id
          join entry e on e.challenge_id = c.id and e.user_id = actor
          left join standing s on s.challenge_id = c.id and s.user_id = actor
          where m.user_id = actor
          offset 0) b
        where (k is null or (b.group_id::text, b.week_start, b.type)
          > (k ->> 0, (k ->> 1)::date, (k ->> 2)::challenge_type))
        order by b.group_id, b.week_start, b.type limit most)
      when 'notifications' then array(
        select jsonb_build_array(jsonb_build_array(n.created_at, n.id),
          jsonb_build_object('id', n.id, 'created_at', n.created_at, 'group_id', n.group_id, 'type', n.type,
            'content', n.content, 'is_read', n.is_read))
        from visible_notification n
        where n.user_id = actor
          and (n.created_at, n.id)
            > (coalesce((k ->> 0)::timestamptz, '-infinity'), coalesce((k ->> 1)::bigint, 0))
        order by n.created_at, n.id limit most)
      when 'devices' then array(
        select jsonb_build_array(jsonb_build_array(d.id), to_jsonb(d) - '{user_id,token,secret,owner}'::text[])
        from (select * from push_device d where d.user_id = actor offset 0) d
        where d.id > coalesce((k ->> 0)::bigint, 0)
        order by d.id limit most)
      when 'pushSettings' then array(
        select jsonb_build_array(null, to_jsonb(p) - 'user_id') from push_setting p where p.user_id = actor)
      when 'usage' then array(
        select jsonb_build_array(jsonb_build_array(l.id), to_jsonb(l) - 'user_id')
        from (select * from usage_log l where l.user_id = actor offset 0) l
        where l.id > coalesce((k ->> 0)::bigint, 0)
        order by l.id limit most)
      when 'events' then array(
        select jsonb_build_array(jsonb_build_array(e.recorded_at, e.number),
          to_jsonb(e) - '{user_id,number}'::text[])
        from client_event e
        where e.user_id = actor
          and (e.recorded_at, e.number)
            > (coalesce((k ->> 0)::timestamptz, '-infinity'), coalesce((k ->> 1)::bigint, 0))
        order by e.recorded_at, e.number limit most)
      when 'blocks' then array(
        select jsonb_build_array(jsonb_build_array(b.blocked_user), to_jsonb(b) - 'user_id')
        from user_block b
        where b.user_id = actor and b.blocked_user > coalesce(k ->> 0, '')
        order by b.blocked_user limit most)
      when 'reports' then array(
        select jsonb_build_array(jsonb_build_array(r.created_at, r.id), to_jsonb(r) - '{reporter,closed_by}'::text[])
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
