-- Returns the time when a presence ends automatically, or null if the presence does not end automatically. A presence
-- with a deadline ends at the deadline. An automatic presence ends earlier if the device has sent no report for 12
-- hours.
-- needs: longest_silence
create or replace function over_at(it presence) returns timestamptz
language sql stable parallel safe
return case when (it).is_present then least((it).deadline,
  case when (it).source = 'automatic' then (it).heard_at + longest_silence() end) end
