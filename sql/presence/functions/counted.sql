-- Returns the value of a counter in a user's statistics. Entries of the achievement catalog contain the names of the
-- counters.
create or replace function counted(s user_stats, counter text) returns bigint
language sql immutable parallel safe
return case counter
  when 'check_ins' then s.check_ins
  when 'first_arrivals' then s.first_arrivals
  when 'groups_visited' then s.groups_visited
  when 'longest_streak' then s.longest_streak
  when 'longest_stay' then s.longest_stay
  when 'messages_sent' then s.messages_sent
end
