-- When a presence ends by itself: at its deadline, or where no device has been heard of for 12 hours since one said that
-- the user is there, whichever comes first. Null: it does not.
-- needs: longest_silence
create or replace function over_at(it presence) returns timestamptz
language sql stable parallel safe
return case when (it).is_present then least((it).deadline,
  case when (it).source = 'automatic' then (it).heard_at + longest_silence() end) end
