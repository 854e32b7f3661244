-- The time at which a presence ends automatically: at its deadline, or 12 hours after the last report of a device for
-- an automatic check-in, whichever comes first. Null: it does not end automatically.
-- needs: longest_silence
create or replace function over_at(it presence) returns timestamptz
language sql stable parallel safe
return case when (it).is_present then least((it).deadline,
  case when (it).source = 'automatic' then (it).heard_at + longest_silence() end) end
