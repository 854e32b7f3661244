-- Returns the value of the user's counter with the name that a catalog entry contains.
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
