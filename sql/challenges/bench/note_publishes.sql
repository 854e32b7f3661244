-- Creates triggers that record each published version of a board and the time shortly before the commit. A deferred
-- trigger records the time directly before the commit. The benchmark measures latencies from this time, so the
-- latencies include the duration of the commit. Rows: none. Locks: board_version, ACCESS EXCLUSIVE.
do $do$
begin
  create unlogged table published (challenge_id uuid, rank_version bigint);
  create unlogged table publishing (is_about_to_commit boolean);
  create unlogged table publish_commit (at timestamptz);

  create function note_published() returns trigger language plpgsql set search_path from current as $$
  begin
    insert into published
    select n.challenge_id, n.rank_version
    from new_row n
    join old_row o using (challenge_id)
    where n.rank_version <> o.rank_version;
    insert into publishing values (true);
    return null;
  end $$;

  create function note_publish_commit() returns trigger language plpgsql set search_path from current as $$
  begin
    insert into publish_commit values (clock_timestamp());
    return null;
  end $$;

  create trigger note_published after update on board_version
  referencing new table as new_row old table as old_row
  for each statement execute function note_published();

  create constraint trigger note_publish_commit after insert on publishing
  deferrable initially deferred
  for each row execute function note_publish_commit();
end $do$
