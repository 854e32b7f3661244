-- Returns the first instant after `since` at which a time zone's UTC offset differs from the offset at `since`. If the
-- offset does not change up to `until`, the result is null. All instants are UTC times in whole seconds. Two changes to
-- a time zone in less than three hours count as one. An unknown time zone is an error (22023). Locks: none.
create or replace function zone_change(time_zone text, since timestamp, until timestamp) returns timestamp
language plpgsql stable strict as $$
declare
  before constant interval := (since at time zone 'UTC') at time zone time_zone - since;
  same timestamp := since;
  probe timestamp;
  changed timestamp;
begin
  while same < until loop
    probe := least(same + interval '3 hours', until);
    if (probe at time zone 'UTC') at time zone time_zone - probe = before then
      same := probe;
    else
      changed := probe;
      while changed - same > interval '1 second' loop
        probe := date_trunc('second', same + (changed - same) / 2);
        if (probe at time zone 'UTC') at time zone time_zone - probe = before then
          same := probe;
        else
          changed := probe;
        end if;
      end loop;
      return changed;
    end if;
  end loop;
  return null;
end $$
