-- Records one event for each key. Manually created triggers on any table can execute this function:
--   create or replace trigger parcel_inserted after insert on parcel
--   referencing new table as new_row for each statement execute function record_events('parcel.new', 'id')
-- The arguments are the topic and the key column. UPDATE records the keys of new rows, and DELETE the keys of old rows
-- (`old table as old_row`). A NULL key records no event. An invalid key of a new row makes the write fail (ZB006). A
-- deleted row with an invalid key records no event. The text of a key does not depend on the session's settings. A
-- table with hundreds of writes per second needs a declared trigger, or a function that calls append_events.
-- needs: append_events, is_key, refuse_key
create or replace function record_events() returns trigger
language plpgsql security definer set search_path from current set timezone to 'UTC'
set intervalstyle to 'postgres' set extra_float_digits to 1 set bytea_output to 'hex' as $$
declare
  keys text[];
begin
  if tg_op = 'DELETE' then
    keys := array(select distinct to_jsonb(o) ->> tg_argv[1] from old_row o);
  else
    keys := array(select distinct to_jsonb(n) ->> tg_argv[1] from new_row n);
  end if;
  if array_position(keys, null) is not null then
    -- Without this check, a trigger with a misspelled column would record no events and report no error.
    if not exists (
      select from pg_attribute
      where attrelid = tg_relid and attname = tg_argv[1] and attnum > 0 and not attisdropped)
    then
      raise exception 'the table % has no column %', tg_relid::regclass, quote_nullable(tg_argv[1])
        using errcode = 'undefined_column',
          hint = format('Nothing was written. Create the trigger %s again with the name of the column.', tg_name);
    end if;
    keys := array_remove(keys, null);
  end if;
  if tg_op = 'DELETE' then
    keys := array(select k from unnest(keys) k where is_key(k));
  else
    perform refuse_key(k, format('the column %s of %s', tg_argv[1], tg_relid::regclass))
    from unnest(keys) k where not is_key(k);
  end if;
  if keys <> '{}' then
    perform append_events(tg_argv[0], keys);
  end if;
  return null;
end $$
